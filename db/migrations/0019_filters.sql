-- Filters in any combination, measured at a million influencers: `cargo xtask bench lists`.
set local role serasi_owner;

-- One small index for each filter, and PostgreSQL intersects those that a request names: a combination that
-- nobody matches costs milliseconds. None of them says `where approved`: indexes with a condition in common
-- are never combined.
drop index app.influencers_newest_of_language, app.influencers_newest_of_ethnicity, app.influencers_newest_of_badge,
  app.influencers_age, app.influencers_instagram_followers, app.influencers_tiktok_followers,
  app.influencers_youtube_followers, app.influencers_twitter_followers;
create index influencers_category on app.influencers (category);
create index influencers_language on app.influencers (language);
create index influencers_ethnicity on app.influencers (ethnicity);
create index influencers_badge_type on app.influencers (badge_type);
create index influencers_age on app.influencers (age);
create index influencers_instagram_followers on app.influencers (instagram_followers_count);
create index influencers_tiktok_followers on app.influencers (tiktok_followers_count);
create index influencers_youtube_followers on app.influencers (youtube_followers_count);
create index influencers_twitter_followers on app.influencers (twitter_followers_count);

-- A list of the pairs that occur: then nobody is expected where there is nobody. Over more columns the list
-- is too long to be complete.
drop statistics app.influencers_people;
create statistics app.influencers_community (mcv) on language, ethnicity from app.influencers;
-- The few with very many followers, and the letters that few names have, are lost in a short histogram.
alter table app.influencers
  alter instagram_followers_count set statistics 300, alter tiktok_followers_count set statistics 300,
  alter youtube_followers_count set statistics 300, alter twitter_followers_count set statistics 300,
  alter name set statistics 500, alter username set statistics 500;

-- New rows wait in a list that every search reads to its end: a short one.
alter index app.influencers_search set (gin_pending_list_limit = 256);
alter index app.agencies_search set (gin_pending_list_limit = 256);
alter index app.vendors_search set (gin_pending_list_limit = 256);

reset role;

-- A search compares thousands of rows, and a search_path of its own doubled the time of each comparison.
-- Every name is qualified instead, so that nobody's search_path matters. The cost is what PostgreSQL is to
-- reckon with: less than the 100 of just any function.
create or replace function app.label_like(value app.label, pattern app.label) returns boolean
language plpgsql immutable strict parallel safe leakproof cost 40 as $$
begin
  return (pg_catalog.right(pattern, 1) operator(pg_catalog.<>) E'\\'
      or (pg_catalog.length(pattern) operator(pg_catalog.-) pg_catalog.length(pg_catalog.rtrim(pattern, E'\\')))
        operator(pg_catalog.%) 2 operator(pg_catalog.=) 0)
    and value::pg_catalog.text operator(pg_catalog.~~) pattern::pg_catalog.text;
end $$;

create or replace function app.label_ilike(value app.label, pattern app.label) returns boolean
language plpgsql immutable strict parallel safe leakproof cost 40 as $$
begin
  return (pg_catalog.right(pattern, 1) operator(pg_catalog.<>) E'\\'
      or (pg_catalog.length(pattern) operator(pg_catalog.-) pg_catalog.length(pg_catalog.rtrim(pattern, E'\\')))
        operator(pg_catalog.%) 2 operator(pg_catalog.=) 0)
    and value::pg_catalog.text operator(pg_catalog.~~*) pattern::pg_catalog.text;
end $$;

-- How the gateway's login plans, whosever server it is: the data are in memory or on a disk without arms,
-- pages are small, and another process helps only those who count a large part of the table.
alter role authenticator set random_page_cost = 1.1;
alter role authenticator set jit = off;
alter role authenticator set parallel_setup_cost = 20000;
