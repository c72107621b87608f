-- Enquiries as both parties see them.
create or replace view public.enquiries with (security_invoker = true) as
select id, influencer_id, sender_user_id, coalesce(sender_name, 'Former member') as sender_name, sender_company, sender_email, deliverables,
  message, budget_from, budget_to, starts_on, ends_on, state, answer, reason, created_at, answered_at, expires_at, collaboration_id
from app.enquiries;

select app.reset_access('public.enquiries');

grant select on public.enquiries to authenticated, service_role;
