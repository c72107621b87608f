-- What the trust desk closed or blocked stays so, for its owner, for others, for the schedule and with the service key.
\ir ../setup.sql
do $$ begin perform tests.people(); delete from app.notices; delete from serasi.mail_outbox; delete from app.blocked_senders; end $$;
-- Runs a statement as this person and keeps its changes. Returns its result or the error message.
create function pg_temp.try(person text, act text) returns text language plpgsql as $$
declare
  said text;
begin
  perform tests.become(person);
  if act ~ '^(insert|update|delete)' then execute act; said := 'done'; else execute act into said; end if;
  perform tests.step_down();
  return said;
exception when others then
  said := sqlerrm;
  perform tests.step_down();
  return said;
end $$;
create function pg_temp.told() returns text language plpgsql as $$
declare
  said constant text := (select string_agg(concat_ws(' ', split_part(email, '@', 1), kind), ', ' order by email, kind)
    from app.notices join app.profiles on profiles.id = user_id);
begin
  delete from app.notices;
  return coalesce(said, 'nobody');
end $$;
create function pg_temp.decide(application text, decision text) returns text language sql as $$
  select pg_temp.try('agency', format('select decide_application(%L, %L) ->> ''state''', tests.id(application), decision))
$$;
create function pg_temp.closes(days integer) returns void language sql as $$
  update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date + days where id = tests.id('gig of agency')
$$;
create function pg_temp.uphold(report uuid, action text) returns text language sql as $$
  select pg_temp.try('admin', format('select decide_report(%L, ''taken'')', report));
  select pg_temp.try('admin', format('select decide_report(%L, ''upheld'', ''Fraud'', array[%L])', report, action))
$$;

-- A closed gig. `verified` is on the short list, and `approved` has applied.
select pg_temp.closes(1) \g /dev/null
select is(pg_temp.uphold(tests.id('report'), 'close_gig'), 'upheld', 'MO-1 closed');
select is(pg_temp.told(), 'agency content_moderated, approved gig_closed, verified gig_closed, verified report_decided', 'MO-1 everyone is told once');
select results_eq('select state from app.gig_applications order by 1', $$values ('cancelled'), ('cancelled')$$, 'MO-1 its applications end');
select is(pg_temp.decide(application, decision), format('This application is cancelled and can''t be %s', decision), format('MO-2 %s: %s', application, decision))
from unnest('{application of verified,application of approved}'::text[]) as application, unnest('{shortlisted,accepted,declined}'::text[]) as decision;
select is(pg_temp.try('verified', format('select withdraw_application(%L)', tests.id('application of verified'))), 'This application is cancelled and can''t be withdrawn', 'MO-2 nor withdrawn');
select is(pg_temp.try(person, act), 'This gig was closed by an admin and can''t be changed', format('MO-3 %s changes it', person))
from unnest('{agency,service}'::text[]) as person, format('update gigs set title = ''Another'' where id = %L', tests.id('gig of agency')) as act;
do $$ begin perform tests.influencer('late', true, 'gold'); end $$;
select is(pg_temp.try('late', format('insert into gig_applications (gig_id, pitch) values (%L, ''I would love to host this festival.'')', tests.id('gig of agency'))), 'This gig is closed', 'MO-3 an application');
select is(pg_temp.try('service', format('insert into gig_applications (gig_id, influencer_id, pitch) values (%L, %L, ''I would love to host this festival.'')', tests.id('gig of agency'), tests.id('profile of late'))),
  'This gig is closed', 'MO-3 with the service key');
select is(pg_temp.try('service', format('update gig_applications set state = %L where id = %L', state, tests.id('application of verified'))), 'This gig is closed', 'MO-3 with the service key: ' || state)
from unnest('{applied,shortlisted,accepted}'::text[]) as state;
select is_empty('select from app.collaborations where title = ''A gig''', 'MO-3 no work begins');
select app.tick() \g /dev/null
select is(pg_temp.told(), 'nobody', 'MO-4 no reminder two days before');
select pg_temp.closes(-1), app.tick() \g /dev/null
select is(pg_temp.told(), 'nobody', 'MO-4 nobody is told again when its last day is over');
do $$ begin
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot) values (tests.id('again'), 'gig', tests.id('gig of agency'), tests.id('late'), 'scam', '{"title": "A gig"}');
end $$;
select is(pg_temp.uphold(tests.id('again'), 'close_gig'), 'This gig is already closed', 'MO-4 it can''t be closed twice');
select is(pg_temp.try('agency', format('delete from gigs where id = %L', tests.id('gig of agency'))), 'done', 'MO-4 its agency can delete it');
select is(pg_temp.told(), 'nobody', 'MO-4 without telling anyone again');

-- Applicants who are told later, and those who know already.
do $$ begin
  insert into app.gigs (id, agency_id, title, description) select tests.id(name), tests.id('profile of agency'), name, 'D' from unnest('{crowded,over}'::text[]) as name;
  insert into app.gig_applications (gig_id, influencer_id, pitch) select tests.id(gig), tests.id('profile of ' || person), 'I would love to host this festival.'
  from unnest('{crowded,over}'::text[]) as gig, unnest('{verified,late}'::text[]) as person;
  update app.gigs set closes_on = '2026-01-01' where id = tests.id('over');
  perform app.tell_closed_gigs();
  perform pg_temp.told();
  insert into app.reports (id, kind, subject_id, reason, words, snapshot) select tests.id('report ' || name), 'gig', tests.id(name), 'words', '{deposit}', '{}' from unnest('{crowded,over}'::text[]) as name;
  perform set_config('app.told_at_once', '49', true);
end $$;
select is(pg_temp.uphold(tests.id('report crowded'), 'close_gig'), 'upheld', 'MO-5 one is told at once');
select matches(pg_temp.told(), '^agency content_moderated, (late|verified) gig_closed$', 'MO-5 the other waits');
select app.tick() \g /dev/null
select matches(pg_temp.told(), '^(late|verified) gig_closed$', 'MO-5 and is told by the schedule');
select is(pg_temp.uphold(tests.id('report over'), 'close_gig'), 'upheld', 'MO-5 a gig whose last day is over');
select app.tick() \g /dev/null
select is(pg_temp.told(), 'agency content_moderated', 'MO-5 its applicants know');

-- A blocked agency.
do $$ begin
  insert into app.gigs (id, agency_id, title, description) values (tests.id('open'), tests.id('profile of agency'), 'Open', 'D');
  insert into app.gig_applications (id, gig_id, influencer_id, pitch) values (tests.id('to the blocked'), tests.id('open'), tests.id('profile of verified'), 'I would love to host this festival.');
  perform app.block_sender(tests.id('agency'), null, 'Agency', 'Fraud');
end $$;
select is(pg_temp.try(person, act), 'Your account can''t post gigs', format('MO-6 %s: %s', person, split_part(act, ' ', 1)))
from (values (format('insert into gigs (agency_id, title, description) values (%L, ''T'', ''D'')', tests.id('profile of agency'))),
  (format('update gigs set title = ''T'' where id = %L', tests.id('open')))) as acts (act), unnest('{agency,service}'::text[]) as person;
select is(pg_temp.try('other agency', format('insert into gigs (agency_id, title, description) values (%L, ''T'', ''D'')', tests.id('profile of other agency'))), 'done', 'MO-6 others post');
select is(pg_temp.decide('to the blocked', 'shortlisted'), 'Your account can''t decide on applications', 'MO-6 it shortlists nobody');
select is(pg_temp.try('late', format('insert into gig_applications (gig_id, pitch) values (%L, ''I would love to host this festival.'')', tests.id('open'))), 'This gig is closed', 'MO-6 nobody applies for its gigs');
select is(pg_temp.decide('to the blocked', 'declined'), 'declined', 'MO-6 it can decline');
select is(pg_temp.try('agency', act), said, 'MO-7 ' || said) from (values
  (format('insert into reviews (collaboration_id, rating, text) values (%L, 1, ''It was bad to work together.'')', tests.id('done')), 'Your account can''t write reviews'),
  (format('insert into reports (kind, subject_id, reason) values (''vendor'', %L, ''spam'')', tests.id('profile of vendor')), 'Your account can''t report anything'),
  (format('select reply_to_review(%L, ''Call me'')', tests.id('review of agency')), 'Your account can''t reply to reviews'),
  (format('select cancel_collaboration(%L, ''Call me'')', tests.id('work')), 'Your account can''t cancel collaborations')) as acts (act, said);
select is(pg_temp.try('approved', format('select answer_enquiry(%L, true)', tests.id('enquiry of agency'))), 'The sender''s account is blocked', 'MO-8 its enquiry can''t be accepted');
do $$ begin
  update app.enquiries set opened_at = now() - interval '73 hours' where state = 'open';
  perform app.tick();
end $$;
select is(pg_temp.told(), 'verified application_decided, verified enquiry_reminder', 'MO-8 nobody is reminded of it');
select is(pg_temp.try('approved', format('select answer_enquiry(%L, false) ->> ''state''', tests.id('enquiry of agency'))), 'declined', 'MO-8 but declined');
-- A blocked influencer.
do $$ begin
  perform app.block_sender(tests.id('verified'), null, 'Verified', 'Fraud');
  delete from app.blocked_senders where user_id = tests.id('agency');
  update app.gig_applications set state = 'shortlisted' where id = tests.id('to the blocked');
end $$;
select is(pg_temp.try('verified', format('select answer_enquiry(%L, true, ''Call me'')', tests.id('enquiry of other agency'))), 'Your account can''t answer enquiries', 'MO-9 answers nobody');
select is(pg_temp.decide('to the blocked', 'accepted'), 'The influencer''s account is blocked', 'MO-9 is not accepted');
select is(pg_temp.try('service', format('update gig_applications set state = ''accepted'' where id = %L', tests.id('to the blocked'))), 'Your account can''t apply for gigs', 'MO-9 with the service key');
-- A blocked guest.
do $$ begin
  insert into app.enquiries (brief_id, influencer_id, sender_key, deliverables, message, state, opened_at, answered_at, collaboration_id)
  values (tests.id('brief of guest'), tests.id('profile of other influencer'), 'mei', 'A reel', 'A message of twenty.', 'accepted', now(), now(), tests.id('guest work'));
  perform app.block_sender(null, 'guest@example.test', 'Guest', 'Fraud');
end $$;
select is(pg_temp.try('visitor', 'select review_as_guest(''token of the reviewer'', 1, ''It was bad to work together.'')'), 'This e-mail address can''t write reviews', 'MO-10 a guest');
\ir ../finish.sql
