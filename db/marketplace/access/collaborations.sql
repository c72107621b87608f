-- Each side reads its own collaborations. All changes go through functions.
select serasi.reset_access('app.collaborations');
select serasi.on_deletion('app.collaborations', 'replaced; the other side keeps state and dates, and the row goes with the last party', 'title, guest_name, reason');

create policy "both sides read" on app.collaborations for select to authenticated
  using (client_user_id = (select app.account_id()) or influencer_id = (select app.own_influencer_id())
    or agency_id = (select app.own_agency_id()));

-- Collaborations, as both sides see them. `side` is the caller's side. A party's name is null if its profile was deleted.
-- Internal: untold.
create or replace view public.collaborations with (security_invoker = true) as
select id, source, title, influencer_id, client_user_id, agency_id, guest_name, state, created_at,
  influencer_completed_at, client_completed_at, completed_at, cancelled_at, cancelled_by, reason,
  case when influencer_id = (select app.own_influencer_id()) then 'influencer' when (select auth.uid()) is not null then 'client' end as side,
  app.shown_name(id, 'influencer') as influencer_name, app.shown_name(id, 'client') as client_name,
  app.shown_address(id, 'influencer') as influencer_email, app.shown_address(id, 'client') as client_email,
  completed_at + interval '14 days' as review_until
from app.collaborations;

grant select on app.collaborations, public.collaborations to authenticated;
grant select, insert, update, delete on app.collaborations, public.collaborations to service_role;
