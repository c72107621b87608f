-- The owning agency, admins, and influencers with access read gigs. Only the owning agency writes them. Admins close a gig
-- through app.decide_report().
select serasi.reset_access('app.gigs');

create policy "influencers read open gigs, agencies their own, admins all" on app.gigs for select to authenticated
  using ((closed_at is null and (select app.may_browse_gigs())) or agency_id = (select app.own_agency_id()) or (select app.is_admin()));
create policy "an agency posts its own" on app.gigs for insert to authenticated
  with check (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')));
create policy "an agency edits its own" on app.gigs for update to authenticated
  using (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')))
  with check (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')));
create policy "an agency deletes its own" on app.gigs for delete to authenticated
  using (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')));

-- The gigs that agencies offer.
-- Internal: reminded_for, closed_for.
create or replace view public.gigs with (security_invoker = true) as
select id, agency_id, title, description, budget, duration, requirements, created_at, closes_on, places, closed_at from app.gigs;

grant select, delete on app.gigs, public.gigs to authenticated;
-- Clients choose `id`, so that repeating a request can't create a second gig.
grant insert (id) on app.gigs, public.gigs to authenticated;
select serasi.grant_editing('agency_id, title, description, budget, duration, requirements, closes_on, places', 'app.gigs', 'public.gigs');
grant select, insert, update, delete on app.gigs, public.gigs to service_role;

-- Whether a gig is open, and how many influencers applied. `applicants` and `waiting` count the applications that the caller
-- can read; the owning agency can read all.
create or replace view public.gig_status with (security_invoker = true) as
select gigs.id as gig_id, app.gig_state(gigs.id) as state, app.places_taken(gigs.id) as accepted,
  counted.applicants, counted.waiting
from app.gigs
cross join lateral (
  select count(*) filter (where state <> 'withdrawn') as applicants, count(*) filter (where state = 'applied') as waiting
  from app.gig_applications where gig_id = gigs.id) as counted;

grant select on public.gig_status to authenticated, service_role;

-- Allows `gigs?select=*,gig_status(state,applicants)`. In schema `app`, so that the API does not expose it as a function.
-- PostgreSQL inlines it and computes only the requested columns. It doesn't inline functions with a search_path, which a
-- parsed body (begin atomic) doesn't need.
create or replace function app.gig_status(public.gigs) returns setof public.gig_status language sql stable rows 1
begin atomic
  select gig_id, state, accepted, applicants, waiting from public.gig_status where gig_id = $1.id;
end;
grant execute on function app.gig_status(public.gigs) to authenticated, service_role;
