-- The auth service's own. Nobody else has any privilege here, the service key included.
select app.reset_access('auth.mail_allowances');

create policy "the auth service does all" on auth.mail_allowances to auth_admin using (true) with check (true);

grant select, insert, update, delete on auth.mail_allowances to auth_admin;
