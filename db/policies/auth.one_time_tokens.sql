-- The auth service's own. Nobody else has any privilege here, the service key included.
select app.reset_access('auth.one_time_tokens');

create policy "the auth service does all" on auth.one_time_tokens to auth_admin using (true) with check (true);

grant select, insert, update, delete on auth.one_time_tokens to auth_admin;
