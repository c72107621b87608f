-- Each side reads its own collaborations. All changes go through functions.
select app.reset_access('app.collaborations');

create policy "both sides read" on app.collaborations for select to authenticated
  using (client_user_id = (select app.account_id()) or influencer_id = (select app.own_influencer_id())
    or agency_id = (select app.own_agency_id()));
create policy "the owner of the schema does all" on app.collaborations to serasi_owner using (true) with check (true);

grant select on app.collaborations to authenticated;
grant select, insert, update, delete on app.collaborations to service_role;
