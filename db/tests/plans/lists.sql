-- The lists of the app's pages are read from an index for every kind of user, despite row security.
\ir ../setup.sql
\ir ../crowd.sql

create temporary table list (name text, who text[], query text, index text);
insert into list values
  ('the newest', '{visitor,verified,agency,vendor,admin}',
    'select id, name from influencers where approved order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('the newest, without the condition on approved', '{visitor}',
    'select * from influencers order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('the newest, including unapproved ones', '{agency,admin}',
    'select * from influencers order by created_at desc, id desc limit 24', 'influencers_newest_of_all'),
  ('the pending', '{admin}',
    'select * from influencers where not approved order by created_at desc, id desc limit 50', 'influencers_newest_pending'),
  ('a category', '{visitor,verified,agency,admin}',
    'select id, name from influencers where approved and category = ''Tech'' order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('a later page', '{visitor,verified,agency,admin}', $$
    select id, name from influencers where approved and created_at <= now() - interval '9 days'
      and (created_at < now() - interval '9 days' or (created_at = now() - interval '9 days' and id < gen_random_uuid()))
    order by created_at desc, id desc limit 24$$, 'influencers_newest'),
  ('one profile', '{visitor,verified,agency,admin}', format('select * from influencers where id = %L', tests.id('profile of verified')), 'influencers_pkey'),
  ('the caller''s own profile', '{verified,admin}', format('select * from influencers where user_id = %L', tests.id('verified')), 'influencers_user_id_key'),
  ('agencies', '{visitor,agency,admin}', 'select id, name from agencies order by created_at desc, id desc limit 24', 'agencies_newest'),
  ('agencies of a type', '{visitor,agency,admin}', 'select id, name from agencies where type = ''PR'' order by created_at desc, id desc limit 24', 'agencies_newest'),
  ('vendors', '{visitor,vendor,admin}', 'select id, name from vendors order by created_at desc, id desc limit 24', 'vendors_newest'),
  ('vendors of a type', '{visitor,vendor,admin}', 'select id, name from vendors where type = ''Catering'' order by created_at desc, id desc limit 24', 'vendors_newest'),
  ('gigs', '{verified,admin}', 'select * from gigs order by created_at desc, id desc limit 24', 'gigs_newest'),
  ('an agency''s gigs', '{agency,admin}',
    format('select * from gigs where agency_id = %L order by created_at desc, id desc limit 24', tests.id('profile of agency')), 'gigs_of_agency'),
  ('notices', '{verified}', format('select * from notices where user_id = %L order by created_at desc, id desc limit 24', tests.id('verified')), 'notices_of_user');

select matches(pg_temp.plan(person, query), 'Index Scan using ' || index, name || ', as ' || person) from list, unnest(who) as person;
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|Sort|SubPlan', name || ', as ' || person || ': nothing per row, nothing sorted')
from list, unnest(who) as person;

-- A user has few favorites, so sorting them is fine.
select matches(pg_temp.plan('agency', 'select influencer_id from favorites order by created_at desc, influencer_id desc'),
  'Scan (using|on) favorites_pkey', 'favorites, as agency');
select doesnt_match(pg_temp.plan('agency', 'select influencer_id from favorites order by created_at desc, influencer_id desc'),
  'Seq Scan|SubPlan', 'favorites, as agency: other accounts'' rows are not read');

-- Gigs with their agencies, and profiles with e-mail addresses, as the gateway embeds them.
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|SubPlan', name || ', as ' || person) from (values
  ('gigs with their agencies', 'verified', $$
    select gigs.id, to_jsonb(agency.*) from gigs left join lateral (
      select agencies.name, agencies.logo_url from agencies where agencies.id = gigs.agency_id) as agency on true
    order by gigs.created_at desc, gigs.id desc limit 24$$),
  ('pending profiles with their e-mails', 'admin', $$
    select influencers.id, to_jsonb(account.*) from influencers left join lateral (
      select profiles.email from profiles where profiles.id = influencers.user_id) as account on true
    where not influencers.approved order by influencers.created_at desc, influencers.id desc limit 50$$)
) as embedding (name, person, query);

select matches(pg_temp.plan('visitor', 'select count(*) from influencers'), '^((?!moderation|private).)*$', 'counting does not join');

\ir ../finish.sql
