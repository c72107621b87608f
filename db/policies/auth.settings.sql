-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.settings');

create policy "the auth service does all" on auth.settings to auth_admin using (true) with check (true);
-- For app.is_admin() and app.tick_sessions().
create policy "the owner of the schema reads" on auth.settings for select to serasi_owner using (true);
create policy "the owner of the schema adds" on auth.settings for insert to serasi_owner with check (true);
create policy "the owner of the schema changes" on auth.settings for update to serasi_owner using (true) with check (true);

grant select, insert, update on auth.settings to auth_admin;
