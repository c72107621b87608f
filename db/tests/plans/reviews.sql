-- Lists ordered by rating, and lists of reviews and collaborations, are read from an index for every kind of user.
\ir ../setup.sql
\ir ../crowd.sql

do $$ begin
  perform set_config('session_replication_role', 'replica', true);
  -- Each generated agency works with three influencers. The people of the matrix have more collaborations.
  insert into app.collaborations (source, title, influencer_id, client_user_id, agency_id, state, influencer_completed_at, completed_at)
  select 'enquiry', 'Reel', influencer.id, agency.user_id, agency.id, 'completed', now(), now() - interval '1 day'
  from (select id, user_id, row_number() over (order by id) as n from app.agencies) as agency
  cross join generate_series(0, 2) as step
  join (select id, row_number() over (order by id) as n from app.influencers) as influencer on influencer.n = agency.n * 3 + step;
  insert into app.collaborations (source, title, influencer_id, client_user_id, agency_id, created_at)
  select 'application', 'Reel', tests.id('profile of verified'), tests.id('agency'), tests.id('profile of agency'), now() - n * interval '1 minute'
  from generate_series(1, 60) as n;
  insert into app.reviews (collaboration_id, influencer_id, agency_id, author_id, author_key, side, rating, text, publish_at, published_at)
  select id, influencer_id, agency_id, client_user_id, client_user_id, side, 4, 'It was good to work together.', now(),
    case when side = 'client' then completed_at - (random() * interval '30 days') end
  from app.collaborations cross join unnest('{client,influencer}'::text[]) as side
  where state = 'completed' and title = 'Reel';
  insert into app.reviews (collaboration_id, influencer_id, agency_id, author_key, side, rating, text, publish_at, published_at)
  select id, influencer_id, agency_id, id, 'client', 4, 'It was good to work together.', now(), created_at
  from app.collaborations where state = 'accepted' and title = 'Reel';
  update app.influencers set review_count = 3, rating_sum = 3 + abs(hashtext(username)) % 13 where hashtext(id::text) & 7 = 1;
  update app.agencies set review_count = 3, rating_sum = 13 where hashtext(id::text) & 7 = 1;
  perform set_config('session_replication_role', 'origin', true);
end $$;
analyze app.collaborations, app.reviews, app.influencers, app.agencies;
update auth.settings set statistics_at = null;
select app.tick_statistics() \g /dev/null

create temporary table list (name text, who text[], query text, index text);
insert into list values
  ('best rated', '{visitor,verified,agency,admin}',
    'select id, name from influencers where approved order by rating desc nulls last, created_at desc, id desc limit 24', 'influencers_best_rated'),
  ('best rated agencies', '{visitor,verified,agency,admin}',
    'select id, name from agencies order by rating desc nulls last, created_at desc, id desc limit 24', 'agencies_best_rated'),
  ('reviews of a profile', '{visitor,verified,agency,admin}', format($$
    select * from reviews where influencer_id = %L and side = 'client' and published_at is not null
    order by published_at desc, id desc limit 10$$, tests.id('profile of verified')), 'reviews_of_influencer'),
  ('reviews of an agency', '{visitor,verified,agency,admin}', format($$
    select * from reviews where agency_id = %L and side = 'influencer' and published_at is not null
    order by published_at desc, id desc limit 10$$, tests.id('profile of agency')), 'reviews_of_agency'),
  ('the newest reviews', '{visitor}',
    'select * from reviews where published_at is not null order by published_at desc, id desc limit 24', 'reviews_newest'),
  ('reviews of a collaboration', '{visitor,verified,agency,admin}', format('select * from reviews where collaboration_id = %L', tests.id('reviewed')), 'reviews_one_per_side');
select matches(pg_temp.plan(person, query), 'Index Scan using ' || index, name || ', as ' || person) from list, unnest(who) as person;
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|Sort|SubPlan', name || ', as ' || person || ': nothing per row, nothing sorted')
from list, unnest(who) as person;

-- Filters by rating: few profiles have the best rating, most have one.
select matches(pg_temp.plan(person, query), 'Scan (using|on) ' || index, query || ', as ' || person),
  doesnt_match(pg_temp.plan(person, query), 'Seq Scan|SubPlan', query || ', as ' || person || ': nothing per row')
from unnest('{visitor,verified,agency,admin}'::text[]) as person cross join (values
  ('select id, name from influencers where approved and rating >= 4.99 order by created_at desc, id desc limit 24', 'influencers_best_rated'),
  ('select id, name from influencers where approved and rating >= 4 order by rating desc nulls last, created_at desc, id desc limit 24', 'influencers_best_rated'),
  ('select id, name from influencers where approved and review_count >= 3 order by rating desc nulls last, created_at desc, id desc limit 24', 'influencers_best_rated'),
  ('select id, name from agencies where rating >= 4.9 order by created_at desc, id desc limit 24', 'agencies_best_rated')) as filtered (query, index);

-- The reader's own collaborations with both names and addresses. There are few, so sorting them is fine.
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|SubPlan', 'collaborations, as ' || person),
  matches(pg_temp.plan(person, query), 'collaborations_of_', 'collaborations, from an index, as ' || person),
  cmp_ok(pg_temp.rejected(person, query), '<', 50::bigint, 'collaborations, few rows are read in vain, as ' || person)
from unnest('{verified,agency,vendor,admin}'::text[]) as person
cross join (values ('select * from collaborations order by created_at desc, id desc limit 24')) as mine (query);

-- Publishing a review reads only the rows that it changes, however many reviews the profile has.
select matches(pg_temp.owner_plan(query), 'Index Scan using ' || index, 'the review that counted before: ' || index) from (values
  (format('update app.reviews set counted = false where influencer_id = %L and author_key = ''x'' and counted and side = ''client''', tests.id('profile of verified')), 'reviews_counted_of_influencer'),
  (format('update app.reviews set counted = false where agency_id = %L and author_key = ''x'' and counted and side = ''influencer''', tests.id('profile of agency')), 'reviews_counted_of_agency')) as changes (query, index);
select matches(pg_temp.owner_plan(query), 'Index (Only )?Scan using ' || index, 'the schedule: ' || index) from (values
  ('select id from app.reviews where published_at is null and publish_at <= now() - interval ''1 day'' order by publish_at limit 50', 'reviews_to_publish'),
  ('select id from app.collaborations where state = ''accepted'' and least(influencer_completed_at, client_completed_at) <= now() - interval ''7 days''
    order by least(influencer_completed_at, client_completed_at) limit 50', 'collaborations_half_completed')) as due (query, index);

\ir ../finish.sql
