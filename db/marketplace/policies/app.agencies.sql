-- Agencies are public, including their contact details. badge_type is not granted to anyone: a trigger copies it from
-- app.moderation.
select app.reset_access('app.agencies');

create policy "everybody reads" on app.agencies for select to anon, authenticated
  using (true);
create policy "their owner adds one, holding the role" on app.agencies for insert to authenticated
  with check (user_id = (select auth.uid()) and (select app.has_role('agency')));
create policy "their owner edits" on app.agencies for update to authenticated
  using (user_id = (select auth.uid()) and (select app.has_role('agency')))
  with check (user_id = (select auth.uid()) and (select app.has_role('agency')));
create policy "admins delete" on app.agencies for delete to authenticated
  using ((select app.is_admin()));
-- For security definer functions, which copy the badge from the moderation row.
create policy "the owner of the schema reads" on app.agencies for select to serasi_owner using (true);
create policy "the owner of the schema mirrors moderation" on app.agencies for update to serasi_owner using (true);

grant select on app.agencies to anon, authenticated;
grant insert (
  user_id,
  name, email, company_name, phone, website, description, location, type, contracts_enabled, logo_url, banner_url,
  gallery
) on app.agencies to authenticated;
grant update (
  name, email, company_name, phone, website, description, location, type, contracts_enabled, logo_url, banner_url,
  gallery
) on app.agencies to authenticated;
grant delete on app.agencies to authenticated;
grant select, insert, update, delete on app.agencies to service_role;
