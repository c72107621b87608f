-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.mfa_factors');

create policy "the auth service does all" on auth.mfa_factors to auth_admin using (true) with check (true);
-- For security definer functions: app.is_admin() looks factors up; app.remove_factors() and app.tick_retention() delete them.
create policy "the owner of the schema reads" on auth.mfa_factors for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.mfa_factors for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.mfa_factors for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.mfa_factors to auth_admin;
