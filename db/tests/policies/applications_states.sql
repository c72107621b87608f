-- Applications for gigs: limits, changes of state, and what remains after deletions.
\ir ../setup.sql
do $$
begin
  perform tests.people();
  delete from app.gig_applications;
  perform tests.influencer('second', true, 'gold');
  perform tests.influencer('third', true, 'gold');
end $$;

create function pg_temp.apply(person text, gig text, pitch text default 'I would love to host this festival.') returns uuid language plpgsql as $$
declare
  made uuid;
begin
  perform tests.become(person);
  insert into public.gig_applications (gig_id, pitch) values (tests.id(gig), pitch) returning id into made;
  perform tests.step_down();
  return made;
end $$;
-- Runs a statement as this person. Returns 'done' or the error.
create function pg_temp.try(person text, act text) returns text language plpgsql as $$
declare
  said text;
  hint text;
begin
  perform tests.become(person);
  execute act;
  perform tests.step_down();
  return 'done';
exception when others then
  get stacked diagnostics said = message_text, hint = pg_exception_hint;
  perform tests.step_down();
  return concat_ws(' ', sqlstate || ':', said, nullif(hint, ''));
end $$;
create function pg_temp.applies(person text, gig text) returns text language sql as $$
  select pg_temp.try(person, format('insert into gig_applications (gig_id, pitch) values (%L, ''I would love to host this festival.'')', tests.id(gig)))
$$;
create function pg_temp.decides(person text, application uuid, decision text) returns text language sql as $$
  select pg_temp.try(person, format('select decide_application(%L, %L)', application, decision))
$$;
create function pg_temp.told(person text) returns text[] language sql as $$
  select array(select concat_ws(' ', kind, data ->> 'title', data ->> 'state', data ->> 'count') from app.notices
    where user_id = tests.id(person) and kind <> 'approved' order by kind, data ->> 'title', data ->> 'state')
$$;
create function pg_temp.forget() returns void language sql as $$ delete from app.notices; delete from serasi.mail_outbox $$;

-- Limits of the columns.
select is(tests.outcome('verified', format('insert into gig_applications (gig_id, pitch, quote) values (%L, %L, %s)', tests.id('gig of agency'), pitch, quote)), wanted, 'AP-9 ' || name)
from (values
  ('a pitch of 19', repeat('x', 19), 'null', '23514'), ('a pitch of 20', repeat('x', 20), 'null', '1'),
  ('a pitch of 20 with its spaces', repeat('x', 18) || E' \n', 'null', '23514'),
  ('a pitch of 1000', repeat('x', 1000), 'null', '1'), ('a pitch of 1001', repeat('x', 1001), 'null', '23514'),
  ('no pitch', null, 'null', '23502'),
  ('a negative quote', repeat('x', 20), '-1', '23514'), ('a quote of 0', repeat('x', 20), '0', '1'),
  ('a quote of 10,000,000', repeat('x', 20), '10000000', '1'), ('a quote of 10,000,001', repeat('x', 20), '10000001', '23514')) as input (name, pitch, quote, wanted);
select is(tests.outcome('agency', format('update gigs set %s where id = %L', change, tests.id('gig of agency'))), wanted, 'AP-9 ' || change)
from (values ('places = 0', '23514'), ('places = 1', '1'), ('places = 1000', '1'), ('places = 1001', '23514'),
  ('closes_on = ''2019-12-31''', '23514'), ('closes_on = ''2020-01-01''', '1'), ('closes_on = ''2100-01-02''', '23514'), ('closes_on = ''infinity''', '23514')) as input (change, wanted);

-- A new application, and only one per gig.
select pg_temp.apply('verified', 'gig of agency') as first \gset
select results_eq(format('select influencer_id, agency_id, gig_title, state, decided_at, collaboration_id, earlier_created_at, digested_at from app.gig_applications where id = %L', :'first'),
  format('values (%L::uuid, %L::uuid, ''A gig'', ''applied'', null::timestamptz, null::uuid, null::timestamptz, null::timestamptz)', tests.id('profile of verified'), tests.id('profile of agency')), 'AP-10 a new application');
select is(pg_temp.applies('verified', 'gig of agency'), 'PT409: You have already applied for this gig. The state of your application is applied', 'AP-10 one per gig');
select is(pg_temp.applies('verified', 'gig of other agency'), 'done', 'AP-10 and another for another gig');
select throws_ok(format('insert into app.gig_applications (gig_id, influencer_id, pitch) values (%L, %L, ''I would love to host this festival.'')', tests.id('gig of agency'), tests.id('profile of verified')),
  '23505', null, 'AP-10 not even with the service key');

-- After withdrawing, an influencer can apply once more.
select is(pg_temp.try('verified', format('select withdraw_application(%L)', :'first')), 'done', 'AP-11 withdraw');
select is(pg_temp.try('verified', format('select withdraw_application(%L)', :'first')), 'done', 'AP-11 a repeated request changes nothing');
select is(pg_temp.decides('agency', :'first', 'shortlisted'), 'PT409: This application is withdrawn and can''t be shortlisted', 'AP-11 a decision comes too late');
select is(pg_temp.told('agency'), '{}'::text[], 'AP-11 an agency that did not know of it is not told');
update app.gig_applications set created_at = now() - interval '2 days' where id = :'first';
select pg_temp.apply('verified', 'gig of agency') as second \gset
select results_eq(format('select id, state, earlier_created_at from app.gig_applications where influencer_id = %L and gig_id = %L', tests.id('profile of verified'), tests.id('gig of agency')),
  format('values (%L::uuid, ''applied'', now() - interval ''2 days'')', :'second'), 'AP-11 the second one replaces it');
update app.gig_applications set digested_at = now() where id = :'second';
select is(pg_temp.try('verified', format('select withdraw_application(%L)', :'second')), 'done', 'AP-11 withdraw again');
select is(pg_temp.told('agency'), '{application_withdrawn A gig withdrawn}', 'AP-11 an agency that knew of it is told');
select is(pg_temp.applies('verified', 'gig of agency'), 'PT409: You have withdrawn your application twice and can''t apply for this gig again', 'AP-11 no third one');

-- A gig closes when its last day is over in Malaysia.
update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date - 1 where id = tests.id('gig of agency');
select is(pg_temp.applies('second', 'gig of agency'), 'PT409: This gig is closed', 'AP-12 the last day is over');
select is(tests.reads('second', format('select state from gig_status where gig_id = %L', tests.id('gig of agency'))), 'closed', 'AP-12 and everybody sees that');
select is(pg_temp.applies('approved', 'gig of agency'), '42501: new row violates row-level security policy for table "gig_applications"', 'AP-12 but somebody who may not see gigs learns nothing');
update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date, places = 1 where id = tests.id('gig of agency');
select is(tests.reads('second', format('select state from gig_status where gig_id = %L', tests.id('gig of agency'))), 'open', 'AP-12 open on the last day');
select pg_temp.apply('second', 'gig of agency') as application \gset
select pg_temp.apply('third', 'gig of agency') as rival \gset
select pg_temp.forget() \gset

-- Every decision in every state.
do $$ begin
  update app.gig_applications set state = 'shortlisted', decided_at = now() where influencer_id = tests.id('profile of third');
end $$;
create function pg_temp.decided(state text, decision text) returns text language plpgsql as $$
begin
  update app.gig_applications set state = decided.state, decided_at = now() where influencer_id = tests.id('profile of second');
  perform tests.become('agency');
  raise exception '%', public.decide_application((select id from public.gig_applications where influencer_id = tests.id('profile of second')), decision) ->> 'state';
exception when others then
  return case sqlstate when 'P0001' then sqlerrm else sqlstate end;
end $$;
select is(pg_temp.decided(state, decision), case
    when state = decision then state
    when (state, decision) in (('applied', 'shortlisted'), ('applied', 'declined'), ('shortlisted', 'accepted'), ('shortlisted', 'declined')) then decision
    else 'PT409' end, format('AP-13 %s, then %s', state, decision))
from unnest(array['applied', 'shortlisted', 'accepted', 'declined', 'withdrawn', 'cancelled', 'completed']) as state, unnest(array['shortlisted', 'accepted', 'declined']) as decision;
create function pg_temp.withdrawn(state text) returns text language plpgsql as $$
begin
  update app.gig_applications set state = withdrawn.state, decided_at = now() where influencer_id = tests.id('profile of second');
  perform tests.become('second');
  raise exception '%', public.withdraw_application((select id from public.gig_applications where influencer_id = tests.id('profile of second'))) ->> 'state';
exception when others then
  return case sqlstate when 'P0001' then sqlerrm else sqlstate || ' ' || sqlerrm end;
end $$;
select is(pg_temp.withdrawn(state), case when state in ('applied', 'shortlisted', 'withdrawn') then 'withdrawn' else format('PT409 This application is %s and can''t be withdrawn', state) end, 'AP-13 withdrawn when ' || state)
from unnest(array['applied', 'shortlisted', 'accepted', 'declined', 'withdrawn', 'cancelled', 'completed']) as state;
select is(pg_temp.decides('agency', :'application', 'accepted'), 'PT409: Shortlist this application before you accept it. Its state is applied', 'AP-13 the message says what to do');

-- The last place: accepting creates a collaboration and notifies the other applicants that the gig is full.
select is(pg_temp.decides('agency', :'application', 'shortlisted'), 'done', 'AP-14 shortlist');
select is(pg_temp.decides('agency', :'application', 'accepted'), 'done', 'AP-14 accept');
select results_eq(format('select source, title, collaborations.influencer_id, client_user_id, collaborations.agency_id, collaborations.state from app.gig_applications join app.collaborations on collaborations.id = collaboration_id where gig_applications.id = %L', :'application'),
  format('values (''application'', ''A gig'', %L::uuid, %L::uuid, %L::uuid, ''accepted'')', tests.id('profile of second'), tests.id('agency'), tests.id('profile of agency')), 'AP-14 the collaboration');
select is(pg_temp.told('second'), '{application_decided A gig accepted}', 'AP-14 two decisions within an hour are one notification');
select is(array(select data ->> 'state' from serasi.mail_outbox where template = 'application_decided' and recipient = 'second@example.test'), '{accepted}', 'AP-14 and the later one replaces a mail that was not sent yet');
select is(pg_temp.told('third'), '{gig_closed A gig full}', 'AP-14 the others are told');
select is(pg_temp.decides('agency', :'application', 'accepted'), 'done', 'AP-14 a repeated request changes nothing');
select is((select count(*) from app.collaborations where title = 'A gig'), 1::bigint, 'AP-14 there is one collaboration');
select is(pg_temp.decides('agency', :'rival', 'accepted'), 'PT409: All places are taken, so the application stays shortlisted', 'AP-14 nobody else is accepted');
select is(pg_temp.applies('verified', 'gig of agency'), 'PT409: You have withdrawn your application twice and can''t apply for this gig again', 'AP-14 the own application comes first');
update app.gig_applications set earlier_created_at = null where influencer_id = tests.id('profile of verified');
select is(pg_temp.applies('verified', 'gig of agency'), 'PT409: This gig is full', 'AP-14 nobody applies any more');
select is(tests.reads('verified', format('select concat_ws('' '', state, accepted, applicants, waiting) from gig_status where gig_id = %L', tests.id('gig of agency'))), 'full 1 0 0', 'AP-14 the state for an influencer, who counts only own applications');
select is(tests.reads('agency', format('select concat_ws('' '', state, accepted, applicants, waiting) from gig_status where gig_id = %L', tests.id('gig of agency'))), 'full 1 2 0', 'AP-14 the state for the agency, which counts all that were not withdrawn');
update app.collaborations set state = 'completed', completed_at = now(), client_completed_at = now() where id = (select collaboration_id from app.gig_applications where id = :'application');
select is(state, 'completed', 'AP-14 the application follows the collaboration') from app.gig_applications where id = :'application';
select is(pg_temp.decides('agency', :'rival', 'accepted'), 'PT409: All places are taken, so the application stays shortlisted', 'AP-14 completed work keeps its place');
update app.collaborations set state = 'cancelled', completed_at = null, cancelled_at = now(), cancelled_by = 'client', reason = 'No time' where id = (select collaboration_id from app.gig_applications where id = :'application');
select is(state, 'cancelled', 'AP-14 also when that is cancelled') from app.gig_applications where id = :'application';
select is(pg_temp.decides('agency', :'rival', 'accepted'), 'done', 'AP-14 which frees the place');
select is(pg_temp.applies('second', 'gig of agency'), 'PT409: You have already applied for this gig. The state of your application is cancelled', 'AP-14 but not for a second application');
select pg_temp.forget() \gset

-- Reducing the number of places.
update app.gigs set places = 3 where id = tests.id('gig of agency');
select pg_temp.apply('verified', 'gig of agency') as late \gset
update app.gigs set places = 2 where id = tests.id('gig of agency');
select is(pg_temp.told('verified'), '{}'::text[], 'AP-15 one place is left');
update app.gigs set places = 1 where id = tests.id('gig of agency');
select is(pg_temp.told('verified'), '{gig_closed A gig full}', 'AP-15 places were taken back');
select pg_temp.forget() \gset
update app.gigs set places = 2 where id = tests.id('gig of agency');
update app.gig_applications set state = 'accepted', decided_at = now() where id = :'application';
update app.gigs set places = 1 where id = tests.id('gig of agency');
select is(pg_temp.told('verified'), '{}'::text[], 'AP-15 applicants of a gig that was full already are not told again');
update app.gig_applications set state = 'cancelled' where id = :'application';
update app.gigs set places = null where id = tests.id('gig of agency');

-- Declining several applications at once.
select is(pg_temp.try('agency', 'select decline_applications(''{}'')'), 'PT400: Decline 1 to 200 applications at a time', 'AP-16 none');
select is(pg_temp.try('agency', 'select decline_applications(null)'), 'PT400: Decline 1 to 200 applications at a time', 'AP-16 null');
select is(pg_temp.try('agency', 'select decline_applications(array(select gen_random_uuid() from generate_series(1, 201)))'), 'PT400: Decline 1 to 200 applications at a time', 'AP-16 too many');
select is(pg_temp.try('agency', format('select decline_applications(array[%L, null]::uuid[])', :'late')), 'PT404: One of these applications doesn''t exist', 'AP-16 one is null');
select is(pg_temp.try('other agency', format('select decline_applications(array[%L]::uuid[])', :'late')), 'PT404: One of these applications doesn''t exist', 'AP-16 another''s');
select tests.become('agency');
select set_eq(format('select result ->> ''id'' as id, result ->> ''state'' as state from jsonb_array_elements(decline_applications(array[%L, %L, %L]::uuid[])) as result', :'late', :'rival', :'application'),
  format('values (%L, ''declined''), (%L, ''accepted''), (%L, ''cancelled'')', :'late', :'rival', :'application'), 'AP-16 only open applications are declined');
select tests.step_down();
select is(pg_temp.told('verified') || pg_temp.told('third'), '{application_decided A gig declined}', 'AP-16 only their applicants are told');
select is(pg_temp.applies('verified', 'gig of agency'), 'PT409: You have already applied for this gig. The state of your application is declined', 'AP-16 declined is final');

-- After the role was removed.
delete from app.user_roles where user_id = tests.id('other agency');
select is(pg_temp.decides('other agency', (select id from app.gig_applications where agency_id = tests.id('profile of other agency')), 'shortlisted'), 'PT404: This application doesn''t exist', 'AP-16 without the role');

-- 20 applications per day. Withdrawn applications that were replaced count, too.
insert into app.gigs (id, agency_id, title, description) select tests.id('gig ' || n), tests.id('profile of agency'), 'Gig ' || n, 'D' from generate_series(1, 21) as n;
delete from app.gig_applications;
select is(pg_temp.applies('second', 'gig ' || n), 'done', 'AP-17 application ' || n) from generate_series(1, 17) as n;
select is(pg_temp.try('second', format('select withdraw_application(%L)', id)), 'done', 'AP-17 withdraw it') from app.gig_applications where gig_id = tests.id('gig 1');
select is(pg_temp.applies('second', 'gig ' || n), 'done', 'AP-17 application for gig ' || n) from unnest(array[1, 18, 19]) as n;
select is(pg_temp.applies('second', 'gig 20'), 'PGRST: {"code" : "PT429", "message" : "You can apply for 20 gigs a day, please try again later"}', 'AP-17 the 21st');
select is(pg_temp.applies('third', 'gig 20'), 'done', 'AP-17 another may');
update app.gig_applications set created_at = created_at - interval '23 hours 59 minutes' where gig_id = tests.id('gig 2');
create function pg_temp.waits() returns text language plpgsql as $$
declare
  detail text;
begin
  perform tests.become('second');
  insert into public.gig_applications (gig_id, pitch) values (tests.id('gig 20'), repeat('x', 20));
exception when others then
  get stacked diagnostics detail = pg_exception_detail;
  perform tests.step_down();
  return detail;
end $$;
select is(pg_temp.waits(), '{"status" : 429, "headers" : {"Retry-After" : "60"}}', 'AP-17 says how long to wait');
update app.gig_applications set created_at = created_at - interval '1 minute' where gig_id = tests.id('gig 2');
select is(pg_temp.applies('second', 'gig 20'), 'done', 'AP-17 the next day');

-- A deleted gig.
select pg_temp.forget() \gset
select id as application from app.gig_applications where gig_id = tests.id('gig 20') and influencer_id = tests.id('profile of second') \gset
select pg_temp.try('agency', format('delete from gigs where id = %L', tests.id('gig 20'))) \gset
select is(pg_temp.told('second'), '{gig_closed Gig 20 removed}', 'AP-18 its applicants are told');
select is(tests.reads(person, format('select concat_ws('' '', gig_id, gig_title, state) from gig_applications where id = %L', :'application')), 'Gig 20 applied', 'AP-18 it stays readable, as ' || person)
from unnest(array['second', 'agency', 'admin']) as person;
select is(pg_temp.decides('agency', :'application', 'shortlisted'), 'PT409: This gig was removed, so the application stays applied', 'AP-18 it can''t be shortlisted');
select is(pg_temp.try('second', format('select withdraw_application(%L)', :'application')), 'done', 'AP-18 it can be withdrawn');

-- A deleted profile: the agency keeps the applications, and open ones are withdrawn.
select id as application from app.gig_applications where gig_id = tests.id('gig 19') \gset
select id as taken from app.gig_applications where gig_id = tests.id('gig 18') \gset
update app.gig_applications set state = 'accepted', decided_at = now() where id = :'taken';
select is(pg_temp.try('admin', format('delete from influencers where id = %L', tests.id('profile of second'))), 'done', 'AP-19 the applicant''s profile is deleted');
select is(tests.reads('agency', format('select concat_ws('' '', influencer_id, gig_title, state) from gig_applications where id = %L', :'application')), 'Gig 19 withdrawn', 'AP-19 the agency''s history');
select is(tests.reads('agency', format('select state from gig_applications where id = %L', :'taken')), 'accepted', 'AP-19 what was accepted stays');
select is(pg_temp.decides('agency', :'application', 'shortlisted'), 'PT409: This application is withdrawn and can''t be shortlisted', 'AP-19 nobody can be shortlisted');
select id as application from app.gig_applications where influencer_id = tests.id('profile of third') \gset
delete from auth.users where id = tests.id('agency');
select is(tests.reads('third', format('select concat_ws('' '', gig_id, gig_title, state) from gig_applications where id = %L', :'application')), 'A gig applied', 'AP-19 the agency''s account is deleted');
select is(pg_temp.decides('new agency', :'application', 'declined'), 'PT404: This application doesn''t exist', 'AP-19 nobody decides about it, also not an agency without a profile');
\ir ../finish.sql
