-- Users read their own row, and admins read all. No user can write: triggers create and update the row with the account.
select serasi.reset_access('app.profiles');

create policy "people read their own, admins all" on app.profiles for select to authenticated
  using (id = (select app.account_id()) or (select app.is_admin()));
-- For security definer functions: sign-up, changes of the e-mail address and soft deletes.
create policy "the owner of the schema reads" on app.profiles for select to serasi_owner using (true);
create policy "the owner of the schema adds" on app.profiles for insert to serasi_owner with check (true);
create policy "the owner of the schema copies addresses" on app.profiles for update to serasi_owner using (true);
create policy "the owner of the schema closes accounts" on app.profiles for delete to serasi_owner using (true);

-- The e-mail addresses of accounts, which admin lists show next to names.
create or replace view public.profiles with (security_invoker = true) as
select id, email from app.profiles;

select serasi.reset_access('public.profiles');

grant select on app.profiles, public.profiles to authenticated;
grant select, insert, update, delete on app.profiles, public.profiles to service_role;
