-- Only the auth service uses this table. Nobody else has any privilege here, not even the service key.
select app.reset_access('auth.sessions');

create policy "the auth service does all" on auth.sessions to auth_admin using (true) with check (true);

grant select, insert, update, delete on auth.sessions to auth_admin;
