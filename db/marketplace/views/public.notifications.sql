-- A user's notifications.
create or replace view public.notifications with (security_invoker = true) as
select id, user_id, kind, subject_id, data, created_at, seen_at from app.notices;

select app.reset_access('public.notifications');

grant select on public.notifications to authenticated;
grant update (seen_at) on public.notifications to authenticated;
grant select, insert, update, delete on public.notifications to service_role;
