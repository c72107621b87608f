-- Users read their own row, and admins read all. No user can write: triggers create and update the row with the account.
select serasi.reset_access('app.profiles');

create policy "people read their own, admins all" on app.profiles for select to authenticated
  using (id = (select app.account_id()) or (select app.is_admin()));

-- The e-mail addresses of accounts, which admin lists show next to names.
create or replace view public.profiles with (security_invoker = true) as
select id, email from app.profiles;

grant select on app.profiles, public.profiles to authenticated;
grant select, insert, update, delete on app.profiles, public.profiles to service_role;
