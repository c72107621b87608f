-- The auth service's own. Nobody else has any privilege here, the service key included.
select app.reset_access('auth.users');

create policy "the auth service does all" on auth.users to auth_admin using (true) with check (true);
-- For security definer functions: who made a member of staff (app.audit_role).
create policy "the owner of the schema reads" on auth.users for select to serasi_owner using (true);

grant select, insert, update, delete on auth.users to auth_admin;
