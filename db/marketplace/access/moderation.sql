-- Admins' decisions about profiles. The owner and admins read them, and admins write them.
-- Internal: kind.
select serasi.reset_access('app.moderation');

-- `select=*` on the views requires the privilege. Without a policy, PostgreSQL 15 would read the whole table to find nothing.
create policy "visitors read none" on app.moderation for select to anon
  using (user_id is null);
create policy "their owner and admins read" on app.moderation for select to authenticated
  using (user_id = (select app.account_id()) or (select app.is_admin()));
create policy "admins decide" on app.moderation for update to authenticated
  using ((select app.is_admin())) with check ((select app.is_admin()));

grant select on app.moderation to anon, authenticated;
grant update (
  approved, badge_type, access_influencer_page, access_agencies_page, access_events_page, access_gigs_page,
  subscription_start_date, subscription_end_date
) on app.moderation to authenticated;
grant select, update, delete on app.moderation to service_role;
