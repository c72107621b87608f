-- Applicants read their own applications, even if they can no longer see gigs. Agencies read those for their gigs. Only
-- functions change the state.
select serasi.reset_access('app.gig_applications');
select serasi.on_deletion('app.gig_applications', 'replaced; the other side keeps state and dates, and the row goes with the last party', 'pitch, gig_title');

create policy "applicants and agencies read their own, admins all" on app.gig_applications for select to authenticated
  using (influencer_id = (select app.own_influencer_id()) or agency_id = (select app.own_agency_id())
    -- True for every ID if the caller is an admin. A condition on a column lets PostgreSQL use indexes for the others' rows.
    or id >= (select app.first_id_for_admins()));
create policy "influencers who may see gigs apply" on app.gig_applications for insert to authenticated
  with check (influencer_id = (select app.own_influencer_id()) and (select app.may_browse_gigs()));

-- Applications for gigs. Applicants set the gig, pitch and quote; triggers and functions set the other columns.
-- Internal: earlier_created_at, digested_at, untold.
create or replace view public.gig_applications with (security_invoker = true) as
select id, gig_id, influencer_id, pitch, quote, state, gig_title, created_at, decided_at, collaboration_id
from app.gig_applications;

grant select on app.gig_applications, public.gig_applications to authenticated;
grant insert (gig_id, pitch, quote) on app.gig_applications, public.gig_applications to authenticated;
grant select, insert, update, delete on app.gig_applications, public.gig_applications to service_role;
