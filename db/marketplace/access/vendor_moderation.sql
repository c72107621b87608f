-- Admins' decisions about vendors. The owner and admins read them, and admins write them. anon has the SELECT privilege,
-- which `select=*` on the view requires, but no policy applies to it, so it reads no rows.
select app.reset_access('app.vendor_moderation');

create policy "their owner and admins read" on app.vendor_moderation for select to authenticated
  using (user_id = (select app.account_id()) or (select app.is_admin()));
create policy "admins decide" on app.vendor_moderation for update to authenticated
  using ((select app.is_admin())) with check ((select app.is_admin()));
-- For security definer functions, which create the row together with the profile.
create policy "the owner of the schema adds" on app.vendor_moderation for insert to serasi_owner with check (true);

grant select on app.vendor_moderation to anon, authenticated;
grant update (
  badge_type, access_influencer_page, access_agencies_page, access_events_page, access_gigs_page,
  subscription_start_date, subscription_end_date
) on app.vendor_moderation to authenticated;
grant select, insert, update, delete on app.vendor_moderation to service_role;
