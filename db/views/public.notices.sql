-- The notices on a user's dashboard.
drop view if exists public.notices cascade;

create view public.notices with (security_invoker = true) as
select id, user_id, kind, created_at, seen_at from app.notices;

grant select on public.notices to authenticated;
grant update (seen_at) on public.notices to authenticated;
grant select, insert, update, delete on public.notices to service_role;
