-- A change can affect thousands of people, such as a gig that closes or an account that is deleted. Its transaction notifies
-- the first fifty, and the schedule notifies the others.
\ir ../setup.sql
do $$
begin
  perform tests.people();
  delete from app.gig_applications;
  delete from app.enquiry_briefs;
  delete from app.notices;
  delete from serasi.mail_outbox;
  perform tests.influencer('applicant ' || n, true, 'gold') from generate_series(1, 4) as n;
  insert into app.gigs (id, agency_id, title, description)
  select tests.id('gig ' || n), tests.id('profile of agency'), 'Gig', 'D' from generate_series(1, 4) as n;
end $$;

-- Lets this transaction notify `number` more people.
create function pg_temp.allow(number integer) returns void language sql as $$
  select set_config('app.told_at_once', (50 - number)::text, true)
$$;
create function pg_temp.apply(gig text) returns void language sql as $$
  insert into app.gig_applications (id, gig_id, influencer_id, pitch, state, decided_at, digested_at)
  select tests.id('of ' || n || ' for ' || gig), tests.id(gig), tests.id('profile of applicant ' || n), 'I would love to host this festival.',
    case n when 4 then 'declined' else 'shortlisted' end, now(), now() from generate_series(1, 4) as n
$$;
-- The notifications since the last call.
create function pg_temp.told() returns text language plpgsql as $$
declare
  said constant text := coalesce((
    select string_agg(concat_ws(' ', split_part(email, '@', 1), kind, data ->> 'state'), ', ' order by email, kind)
    from app.notices join app.profiles on profiles.id = user_id where subject_id is not null), 'nobody');
begin
  delete from app.notices;
  delete from serasi.mail_outbox;
  return said;
end $$;
create function pg_temp.tick() returns text language plpgsql as $$
begin
  perform tests.become('functions');
  if app.tick() <> '{}' then raise 'the schedule failed'; end if;
  perform tests.step_down();
  return pg_temp.told();
end $$;
create function pg_temp.waiting() returns bigint language sql as $$
  select (select count(*) from app.gig_applications where untold is not null) + (select count(*) from app.collaborations where untold is not null)
$$;
-- The applicant who is notified first: the one with the lowest application ID.
create function pg_temp.first_of(gig text) returns text language sql as $$
  select replace(split_part(name, ' for', 1), 'of ', 'applicant ') from unnest(array['of 1 for ' || gig, 'of 2 for ' || gig, 'of 3 for ' || gig]) as name order by tests.id(name) limit 1
$$;

select is(app.notices_left(), 50, 'TL-1 a transaction tells fifty people');
select app.count_notices(20) \g /dev/null
select app.count_notices(10) \g /dev/null
select is(app.notices_left(), 20, 'TL-1 of which it counts those that it told');

-- A deleted gig.
select pg_temp.apply('gig 1') \g /dev/null
select pg_temp.allow(1) \g /dev/null
delete from app.gigs where id = tests.id('gig 1');
select is(pg_temp.told(), replace(pg_temp.first_of('gig 1'), 'applicant ', 'applicant.') || ' gig_closed removed', 'TL-2 the first is told at once');
select is((select array_agg(distinct concat_ws(' ', state, untold)) from app.gig_applications), '{declined,shortlisted,"shortlisted removed"}', 'TL-2 two wait, not who was declined');
select is_empty('select from app.gig_applications where gig_id is not null or agency_id is null', 'TL-2 the agency keeps the applications');
select is(pg_temp.tick(), (select string_agg('applicant.' || n || ' gig_closed removed', ', ' order by n) from generate_series(1, 3) as n
  where 'applicant ' || n <> pg_temp.first_of('gig 1')), 'TL-2 the schedule tells the others');
select is(pg_temp.tick(), 'nobody', 'TL-2 once');

-- A full or closed gig.
select pg_temp.apply('gig 2') \g /dev/null
select pg_temp.allow(0) \g /dev/null
select app.tell_gig_closed(tests.id('gig 2'), 'closed') \g /dev/null
select is(pg_temp.told(), 'nobody', 'TL-3 nobody is told at once');
select is(pg_temp.waiting(), 3::bigint, 'TL-3 three wait');
update app.gigs set places = 1 where id = tests.id('gig 2');
update app.gig_applications set state = 'accepted' where id = tests.id('of 1 for gig 2');
update app.gig_applications set state = 'withdrawn' where id = tests.id('of 2 for gig 2');
select is(pg_temp.tick(), 'applicant.3 gig_closed closed', 'TL-3 those whose application is no longer open need not be told');
select is(pg_temp.waiting(), 0::bigint, 'TL-3 nobody waits');
select app.tell_gig_closed(tests.id('gig 2'), 'full') \g /dev/null
update app.gigs set places = 2 where id = tests.id('gig 2');
select is(pg_temp.tick(), 'nobody', 'TL-3 nor those whose gig is open again');
select is(pg_temp.waiting(), 0::bigint, 'TL-3 nobody waits then');
select pg_temp.allow(50) \g /dev/null
select app.tell_gig_closed(tests.id('gig 2'), 'full') \g /dev/null
select is(pg_temp.told() || pg_temp.waiting(), 'applicant.3 gig_closed full0', 'TL-3 a few are told at once, and nobody waits');
select is(app.notices_left(), 49, 'TL-3 they are counted');

-- At most 500 per call.
select pg_temp.apply('gig 3') \g /dev/null
select pg_temp.allow(0) \g /dev/null
select app.tell_gig_closed(tests.id('gig 3'), 'closed') \g /dev/null
update app.gigs set closed_at = now() where id = tests.id('gig 3');
delete from auth.users where id = tests.id('applicant 2');
select is(pg_temp.waiting(), 2::bigint, 'TL-4 a deleted applicant no longer waits');
select is(pg_temp.tick(), 'applicant.1 gig_closed closed, applicant.3 gig_closed closed', 'TL-4 the others are told');

-- A deleted account with many collaborations.
do $$ begin
  perform tests.collaboration('with ' || n, 'applicant ' || n, 'other agency', 'accepted') from unnest('{1,3}'::integer[]) as n;
  perform tests.collaboration('over', 'applicant 4', 'other agency', 'completed');
  perform pg_temp.told();
end $$;
select pg_temp.allow(1) \g /dev/null
delete from auth.users where id = tests.id('other agency');
select matches(pg_temp.told(), '^applicant.[13] collaboration_cancelled cancelled$', 'TL-5 the first is told at once');
select is((select array_agg(untold) from app.collaborations where untold is not null), '{influencer}', 'TL-5 the other one waits');
select is((select array_agg(distinct state || coalesce(cancelled_by, '')) from app.collaborations where title like 'with %' or id in (tests.id('with 1'), tests.id('with 3'))), '{cancelleddeletion}', 'TL-5 both are cancelled');
select matches(pg_temp.tick(), '^applicant.[13] collaboration_cancelled cancelled$', 'TL-5 the schedule tells the other');
select is(pg_temp.tick(), 'nobody', 'TL-5 once');
do $$ begin
  perform tests.collaboration('with the agency', 'applicant 1', 'agency', 'accepted');
  perform pg_temp.told();
end $$;
select pg_temp.allow(0) \g /dev/null
delete from app.influencers where id = tests.id('profile of applicant 1');
select is((select array_agg(untold) from app.collaborations where untold is not null), '{client}', 'TL-5 the client, when the influencer is deleted');
select is(pg_temp.tick(), 'agency collaboration_cancelled cancelled', 'TL-5 is told by the schedule');

-- A deleted influencer with many enquiries.
do $$ begin
  insert into app.enquiry_briefs (id, sender_key) values (tests.id('a brief'), 'x');
  insert into app.enquiries (brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at)
  select tests.id('a brief'), tests.id('profile of applicant 3'), tests.id(sender), sender, 'S', 'A reel', 'A message of twenty.', 'open', now()
  from unnest('{agency,vendor}'::text[]) as sender;
  insert into app.enquiries (id, brief_id, influencer_id, sender_key, deliverables, message, state, opened_at, answered_at)
  values ('00000000-0000-4000-8000-000000000001', tests.id('a brief'), tests.id('profile of applicant 3'), 'x', 'A reel', 'A message of twenty.', 'declined', now(), now());
  perform pg_temp.told();
end $$;
select pg_temp.allow(1) \g /dev/null
delete from app.influencers where id = tests.id('profile of applicant 3');
select matches(pg_temp.told(), '^(agency|vendor) enquiry_expired expired$', 'TL-6 the first sender is told at once');
select is((select array_agg(state order by state) from app.enquiries where influencer_id is null), '{declined,expired,open}', 'TL-6 the other enquiry is due');
select is(app.notices_left(), 0, 'TL-6 who was told is counted');
select matches(pg_temp.tick(), '^(agency|vendor) enquiry_expired expired$', 'TL-6 the schedule ends it');
select is((select array_agg(distinct state) from app.enquiries where influencer_id is null), '{declined,expired}', 'TL-6 both have ended');
\ir ../finish.sql
