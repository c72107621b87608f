-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.sign_in_failures');

create policy "the auth service does all" on auth.sign_in_failures to auth_admin using (true) with check (true);
-- For app.tick_retention().
create policy "the owner of the schema prunes" on auth.sign_in_failures to serasi_owner using (true) with check (true);

grant select, insert, update, delete on auth.sign_in_failures to auth_admin;
