-- The owning agency, admins, and influencers with access read gigs. Only the owning agency writes them. Admins close a gig
-- through app.decide_report().
select app.reset_access('app.gigs');

create policy "influencers read open gigs, agencies their own, admins all" on app.gigs for select to authenticated
  using ((closed_at is null and (select app.may_browse_gigs())) or agency_id = (select app.own_agency_id()) or (select app.is_admin()));
create policy "an agency posts its own" on app.gigs for insert to authenticated
  with check (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')));
create policy "an agency edits its own" on app.gigs for update to authenticated
  using (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')))
  with check (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')));
create policy "an agency deletes its own" on app.gigs for delete to authenticated
  using (agency_id = (select app.own_agency_id()) and (select app.has_role('agency')));
-- For security definer functions, which handle applications, send notifications when gigs close, and close gigs for admins.
create policy "the owner of the schema reads" on app.gigs for select to serasi_owner using (true);
create policy "the owner of the schema notes what was told" on app.gigs for update to serasi_owner using (true);

grant select, delete on app.gigs to authenticated;
-- Clients choose `id`, so that repeating a request can't create a second gig.
grant insert (id, agency_id, title, description, budget, duration, requirements, closes_on, places) on app.gigs to authenticated;
grant update (agency_id, title, description, budget, duration, requirements, closes_on, places) on app.gigs to authenticated;
grant select, insert, update, delete on app.gigs to service_role;
