-- Users read their own roles, and admins read those of the staff. No user can add or change a role; superadmins can remove
-- those of other staff. The last superadmin's attempt to remove their own role passes the policy, so that the trigger
-- app.keep_a_superadmin() rejects it with an explanation.
select serasi.reset_access('app.user_roles');

create policy "people read their own, admins the staff's" on app.user_roles for select to authenticated
  using (user_id = (select app.account_id()) or (role in ('admin', 'superadmin') and (select app.is_admin())));
create policy "superadmins remove other staff" on app.user_roles for delete to authenticated
  using (
    role in ('admin', 'superadmin') and (select app.is_superadmin())
    and (user_id <> (select auth.uid()) or (select app.is_last_superadmin())));

-- The marketplace roles of users.
create or replace view public.user_roles with (security_invoker = true) as
select user_id, role from app.user_roles;

grant select, delete on app.user_roles, public.user_roles to authenticated;
grant select, insert, update, delete on app.user_roles, public.user_roles to service_role;

-- A computed relationship for `influencers?select=*,user_roles(*)`, because no foreign key connects the two. In schema
-- `app`, so that the API does not expose it as a function.
create or replace function app.user_roles(public.influencers) returns setof public.user_roles language sql stable as $$
  select user_id, role from public.user_roles where user_id = $1.user_id
$$;
grant execute on function app.user_roles(public.influencers) to authenticated, service_role;
