-- E-mail addresses, shown beside names in admin lists.
drop view if exists public.profiles cascade;

create view public.profiles with (security_invoker = true) as
select id, email from app.profiles;


grant select on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;
