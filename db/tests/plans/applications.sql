-- Lists of applications are read from an index for every kind of user, and scheduled work reads only rows that are due.
\ir ../setup.sql
\ir ../crowd.sql
do $$ begin
  perform tests.influencer('prolific', true, 'gold');
  perform set_config('session_replication_role', 'replica', true);
  insert into app.gig_applications (agency_id, gig_id, influencer_id, pitch, state, gig_title, created_at, decided_at, digested_at)
  select agency_id, gigs.id, pg_temp.seed_id('influencers', (n * 37) % 10000 + 1), 'I would love to do this.',
    (array['applied', 'applied', 'shortlisted', 'declined', 'accepted'])[1 + n % 5], title, now() - n * interval '1 minute', now(), now() - interval '2 hours'
  from (select *, row_number() over (order by id) as place from app.gigs) as gigs cross join generate_series(1, 12) as turn
  cross join lateral (select place * 12 + turn) as numbered (n)
  on conflict do nothing;
  insert into app.gig_applications (agency_id, gig_id, influencer_id, pitch, gig_title, digested_at)
  select agency_id, id, tests.id('profile of prolific'), 'I would love to do this.', title, now() from app.gigs limit 300;
  update app.gig_applications set digested_at = null where id in (select id from app.gig_applications where agency_id is not null limit 20);
  update app.gigs set closes_on = current_date + 400 where id in (select id from app.gigs limit 500);
  perform set_config('session_replication_role', 'origin', true);
end $$;
analyze app.gig_applications, app.gigs;

create temporary table list (name text, who text[], query text, index text);
insert into list values
  ('one''s own', '{prolific,admin}', format('select * from gig_applications where influencer_id = %L order by created_at desc, id desc limit 24', tests.id('profile of prolific')), 'gig_applications_of_influencer'),
  ('a gig''s', '{agency,admin}', format('select * from gig_applications where gig_id = %L order by created_at desc, id desc limit 24', tests.id('gig of agency')), 'gig_applications_of_gig'),
  ('a gig''s in one state', '{agency,admin}', format('select * from gig_applications where gig_id = %L and state = ''applied'' order by created_at desc, id desc limit 24', tests.id('gig of agency')), 'gig_applications_of_gig'),
  ('one', '{agency,prolific,admin}', format('select * from gig_applications where id = %L', tests.id('nobody')), 'gig_applications_pkey');
select matches(pg_temp.plan(person, query), 'Index Scan using ' || index, name || ', as ' || person) from list, unnest(who) as person;
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan|Sort|SubPlan', name || ', as ' || person || ': nothing per row, nothing sorted') from list, unnest(who) as person;

-- Without a filter, PostgreSQL combines the indexes of the three conditions of the policy: applicant, agency and admin.
select matches(pg_temp.plan(person, query), 'BitmapOr.*gig_applications_of_influencer.*gig_applications_of_agency.*gig_applications_pkey', query || ', as ' || person || ': from the indexes'),
  cmp_ok(pg_temp.rejected(person, query), '=', 0::bigint, query || ', as ' || person || ': nobody else''s rows are read')
from unnest('{agency,prolific,verified}'::text[]) as person cross join (values
  ('select * from gig_applications order by created_at desc, id desc limit 24'), ('select count(*) from gig_applications')) as asked (query);

-- A request for only the state of gigs: PostgreSQL inlines the function and doesn't count applications.
select doesnt_match(pg_temp.plan(person, query), 'Function Scan|gig_applications', 'the state of gigs, as ' || person)
from unnest('{agency,verified}'::text[]) as person cross join (values ($$
  select gigs.id, status.state from gigs left join lateral (select state from app.gig_status(gigs)) as status on true
  order by gigs.created_at desc, gigs.id desc limit 24$$)) as asked (query);

-- Gigs with their state and the reader's own application, as the gateway embeds them.
select doesnt_match(pg_temp.plan(person, query), 'Seq Scan', name || ', as ' || person) from (values
  ('the state of a gig', 'agency', format('select * from gig_status where gig_id = %L', tests.id('gig of agency'))),
  ('the state of a gig', 'verified', format('select * from gig_status where gig_id = %L', tests.id('gig of agency'))),
  ('gigs with the own application', 'prolific', $$
    select gigs.id, to_jsonb(own.*) from gigs left join lateral (
      select state from gig_applications where gig_id = gigs.id) as own on true
    order by gigs.created_at desc, gigs.id desc limit 24$$),
  ('applications with their applicants', 'agency', format($$
    select gig_applications.id, to_jsonb(applicant.*) from gig_applications left join lateral (
      select name, username from influencers where influencers.id = gig_applications.influencer_id) as applicant on true
    where gig_id = %L order by gig_applications.created_at desc, gig_applications.id desc limit 24$$, tests.id('gig of agency')))
) as embedding (name, person, query);

select doesnt_match(pg_temp.owner_plan(query), 'Seq Scan on gig|Sort.*gig', name) from (values
  ('places taken', format('select count(*) from app.gig_applications where gig_id = %L and state in (''accepted'', ''completed'')', tests.id('gig of agency'))),
  ('applications of a day', format('select from app.gig_applications where influencer_id = %L ', tests.id('profile of prolific'))),
  ('gigs that close soon', 'select * from app.gigs where reminded_for is distinct from closes_on and closes_on >= now()::date and closes_on < (now() + interval ''48 hours'')::date order by closes_on limit 20'),
  ('gigs that have closed', 'select * from app.gigs where closed_for is distinct from closes_on and closes_on < now()::date order by closes_on limit 20'),
  ('agencies with new applicants', $$
    select agencies.* from app.agencies join app.profiles on profiles.id = agencies.user_id
    where agencies.id in (select agency_id from app.gig_applications where digested_at is null)
      and not exists (select from app.gig_applications where agency_id = agencies.id and digested_at > now() - interval '1 hour')
    limit 50$$)
) as lookup (name, query);
\ir ../finish.sql
