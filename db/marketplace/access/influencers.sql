-- Approved influencers are public. Only the owner and admins see an unapproved one. approved and badge_type are not granted
-- to anyone: a trigger copies them from app.moderation.
select serasi.reset_access('app.influencers');

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

grant select on app.influencers to anon, authenticated;
grant insert (user_id), delete on app.influencers to authenticated;
select serasi.grant_editing('
  name, username, category, bio, profile_image, cover_image, instagram_followers, tiktok_followers,
  youtube_followers, twitter_followers, instagram_link, tiktok_link, youtube_link, twitter_link, website_link, age,
  location, language, ethnicity, height, religion, services, content_posts', 'app.influencers');
grant select, insert, update, delete on app.influencers to service_role;

-- The specification's influencer record, joined from three tables. Columns of the moderation and the private row are null
-- for callers who can't read that row. INSTEAD OF triggers (profiles.sql) write to the base tables.
-- Internal: rating_sum.
create or replace view public.influencers with (security_invoker = true) as
select
  p.id, p.user_id, p.name, p.username, p.category, p.bio, p.profile_image, p.cover_image, p.instagram_followers,
  p.tiktok_followers, p.youtube_followers, p.twitter_followers, p.instagram_link, p.tiktok_link, p.youtube_link,
  p.twitter_link, p.website_link, p.verified, p.approved, p.badge_type, p.age, p.location, p.language, p.ethnicity,
  p.height, p.religion, p.services, p.content_posts, own.payment_info, own.date_of_birth, m.access_influencer_page,
  m.access_agencies_page, m.access_events_page, m.access_gigs_page, m.subscription_start_date, m.subscription_end_date,
  p.created_at, p.instagram_followers_count, p.tiktok_followers_count, p.youtube_followers_count,
  p.twitter_followers_count,
  p.rating, p.review_count
from app.influencers as p
left join app.moderation as m on m.user_id = p.user_id and m.kind = 'influencer'
left join app.influencer_private as own on own.user_id = p.user_id;

alter view public.influencers alter column user_id set default auth.uid();

create or replace trigger write_profile instead of insert or update or delete on public.influencers
  for each row execute function app.write_profile('app.influencers', 'influencer', 'app.influencer_private');

grant select on public.influencers to anon;
grant select, insert, update, delete on public.influencers to authenticated, service_role;
