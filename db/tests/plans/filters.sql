-- Filters of the search screens use an index each. A combination that matches nobody uses two, and for a common value only
-- the rows of a page are read.
\ir ../setup.sql
\ir ../crowd.sql

create temporary table filter (name text, condition text, index text);
insert into filter values
  ('an industry', 'category = ''Finance''', 'influencers_newest_of_category'),
  ('a badge', 'badge_type = ''gold''', 'influencers_newest'),
  ('no badge', 'badge_type = ''none''', 'influencers_newest'),
  ('a common language', 'language = ''English''', 'influencers_newest'),
  ('a language without rows', 'language = ''Portuguese''', 'influencers_language'),
  ('a common ethnicity', 'ethnicity = ''Malay''', 'influencers_newest'),
  ('a rare ethnicity', 'ethnicity = ''Murut''', 'influencers_ethnicity'),
  ('an ethnicity without rows', 'ethnicity = ''Caucasian''', 'influencers_ethnicity'),
  ('a language and an ethnicity without common rows', 'language = ''Hindi'' and ethnicity = ''Malay''', 'influencers_(language|ethnicity)'),
  ('an age range', 'age >= 58 and age <= 60', 'influencers_age'),
  ('an age range, or no age', '(age is null or (age >= 58 and age <= 60))', 'influencers_newest'),
  ('all ages', 'age >= 18 and age <= 60', 'influencers_newest'),
  ('few followers', 'instagram_followers_count >= 0 and instagram_followers_count <= 5000', 'influencers_newest'),
  ('very many followers on Instagram', 'instagram_followers_count >= 5000000', 'influencers_instagram_followers'),
  ('very many followers on TikTok', 'tiktok_followers_count >= 9000000', 'influencers_tiktok_followers'),
  ('very many followers on YouTube', 'youtube_followers_count >= 2000000', 'influencers_youtube_followers'),
  ('very many followers on Twitter', 'twitter_followers_count >= 500000', 'influencers_twitter_followers'),
  ('a rare location', '(location ilike ''%kapit%'')', 'influencers_search'),
  ('a location without rows', '(location ilike ''%bangkok%'')', 'influencers_search'),
  ('a common location', '(location ilike ''%kuala%'')', 'influencers_newest'),
  ('all filters together', $$
    category = 'Food' and language = 'Hindi' and ethnicity = 'Indian' and badge_type = 'gold' and (location ilike '%johor%')
    and tiktok_followers_count >= 100000 and tiktok_followers_count <= 500000 and age >= 20 and age <= 30
    and (name ilike '%priya%' or username ilike '%priya%' or category ilike '%priya%')$$, 'influencers_');

create temporary view asked as
select name || ', as ' || person as what, person, index,
  'select id, name, username, category, location from influencers where approved and ' || condition
    || ' order by created_at desc, id desc limit 24' as query
from filter cross join unnest('{visitor,verified,agency,admin}'::text[]) as person;

select matches(pg_temp.plan(person, query), 'Scan (using|on) ' || index, what) from asked;
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|SubPlan', what || ': nothing per row') from asked;
-- At most a tenth of all rows are read and filtered out, however few match.
select cmp_ok(pg_temp.rejected(person, query), '<', 1000::bigint, what || ': few rows are read in vain') from asked;

-- The count that the page shows as `Found N`.
select doesnt_match(
  pg_temp.plan('visitor', 'select 1 from influencers where approved and ' || condition), 'SubPlan|moderation|private', name || ': counted without a join')
from filter;

-- Indexes for filters must not be partial, because PostgreSQL doesn't combine two indexes with the same condition.
select is_empty($$
  select indexrelid::regclass from pg_index
  join pg_attribute on attrelid = indrelid and attnum = indkey[0]
  where indrelid = 'app.influencers'::regclass and indpred is not null and attname not in ('created_at', 'category')
$$, 'no filter''s index is partial');

\ir ../finish.sql
