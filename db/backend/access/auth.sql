-- Schema auth belongs to the auth service. No API role has privileges on its tables, not even the service key. The owner of the schema
-- is restricted, too: it may do what its functions need.
select app.reset_access(name) from unnest('{auth.users, auth.identities, auth.settings, auth.sessions, auth.refresh_tokens, auth.flow_state,
  auth.one_time_tokens, auth.sign_in_failures, auth.mail_allowances, auth.mfa_factors, auth.mfa_challenges, auth.mfa_recovery_codes,
  auth.mfa_failures}'::regclass[]) as name;
select app.on_deletion('auth.sign_in_failures', 'kept until the retention ends: keyed hashes, which limit sign-ins');
select app.on_deletion('auth.mail_allowances', 'kept until the retention ends: a keyed hash, which limits mails');
select app.on_deletion('auth.settings', 'kept: of the operator');

create policy "the auth service does all" on auth.users to auth_admin using (true) with check (true);
-- For security definer functions. For example, app.audit_role() looks up who created a staff account.
create policy "the owner of the schema reads" on auth.users for select to serasi_owner using (true);
-- For app.tick_unconfirmed_accounts().
create policy "the owner of the schema prunes" on auth.users for delete to serasi_owner using (true);

create policy "the auth service does all" on auth.identities to auth_admin using (true) with check (true);

create policy "the auth service does all" on auth.settings to auth_admin using (true) with check (true);
-- For app.is_admin(), app.tick_sessions() and app.tick_statistics().
create policy "the owner of the schema reads" on auth.settings for select to serasi_owner using (true);
create policy "the owner of the schema adds" on auth.settings for insert to serasi_owner with check (true);
create policy "the owner of the schema changes" on auth.settings for update to serasi_owner using (true) with check (true);

create policy "the auth service does all" on auth.sessions to auth_admin using (true) with check (true);
-- For security definer functions: app.is_admin() looks the session up, app.forget_factor() changes its level, and
-- app.remove_factors() and app.tick_sessions() delete sessions.
create policy "the owner of the schema reads" on auth.sessions for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.sessions for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.sessions for delete to serasi_owner using (true);

create policy "the auth service does all" on auth.refresh_tokens to auth_admin using (true) with check (true);
-- For app.tick_sessions().
create policy "the owner of the schema reads" on auth.refresh_tokens for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.refresh_tokens for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.refresh_tokens for delete to serasi_owner using (true);

create policy "the auth service does all" on auth.flow_state to auth_admin using (true) with check (true);
create policy "the auth service does all" on auth.one_time_tokens to auth_admin using (true) with check (true);
create policy "the auth service does all" on auth.sign_in_failures to auth_admin using (true) with check (true);
create policy "the auth service does all" on auth.mail_allowances to auth_admin using (true) with check (true);
-- For app.tick_retention().
create policy "the owner of the schema prunes" on auth.flow_state to serasi_owner using (true) with check (true);
create policy "the owner of the schema prunes" on auth.one_time_tokens to serasi_owner using (true) with check (true);
create policy "the owner of the schema prunes" on auth.sign_in_failures to serasi_owner using (true) with check (true);
create policy "the owner of the schema prunes" on auth.mail_allowances to serasi_owner using (true) with check (true);

create policy "the auth service does all" on auth.mfa_factors to auth_admin using (true) with check (true);
create policy "the auth service does all" on auth.mfa_challenges to auth_admin using (true) with check (true);
create policy "the auth service does all" on auth.mfa_recovery_codes to auth_admin using (true) with check (true);
create policy "the auth service does all" on auth.mfa_failures to auth_admin using (true) with check (true);
-- For security definer functions: app.is_admin() looks factors up, app.remove_factors(), app.forget_factor() and
-- app.tick_retention() delete rows.
create policy "the owner of the schema reads" on auth.mfa_factors for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.mfa_factors for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.mfa_factors for delete to serasi_owner using (true);
create policy "the owner of the schema reads" on auth.mfa_challenges for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.mfa_challenges for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.mfa_challenges for delete to serasi_owner using (true);
create policy "the owner of the schema reads" on auth.mfa_recovery_codes for select to serasi_owner using (true);
create policy "the owner of the schema removes" on auth.mfa_recovery_codes for delete to serasi_owner using (true);
create policy "the owner of the schema reads" on auth.mfa_failures for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.mfa_failures for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.mfa_failures for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.users, auth.identities, auth.sessions, auth.refresh_tokens, auth.flow_state,
  auth.one_time_tokens, auth.sign_in_failures, auth.mail_allowances, auth.mfa_factors, auth.mfa_challenges, auth.mfa_failures to auth_admin;
grant select, insert, update on auth.settings to auth_admin;
grant select, insert, delete on auth.mfa_recovery_codes to auth_admin;
grant references (id) on auth.users to developer;
