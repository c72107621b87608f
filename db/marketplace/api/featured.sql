-- The four creators on the home page: complete profiles (picture, bio, content), ordered by badge, then newest first. If
-- there are fewer than four, the newest other profiles follow. Runs as the caller, so row security applies. Reads at most
-- eight rows, from indexes: the expression and condition must match those of the index influencers_featured.
create or replace function public.featured_influencers() returns table (
  id uuid, name text, username text, category text, profile_image text, instagram_followers text, tiktok_followers text
) language sql stable rows 4 as $$
  with complete as (
    select profile.id, profile.name, profile.username, profile.category, profile.profile_image, profile.instagram_followers,
      profile.tiktok_followers, profile.created_at,
      case profile.badge_type when 'platinum' then 1 when 'gold' then 2 when 'blue' then 3 else 4 end as place
    from public.influencers as profile
    where profile.approved and profile.profile_image <> '' and profile.bio <> '' and profile.content_posts <> '[]'
    order by place, profile.created_at desc, profile.id desc
    limit 4
  ), newest as (
    select profile.id, profile.name, profile.username, profile.category, profile.profile_image, profile.instagram_followers,
      profile.tiktok_followers, profile.created_at,
      5 as place
    from public.influencers as profile
    where profile.approved and profile.id not in (select complete.id from complete)
    order by profile.created_at desc, profile.id desc
    limit 4
  )
  select chosen.id, chosen.name, chosen.username, chosen.category, chosen.profile_image, chosen.instagram_followers,
    chosen.tiktok_followers
  from (select * from complete union all select * from newest) as chosen
  order by chosen.place, chosen.created_at desc, chosen.id desc
  limit 4
$$;

grant execute on function public.featured_influencers() to anon, authenticated, service_role;
