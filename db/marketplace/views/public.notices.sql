-- The notices on a user's dashboard, which are approvals. public.notifications contains all kinds.
create or replace view public.notices with (security_invoker = true) as
select id, user_id, kind, created_at, seen_at from app.notices where kind = 'approved';

select app.reset_access('public.notices');

grant select on public.notices to authenticated;
grant update (seen_at) on public.notices to authenticated;
grant select, insert, update, delete on public.notices to service_role;
