-- Only the auth service uses this table. Nobody else has any privilege here, not even the service key.
select app.reset_access('auth.sessions');

create policy "the auth service does all" on auth.sessions to auth_admin using (true) with check (true);
-- For security definer functions: app.is_admin looks the session up, app.tick_sessions removes those that ended.
create policy "the owner of the schema reads" on auth.sessions for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.sessions for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.sessions for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.sessions to auth_admin;
