-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.mail_allowances');

create policy "the auth service does all" on auth.mail_allowances to auth_admin using (true) with check (true);
-- For app.tick_retention().
create policy "the owner of the schema prunes" on auth.mail_allowances to serasi_owner using (true) with check (true);

grant select, insert, update, delete on auth.mail_allowances to auth_admin;
