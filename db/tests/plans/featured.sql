-- The featured creators are read from an index for every kind of user, however many profiles are complete.
\ir ../setup.sql
\ir ../crowd.sql

create function pg_temp.complete(every integer) returns void language sql as $$
  update app.influencers set profile_image = '/storage/v1/object/public/images/demo/scenes/kopi.webp', bio = 'Coffee',
    content_posts = '["/storage/v1/object/public/images/demo/scenes/kopi.webp"]'
  where id in (select pg_temp.seed_id('profiles', n * every) from generate_series(1, 10000 / every) as n)
$$;
-- The first query of public.featured_influencers().
create temporary view featured as select $$
  select profile.id from influencers as profile
  where profile.approved and profile.profile_image <> '' and profile.bio <> '' and profile.content_posts <> '[]'
  order by case profile.badge_type when 'platinum' then 1 when 'gold' then 2 when 'blue' then 3 else 4 end, profile.created_at desc, profile.id desc
  limit 4$$ as query;
-- The first call also reads the catalog, so only the second one counts.
create function pg_temp.pages(person text) returns integer language sql as $$
  select pg_temp.plan(person, 'select from featured_influencers()');
  select sum(pages[1]::integer) from (select tests.reads(person, 'select count(*) from featured_influencers()')) as warm,
    regexp_matches(pg_temp.plan(person, 'select from featured_influencers()', 'analyze, buffers, costs off, timing off, summary off'), 'shared hit=(\d+)') as pages
$$;

select pg_temp.complete(every) from (values (50)) as few (every) \g /dev/null
analyze app.influencers;
select matches(pg_temp.plan(person, query), 'Index (Only )?Scan using influencers_featured', 'few are complete, as ' || person)
from featured, unnest('{visitor,verified,agency,admin}'::text[]) as person;
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|Sort|SubPlan', 'few are complete, as ' || person || ': nothing sorted')
from featured, unnest('{visitor,verified,agency,admin}'::text[]) as person;
select cmp_ok(pg_temp.pages(person), '<', 300, 'few are complete, as ' || person || ': few pages are read')
from unnest('{visitor,verified,agency,admin}'::text[]) as person;

select pg_temp.complete(1) \g /dev/null
analyze app.influencers;
select matches(pg_temp.plan(person, query), 'Index (Only )?Scan using influencers_featured', 'all are complete, as ' || person)
from featured, unnest('{visitor,verified,agency,admin}'::text[]) as person;
select cmp_ok(pg_temp.pages(person), '<', 300, 'all are complete, as ' || person || ': few pages are read')
from unnest('{visitor,verified,agency,admin}'::text[]) as person;

\ir ../finish.sql
