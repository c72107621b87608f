-- The screens' lists are read from an index, as whoever reads them: row security must not get in the way.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

create temporary table crowd as select gen_random_uuid() as id, n from generate_series(1, 3000) as n;
insert into auth.users (id, email, raw_user_meta_data) select id, n || '@example.test', '{"user_type": "influencer"}' from crowd;
insert into app.influencers (user_id, name, username, category, approved, created_at)
select id, 'N' || n, 'n' || n, (array['Tech', 'Food', 'Travel'])[1 + n % 3], n % 10 > 0, now() - n * interval '1 hour' from crowd;
insert into app.gigs (agency_id, title, description, created_at) select tests.id('profile of agency'), 'T', 'D', now() - n * interval '1 hour' from crowd;
analyze app.influencers, app.influencer_moderation, app.gigs;

create function pg_temp.plan(person text, query text) returns text language plpgsql as $$
declare
  line text;
  plan text := '';
begin
  perform tests.become(person);
  for line in execute 'explain (costs off) ' || query loop
    plan := plan || line || E'\n';
  end loop;
  perform tests.step_down();
  return plan;
end $$;

create temporary table list (name text, who text, query text, index text);
insert into list values
  ('the newest', 'visitor', 'select * from influencers order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('the newest', 'agency', 'select * from influencers where approved order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('the newest of all', 'admin', 'select * from influencers order by created_at desc, id desc limit 24', 'influencers_newest_of_all'),
  ('the pending', 'admin', 'select * from influencers where not approved order by created_at desc, id desc limit 24', 'influencers_newest_pending'),
  ('a category', 'visitor', 'select * from influencers where category = ''Tech'' order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('a page further on', 'visitor', 'select * from influencers where created_at <= now() - interval ''9 days'' order by created_at desc, id desc limit 24', 'influencers_newest'),
  ('one''s own', 'verified', format('select * from influencers where user_id = %L', tests.id('verified')), 'influencers_user_id_key'),
  ('gigs', 'verified', 'select * from gigs order by created_at desc, id desc limit 24', 'gigs_newest'),
  ('an agency''s gigs', 'agency', format('select * from gigs where agency_id = %L order by created_at desc, id desc limit 24', tests.id('profile of agency')), 'gigs_');

select matches(pg_temp.plan(who, query), 'Index Scan using ' || index, name || ', as ' || who) from list;
select doesnt_match(pg_temp.plan(who, query), 'Seq Scan on influencers|Seq Scan on gigs|Sort|SubPlan', name || ', as ' || who || ': nothing per row, nothing sorted') from list;
select matches(pg_temp.plan('visitor', 'select count(*) from influencers'), '^((?!moderation|private).)*$', 'counting does not join');

\ir ../finish.sql
