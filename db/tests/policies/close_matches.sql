-- search_close_influencers() tolerates typos and returns only approved profiles, with the columns of a card.
\ir ../setup.sql
select tests.people() \gset

update app.influencers set name = 'Kavitha Mojuntin', username = 'kavitha.m', location = 'Lahad Datu', bio = 'Harvests seaweed'
  where user_id = tests.id('approved');
update app.influencers set name = 'Kavitha Mojuntin', username = 'kavitha.hidden', location = 'Lahad Datu', bio = 'Harvests seaweed'
  where user_id = tests.id('unapproved');

create function pg_temp.close_to(person text, query text) returns text language sql as $$
  select tests.reads(person, format('select string_agg(username, '' '' order by username) from search_close_influencers(%L)', query))
$$;

select is(pg_temp.close_to(person, query), 'kavitha.m', format('%s finds the approved one, as %s', query, person))
from unnest('{visitor,unapproved,agency,admin}'::text[]) as person,
  unnest('{kavtha,kavithaa,kavihta,akvitha,mojuntn,KAVITHA,lahat,seaweed}'::text[]) as query;
select is(pg_temp.close_to('visitor', query), null, format('%L finds nothing', left(query, 20)))
from unnest(array['', ' ', 'ka', '%%%', '\\\', '___', 'zzzzzz', 'her seaweedless farming', repeat(' ', 100) || 'kavitha', repeat('k', 10000)]) as query;
select is(tests.reads('visitor', 'select count(*) from search_close_influencers(null)'), '0', 'null finds nothing');

-- The columns of a card and no private ones, for any caller.
select is(tests.reads(person, 'select string_agg(key, '' '' order by key) from search_close_influencers(''kavtha'') as found, jsonb_object_keys(to_jsonb(found)) as key'),
  'badge_type bio category id instagram_followers location name profile_image tiktok_followers twitter_followers username youtube_followers',
  'the columns, as ' || person)
from unnest('{visitor,approved,admin}'::text[]) as person;

-- At most eight profiles, best matches first.
\ir ../../seed/bulk.sql
select pg_temp.seed_influencers(1, 300) \g /dev/null
update app.influencers set location = 'Lahad Datu' where approved;
select is(tests.reads('visitor', 'select count(*) from search_close_influencers(''lahat'')'), '8', 'at most eight');
-- A piece of a word yields any 100 matching rows, so leave fewer matches than that.
update app.influencers set location = 'Ipoh' where username <> 'kavitha.m'
  and id not in (select id from app.influencers where approved order by username limit 80);
select is(tests.reads('visitor', 'select username from search_close_influencers(''kavtha lahat'') limit 1'), 'kavitha.m', 'the closest first');

\ir ../finish.sql
