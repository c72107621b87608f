-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.mail_allowances');

create policy "the auth service does all" on auth.mail_allowances to auth_admin using (true) with check (true);

grant select, insert, update, delete on auth.mail_allowances to auth_admin;
