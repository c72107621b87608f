-- The e-mail addresses of accounts, which admin lists show next to names.
create or replace view public.profiles with (security_invoker = true) as
select id, email from app.profiles;

select app.reset_access('public.profiles');

grant select on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;
