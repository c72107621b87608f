-- Influencers: what they show, and what nobody else may read. What admins decide is in app.moderation (10_admins.sql).
set local role serasi_owner;

create table app.influencers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  name app.label not null,
  username app.label not null,
  category app.label not null,
  bio text,
  profile_image text,
  cover_image text,
  instagram_followers text,
  tiktok_followers text,
  youtube_followers text,
  twitter_followers text,
  instagram_link text,
  tiktok_link text,
  youtube_link text,
  twitter_link text,
  website_link text,
  age integer,
  location app.label,
  language text,
  ethnicity text,
  height text,
  religion text,
  services jsonb not null default '[]',
  content_posts jsonb not null default '[]',
  created_at timestamptz not null default now(),
  approved boolean not null default false,
  badge_type text not null default 'none',
  verified boolean generated always as (badge_type <> 'none') stored,
  instagram_followers_count bigint generated always as (app.follower_count(instagram_followers)) stored,
  tiktok_followers_count bigint generated always as (app.follower_count(tiktok_followers)) stored,
  youtube_followers_count bigint generated always as (app.follower_count(youtube_followers)) stored,
  twitter_followers_count bigint generated always as (app.follower_count(twitter_followers)) stored,
  review_count integer not null default 0,
  rating_sum integer not null default 0,
  -- `double precision`, because the comparison of `numeric` is not leakproof: under row security it could use no index.
  rating double precision generated always as (
    case when review_count >= 3 then round(rating_sum::numeric / review_count, 2)::double precision end) stored,
  constraint influencers_user_id_key unique (user_id),
  constraint influencers_name_required check (btrim(name) <> ''),
  constraint influencers_name_max_100 check (char_length(name) <= 100),
  constraint influencers_username_required check (btrim(username) <> ''),
  constraint influencers_username_max_50 check (char_length(username) <= 50),
  constraint influencers_category_required check (btrim(category) <> ''),
  constraint influencers_category_max_50 check (char_length(category) <= 50),
  constraint influencers_bio_max_500 check (char_length(bio) <= 500),
  constraint influencers_profile_image_url check (app.is_image_url(profile_image)),
  constraint influencers_cover_image_url check (app.is_image_url(cover_image)),
  constraint influencers_instagram_followers_max_30 check (char_length(instagram_followers) <= 30),
  constraint influencers_tiktok_followers_max_30 check (char_length(tiktok_followers) <= 30),
  constraint influencers_youtube_followers_max_30 check (char_length(youtube_followers) <= 30),
  constraint influencers_twitter_followers_max_30 check (char_length(twitter_followers) <= 30),
  constraint influencers_instagram_link_url check (app.is_web_link(instagram_link)),
  constraint influencers_tiktok_link_url check (app.is_web_link(tiktok_link)),
  constraint influencers_youtube_link_url check (app.is_web_link(youtube_link)),
  constraint influencers_twitter_link_url check (app.is_web_link(twitter_link)),
  constraint influencers_website_link_url check (app.is_web_link(website_link)),
  constraint influencers_age_plausible check (age between 0 and 150),
  constraint influencers_location_max_100 check (char_length(location) <= 100),
  constraint influencers_language_max_50 check (char_length(language) <= 50),
  constraint influencers_ethnicity_max_50 check (char_length(ethnicity) <= 50),
  constraint influencers_height_max_50 check (char_length(height) <= 50),
  constraint influencers_religion_max_50 check (char_length(religion) <= 50),
  constraint influencers_visible_text check (app.is_one_line(name, username, category, location, language, ethnicity, height, religion)),
  constraint influencers_services_shape check (app.is_service_list(services)),
  constraint influencers_content_posts_shape check (app.is_post_list(content_posts)),
  constraint influencers_content_posts_max_8 check (jsonb_typeof(content_posts) <> 'array' or jsonb_array_length(content_posts) <= 8),
  constraint influencers_visible_details check (
    app.members_are_one_line(services, 'title', 'name', 'price') and app.members_are_one_line(content_posts, 'title')
    and app.is_one_line(instagram_followers, tiktok_followers, youtube_followers, twitter_followers)),
  constraint influencers_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum')),
  constraint influencers_rating_sum_of_reviews check (rating_sum between review_count and 5 * review_count)
);
-- Lists: the newest first, the id decides between equals.
create index influencers_newest on app.influencers (created_at desc, id desc) where approved;
create index influencers_newest_pending on app.influencers (created_at desc, id desc) where not approved;
create index influencers_newest_of_all on app.influencers (created_at desc, id desc);
create unique index influencers_username_key on app.influencers (lower(username));
create index influencers_newest_of_category on app.influencers (category, created_at desc, id desc) where approved;
-- Without a list of pending entries: a search reads it in each of its scans, and a search for close matches scans the index
-- up to 80 times. Writing is not slower without the list.
create index influencers_search on app.influencers using gin (
  name app.label_trigrams, username app.label_trigrams, category app.label_trigrams, location app.label_trigrams) with (fastupdate = off);
-- One small index for each filter. PostgreSQL intersects those that a request names: a combination that nobody matches costs
-- milliseconds. None of them says `where approved`: indexes with a condition in common are never combined.
create index influencers_category on app.influencers (category);
create index influencers_ethnicity on app.influencers (ethnicity);
create index influencers_badge_type on app.influencers (badge_type);
create index influencers_age on app.influencers (age);
create index influencers_instagram_followers on app.influencers (instagram_followers_count);
create index influencers_tiktok_followers on app.influencers (tiktok_followers_count);
create index influencers_youtube_followers on app.influencers (youtube_followers_count);
create index influencers_twitter_followers on app.influencers (twitter_followers_count);
-- The policy compares user_id: with it, rows are counted from the index alone.
create index influencers_by_name on app.influencers (approved, name, id) include (user_id);
-- The order in which complete profiles are featured: by badge, then the newest first. `featured_influencers()` repeats the
-- expression and the condition word for word.
create index influencers_featured on app.influencers (
  (case badge_type when 'platinum' then 1 when 'gold' then 2 when 'blue' then 3 else 4 end), created_at desc, id desc)
  where approved and profile_image <> '' and bio <> '' and content_posts <> '[]';
-- For the order and for the filter. Not partial, like all indexes of filters.
create index influencers_best_rated on app.influencers (rating desc nulls last, created_at desc, id desc);
-- Finds the pairs of a language and an ethnicity that nobody has.
create index influencers_language on app.influencers (language, ethnicity, created_at desc, id desc);
-- Rare values, which a short histogram loses: very many followers, letters that few names have.
alter table app.influencers
  alter name set statistics 500, alter username set statistics 500,
  alter instagram_followers_count set statistics 300, alter tiktok_followers_count set statistics 300,
  alter youtube_followers_count set statistics 300, alter twitter_followers_count set statistics 300;

create table app.influencer_private (
  user_id uuid primary key references app.influencers (user_id) on delete cascade on update cascade,
  payment_info jsonb,
  date_of_birth date,
  constraint influencer_private_payment_info_shape check (app.is_payment_info(payment_info)),
  constraint influencer_private_visible_payment_info check (app.members_are_one_line(payment_info, 'bank_name', 'account_number', 'account_holder', 'paypal_email')),
  constraint influencer_private_date_of_birth_from_1900 check (date_of_birth >= '1900-01-01'),
  -- A day's grace: it is already tomorrow in Malaysia when the server's day ends.
  constraint influencer_private_date_of_birth_not_future check (date_of_birth <= current_date + 1)
);
