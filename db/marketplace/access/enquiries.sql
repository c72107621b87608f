-- Senders read their enquiries, and influencers those to them once they are confirmed. All changes go through functions, so
-- that nobody can bypass their checks, not even with the service key.
select serasi.reset_access('app.enquiries');
select serasi.on_deletion('app.enquiries', 'replaced; the other side keeps state, budget and dates, and the row goes with the last party',
  'sender_key, sender_name, sender_company, sender_email, deliverables, message, answer, reason');

create policy "the sender reads, the influencer once it is confirmed" on app.enquiries for select to authenticated
  using (sender_user_id = (select app.account_id()) or (opened_at is not null and influencer_id = (select app.own_influencer_id())));

-- The columns of the view. The others are internal.
grant select (
  id, influencer_id, sender_user_id, sender_name, sender_company, sender_email, deliverables, message, budget_from, budget_to,
  starts_on, ends_on, state, answer, reason, created_at, answered_at, expires_at, collaboration_id
) on app.enquiries to authenticated, service_role;

-- Enquiries as both parties see them.
-- Internal: brief_id, reminded_at.
create or replace view public.enquiries with (security_invoker = true) as
select id, influencer_id, sender_user_id, coalesce(sender_name, 'Former member') as sender_name, sender_company, sender_email, deliverables,
  message, budget_from, budget_to, starts_on, ends_on, state, answer, reason, created_at, answered_at, expires_at, collaboration_id
from app.enquiries;

grant select on public.enquiries to authenticated, service_role;
