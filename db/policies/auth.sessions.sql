-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.sessions');

create policy "the auth service does all" on auth.sessions to auth_admin using (true) with check (true);
-- For security definer functions: app.is_admin() looks the session up, app.forget_factor() changes its level, and
-- app.remove_factors() and app.tick_sessions() delete sessions.
create policy "the owner of the schema reads" on auth.sessions for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.sessions for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.sessions for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.sessions to auth_admin;
