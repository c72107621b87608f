-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.mfa_challenges');

create policy "the auth service does all" on auth.mfa_challenges to auth_admin using (true) with check (true);
-- For app.tick_retention(), which deletes old challenges.
create policy "the owner of the schema reads" on auth.mfa_challenges for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.mfa_challenges for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.mfa_challenges for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.mfa_challenges to auth_admin;
