-- featured_influencers() returns four approved profiles, complete ones first, by badge, with the columns of the carousel.
\ir ../setup.sql
select tests.people() \gset
\ir ../../seed/bulk.sql
select pg_temp.seed_influencers(1, 20) \g /dev/null
update app.influencers set approved = false, content_posts = '[]' where true;

-- The higher the number, the older the profile.
create function pg_temp.profile(number integer, badge text, complete boolean, is_approved boolean default true) returns void language sql as $$
  update app.influencers set username = 'n' || number, badge_type = badge, approved = is_approved, created_at = now() - number * interval '1 hour',
    profile_image = '/storage/v1/object/public/images/demo/scenes/kopi.webp', bio = 'Coffee',
    content_posts = case when complete then '["/storage/v1/object/public/images/demo/scenes/kopi.webp"]' else '[]' end::jsonb
  where id = pg_temp.seed_id('profiles', number)
$$;
create function pg_temp.featured(person text) returns text language sql as $$
  select tests.reads(person, 'select string_agg(username, '' '') from featured_influencers()')
$$;

select is(pg_temp.featured('visitor'), null, 'nobody is approved');
select pg_temp.profile(1, 'platinum', true, is_approved => false), pg_temp.profile(2, 'none', false), pg_temp.profile(3, 'gold', false) \g /dev/null
select is(pg_temp.featured(person), 'n2 n3', 'without complete profiles the newest, as ' || person)
from unnest('{visitor,verified,agency,admin}'::text[]) as person;
select pg_temp.profile(4, 'none', true), pg_temp.profile(5, 'blue', true) \g /dev/null
select is(pg_temp.featured('visitor'), 'n5 n4 n2 n3', 'complete ones first, then the newest of the others');
select pg_temp.profile(6, 'gold', true), pg_temp.profile(7, 'platinum', true), pg_temp.profile(8, 'platinum', true) \g /dev/null
select is(pg_temp.featured(person), 'n7 n8 n6 n5', 'by badge, then the newest, as ' || person)
from unnest('{visitor,verified,agency,admin}'::text[]) as person;
update app.influencers set profile_image = null where username = 'n7';
update app.influencers set bio = '' where username = 'n8';
select is(pg_temp.featured('visitor'), 'n6 n5 n4 n2', 'a picture and a bio are needed');

select is(tests.reads(person, 'select string_agg(key, '' '' order by key) from (select * from featured_influencers() limit 1) as found, jsonb_object_keys(to_jsonb(found)) as key'),
  'category id instagram_followers name profile_image tiktok_followers username', 'the columns, as ' || person)
from unnest('{visitor,admin}'::text[]) as person;

\ir ../finish.sql
