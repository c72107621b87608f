-- Who holds which marketplace role.
drop view if exists public.user_roles cascade;

create view public.user_roles with (security_invoker = true) as
select user_id, role from app.user_roles;


grant select, delete on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;
