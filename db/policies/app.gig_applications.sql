-- Applicants read their own, also when they may no longer see gigs; agencies those for their gigs. The states are changed
-- by functions only.
select app.reset_access('app.gig_applications');

create policy "applicants and agencies read their own, admins all" on app.gig_applications for select to authenticated
  using (influencer_id = (select app.own_influencer_id()) or agency_id = (select app.own_agency_id())
    -- Every id, for admins. A condition on a column, so that PostgreSQL can read a party's own rows from indexes.
    or id >= (select app.first_id_for_admins()));
create policy "influencers who may see gigs apply" on app.gig_applications for insert to authenticated
  with check (influencer_id = (select app.own_influencer_id()) and (select app.may_browse_gigs()));
create policy "the owner of the schema does all" on app.gig_applications to serasi_owner using (true) with check (true);

grant select on app.gig_applications to authenticated;
grant insert (gig_id, pitch, quote) on app.gig_applications to authenticated;
grant select, insert, update, delete on app.gig_applications to service_role;
