-- Scheduled notifications about gigs and applications: reminders, closed gigs, and the hourly digest of new applications.
\ir ../setup.sql
do $$
begin
  perform tests.people();
  delete from app.gig_applications;
  perform tests.influencer('shortlisted', true, 'gold');
  perform tests.influencer('waiting', true, 'gold');
  perform tests.influencer('declined', true, 'gold');
  insert into app.gig_applications (gig_id, influencer_id, pitch, state, decided_at, digested_at)
  select tests.id('gig of agency'), tests.id('profile of ' || person), 'I would love to host this festival.', state, now(), now()
  from (values ('shortlisted', 'shortlisted'), ('waiting', 'applied'), ('declined', 'declined')) as applicant (person, state);
end $$;

create function pg_temp.today() returns date language sql as $$ select (now() at time zone 'Asia/Kuala_Lumpur')::date $$;
create function pg_temp.tick() returns text language plpgsql as $$
begin
  delete from app.notices;
  delete from serasi.mail_outbox;
  perform tests.become('functions');
  if app.tick() <> '{}' then raise 'the schedule failed'; end if;
  perform tests.step_down();
  return coalesce((select string_agg(concat_ws(' ', split_part(email, '@', 1), kind, data ->> 'state', data ->> 'count'), ', ' order by email, kind)
    from app.notices join app.profiles on profiles.id = user_id where subject_id is not null), 'nothing');
end $$;

-- Reminders two days before a gig closes, which is at the end of its last day in Malaysia.
create function pg_temp.closes(after interval) returns date language sql as $$
  -- The last day of a gig that closes within this time.
  select ((now() + after) at time zone 'Asia/Kuala_Lumpur')::date - 1
$$;
select is(pg_temp.tick(), 'nothing', 'AT-1 a gig without a last day');
update app.gigs set closes_on = pg_temp.closes('48 hours') + 1 where id = tests.id('gig of agency');
select is(pg_temp.tick(), 'nothing', 'AT-1 more than two days before it closes');
update app.gigs set closes_on = pg_temp.closes('48 hours') where id = tests.id('gig of agency');
select is(pg_temp.tick(), 'shortlisted gig_closing shortlisted', 'AT-1 two days before, those who are shortlisted are told');
select is((select data ->> 'closes_on' from serasi.mail_outbox where recipient = 'shortlisted@example.test'), pg_temp.closes('48 hours')::text, 'AT-1 the mail says when');
select is(pg_temp.tick(), 'nothing', 'AT-1 once');
update app.gigs set closes_on = pg_temp.today() where id = tests.id('gig of agency');
select is(pg_temp.tick(), 'shortlisted gig_closing shortlisted', 'AT-1 and again for another day');
update app.gigs set closes_on = pg_temp.closes('48 hours'), places = 1 where id = tests.id('gig of agency');
update app.gig_applications set state = 'accepted' where influencer_id = tests.id('profile of declined');
select is(pg_temp.tick(), 'nothing', 'AT-1 nobody is reminded of a full gig');
update app.gig_applications set state = 'declined' where influencer_id = tests.id('profile of declined');

-- Notifications when a gig has closed.
update app.gigs set closes_on = pg_temp.today() - 1 where id = tests.id('gig of agency');
select is(pg_temp.tick(), 'shortlisted gig_closed closed, waiting gig_closed closed', 'AT-2 open applicants are told');
select is(pg_temp.tick(), 'nothing', 'AT-2 once');
update app.gigs set closes_on = pg_temp.today() - 2 where id = tests.id('gig of agency');
update app.gig_applications set state = 'accepted' where influencer_id = tests.id('profile of declined');
select is(pg_temp.tick(), 'nothing', 'AT-2 applicants of a full gig know already');
update app.gigs set closes_on = null, places = null where id = tests.id('gig of agency');

-- The hourly digest.
insert into app.gigs (id, agency_id, title, description) select tests.id('gig ' || n), tests.id('profile of agency'), repeat('G', 199) || n, 'D' from generate_series(1, 6) as n;
update app.gig_applications set digested_at = now() - interval '59 minutes';
create function pg_temp.apply(person text, gig text, state text default 'applied') returns void language sql as $$
  insert into app.gig_applications (gig_id, influencer_id, pitch, state) values (tests.id(gig), tests.id('profile of ' || person), 'I would love to host this festival.', state)
$$;
select pg_temp.apply('verified', 'gig of agency') \gset
select is(pg_temp.tick(), 'nothing', 'AT-3 not twice within an hour');
update app.gig_applications set digested_at = digested_at - interval '1 minute';
select is(pg_temp.tick(), 'agency application_received 1', 'AT-3 the next hour');
select is((select data - array['subject_id', 'unsubscribe'] from serasi.mail_outbox), format('{"count": 1, "title": "A gig", "path": "/gigs/%1$s/applicants", "gigs": [{"title": "A gig", "count": 1, "path": "/gigs/%1$s/applicants"}]}', tests.id('gig of agency'))::jsonb,
  'AT-3 what it says');
select is(pg_temp.tick(), 'nothing', 'AT-3 once');
update app.gig_applications set digested_at = now() - interval '1 hour';
select count(*) from (select pg_temp.apply('waiting', 'gig ' || n), pg_temp.apply('shortlisted', 'gig ' || n) from generate_series(1, 6) as n) as made \gset
select pg_temp.apply('declined', 'gig 1', 'withdrawn') \gset
select pg_temp.apply('verified', 'gig 6') \gset
select is(pg_temp.tick(), 'agency application_received 13', 'AT-3 several gigs are one notification, without who withdrew');
select is((select concat_ws(' ', data ->> 'path', jsonb_array_length(data -> 'gigs'), data -> 'gigs' -> 0 ->> 'count', length(data -> 'gigs' -> 0 ->> 'title')) from serasi.mail_outbox), '/agency-dashboard?tab=gigs 5 3 100', 'AT-3 which names five gigs, the one with most first');
update app.gig_applications set digested_at = now() - interval '1 hour';
select pg_temp.apply('declined', 'gig 2', 'withdrawn') \gset
select is(pg_temp.tick(), 'nothing', 'AT-3 nothing to tell');
select is((select count(*) from app.gig_applications where digested_at is null), 0::bigint, 'AT-3 and nothing left');
update app.gig_applications set digested_at = now() - interval '1 hour';
select pg_temp.apply('declined', 'gig 3') \gset
select pg_temp.apply('declined', 'gig 4') \gset
select pg_temp.apply('declined', 'gig of other agency') \gset
delete from app.gigs where id = tests.id('gig 4');
select is(pg_temp.tick(), 'agency application_received 1, other.agency application_received 1', 'AT-3 each agency is told of its own, without removed gigs');
\ir ../finish.sql
