-- Vendors are public, including their contact details. badge_type is not granted to anyone: a trigger copies it from
-- app.moderation.
select app.reset_access('app.vendors');

create policy "everybody reads" on app.vendors for select to anon, authenticated
  using (true);
create policy "their owner adds one, holding the role" on app.vendors for insert to authenticated
  with check (user_id = (select auth.uid()) and (select app.has_role('vendor')));
create policy "their owner edits" on app.vendors for update to authenticated
  using (user_id = (select auth.uid()) and (select app.has_role('vendor')))
  with check (user_id = (select auth.uid()) and (select app.has_role('vendor')));
create policy "admins delete" on app.vendors for delete to authenticated
  using ((select app.is_admin()));
-- For security definer functions, which copy the badge from the moderation row.
create policy "the owner of the schema reads" on app.vendors for select to serasi_owner using (true);
create policy "the owner of the schema mirrors moderation" on app.vendors for update to serasi_owner using (true);

grant select on app.vendors to anon, authenticated;
grant insert (
  user_id,
  name, email, company_name, phone, website, description, location, type, logo_url
) on app.vendors to authenticated;
grant update (
  name, email, company_name, phone, website, description, location, type, logo_url
) on app.vendors to authenticated;
grant delete on app.vendors to authenticated;
grant select, insert, update, delete on app.vendors to service_role;
