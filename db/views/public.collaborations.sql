-- What was agreed on, as both sides see it.
create or replace view public.collaborations with (security_invoker = true) as
select id, source, title, influencer_id, client_user_id, agency_id, guest_name, state, created_at,
  influencer_completed_at, client_completed_at, completed_at, cancelled_at, cancelled_by, reason
from app.collaborations;

select app.reset_access('public.collaborations');

grant select on public.collaborations to authenticated;
grant select, insert, update, delete on public.collaborations to service_role;
