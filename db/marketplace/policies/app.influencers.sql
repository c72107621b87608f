-- Approved influencers are public. Only the owner and admins see an unapproved one. approved and badge_type are not granted
-- to anyone: a trigger copies them from app.moderation.
select app.reset_access('app.influencers');

-- The cheapest condition comes first, because it is true for most rows.
create policy "visitors read the approved" on app.influencers for select to anon
  using (approved);
create policy "people read the approved and their own, admins all" on app.influencers for select to authenticated
  using (approved or user_id = (select app.account_id()) or (select app.is_admin()));
create policy "their owner adds one, holding the role" on app.influencers for insert to authenticated
  with check (user_id = (select auth.uid()) and (select app.has_role('influencer')));
create policy "their owner edits" on app.influencers for update to authenticated
  using (user_id = (select auth.uid()) and (select app.has_role('influencer')))
  with check (user_id = (select auth.uid()) and (select app.has_role('influencer')));
create policy "admins delete" on app.influencers for delete to authenticated
  using ((select app.is_admin()));
-- For security definer functions, which copy approval and badge from the moderation row.
create policy "the owner of the schema reads" on app.influencers for select to serasi_owner using (true);
create policy "the owner of the schema mirrors moderation" on app.influencers for update to serasi_owner using (true);

grant select on app.influencers to anon, authenticated;
grant insert (
  user_id,
  name, username, category, bio, profile_image, cover_image, instagram_followers, tiktok_followers,
  youtube_followers, twitter_followers, instagram_link, tiktok_link, youtube_link, twitter_link, website_link, age,
  location, language, ethnicity, height, religion, services, content_posts
) on app.influencers to authenticated;
grant update (
  name, username, category, bio, profile_image, cover_image, instagram_followers, tiktok_followers,
  youtube_followers, twitter_followers, instagram_link, tiktok_link, youtube_link, twitter_link, website_link, age,
  location, language, ethnicity, height, religion, services, content_posts
) on app.influencers to authenticated;
grant delete on app.influencers to authenticated;
grant select, insert, update, delete on app.influencers to service_role;
