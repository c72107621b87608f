-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.users');

create policy "the auth service does all" on auth.users to auth_admin using (true) with check (true);
-- For security definer functions. For example, app.audit_role() looks up who created a staff account.
create policy "the owner of the schema reads" on auth.users for select to serasi_owner using (true);
-- For app.tick_unconfirmed_accounts().
create policy "the owner of the schema prunes" on auth.users for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.users to auth_admin;
grant references (id) on auth.users to developer;
