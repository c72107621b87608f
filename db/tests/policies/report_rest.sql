-- Acts on reports, gigs and collaborations don't affect others, and some requests change nothing.
\ir ../setup.sql
do $$ begin perform tests.people(); delete from app.notices; delete from serasi.mail_outbox; end $$;
create function pg_temp.try(person text, act text) returns text language plpgsql as $$
declare
  said text;
begin
  perform tests.become(person);
  if act ~ '^insert' and act !~ 'returning' then
    execute act;
  else
    execute act into said;
  end if;
  perform tests.step_down();
  return said;
exception when others then
  said := concat_ws(' ', sqlstate, sqlerrm);
  perform tests.step_down();
  return said;
end $$;
create function pg_temp.report(person text, kind text, subject text) returns text language sql as $$
  select pg_temp.try(person, format('insert into reports (kind, subject_id, reason) values (%L, %L, ''scam'') returning ''reported''', kind, tests.id(subject)))
$$;
create function pg_temp.decide(report uuid, decision text, actions text[] default '{}') returns text language sql as $$
  select pg_temp.try('admin', format('select decide_report(%L, %L, ''Why'', %L)', report, decision, actions))
$$;

-- Reports by others don't count toward the limit.
insert into app.reports (kind, subject_id, reporter_id, reason, snapshot)
select 'vendor', gen_random_uuid(), tests.id('vendor'), 'spam', '{}' from generate_series(1, 10);
insert into app.reports (kind, subject_id, reporter_id, reason, snapshot, created_at)
select 'vendor', gen_random_uuid(), tests.id('agency'), 'spam', '{}', now() - interval '25 hours' from generate_series(1, 10);
select is(pg_temp.report('admin', 'gig', 'gig of agency'), 'reported', 'RR-1 an admin reports what others have reported, too');
select is(pg_temp.report('agency', 'vendor', 'profile of vendor'), 'reported', 'RR-1 yesterday''s reports don''t count');

select is(pg_temp.decide(tests.id('report'), null), 'PT400 The decision must be taken, upheld or dismissed', 'RR-2 no decision');
select is(pg_temp.decide(tests.id('report'), 'taken'), 'taken', 'RR-2 taken');
select is(pg_temp.decide(tests.id('report'), 'upheld', array[null]::text[]), 'PT400 These actions are not available for this kind of report: ', 'RR-2 an action that is null');
select throws_ok(format('select app.act_on_report(reports, ''forgive'', ''Why'') from app.reports where id = %L', tests.id('report')), 'PT400', 'The action "forgive" is not available', 'RR-2 an unknown action');

-- Only the reported gig is closed.
select is(pg_temp.decide(tests.id('report'), 'upheld', '{close_gig}'), 'upheld', 'RR-3 a gig is closed');
select is((select count(*) from app.gigs where closed_at is not null), 1::bigint, 'RR-3 no other is');

-- A deleted enquiry.
do $$ begin
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot, state)
  values (tests.id('a report'), 'enquiry', tests.id('nobody'), tests.id('approved'), 'spam', '{"title": "Two reels"}', 'taken');
end $$;
select is(pg_temp.decide(tests.id('a report'), 'upheld', '{cancel_enquiry}'), 'PT409 This enquiry was deleted and can''t be cancelled', 'RR-4 a deleted enquiry');

-- Completing again changes nothing, before and after the collaboration is completed.
select is(pg_temp.try('agency', format('select complete_collaboration(%L)', tests.id('work'))), 'accepted', 'RR-5 one side');
update app.collaborations set client_completed_at = client_completed_at - interval '1 hour' where id = tests.id('work');
select is(pg_temp.try('agency', format('select complete_collaboration(%L)', tests.id('work'))), 'accepted', 'RR-5 again');
select is(client_completed_at, now() - interval '1 hour', 'RR-5 the first time stays') from app.collaborations where id = tests.id('work');
update app.collaborations set client_completed_at = now() - interval '8 days' where id = tests.id('work');
select app.tick_collaborations() \g /dev/null
select is(state, 'completed', 'RR-5 completed by silence') from app.collaborations where id = tests.id('work');
do $$ begin delete from app.notices; delete from serasi.mail_outbox; end $$;
select is(pg_temp.try('approved', format('select complete_collaboration(%L)', tests.id('work'))), 'completed', 'RR-5 then the other side completes it');
select is_empty(format('select from app.collaborations where influencer_completed_at is not null and id = %L', tests.id('work')), 'RR-5 which changes nothing');
select is_empty('select from app.notices', 'RR-5 and tells nobody');

-- Applicants can be shortlisted while a gig is full.
update app.gigs set places = 1, closed_at = null where id = tests.id('gig of agency');
update app.gig_applications set state = 'applied' where id = tests.id('application of approved');
update app.gig_applications set state = 'accepted' where id = tests.id('application of verified');
select is(pg_temp.try('agency', format('select decide_application(%L, ''shortlisted'') ->> ''state''', tests.id('application of approved'))), 'shortlisted', 'RR-6 an applicant of a full gig is shortlisted');

-- Accepting notifies the other applicants only if it takes the last place.
do $$ begin
  update app.gigs set places = 3 where id = tests.id('gig of agency');
  perform tests.influencer('waiting', true, 'gold');
  insert into app.gig_applications (gig_id, influencer_id, pitch) values (tests.id('gig of agency'), tests.id('profile of waiting'), 'I would love to host this festival.');
  delete from app.notices;
end $$;
select is(pg_temp.try('agency', format('select decide_application(%L, ''accepted'') ->> ''state''', tests.id('application of approved'))), 'accepted', 'RR-7 the second of three places');
select is_empty('select from app.notices where kind = ''gig_closed''', 'RR-7 nobody is told that the gig is full');
do $$ begin
  perform tests.influencer('late', true, 'gold');
  perform tests.influencer('later', true, 'gold');
  update app.gigs set places = 2 where id = tests.id('gig of agency');
  insert into app.gig_applications (id, gig_id, influencer_id, pitch)
  select tests.id('application of ' || name), tests.id('gig of agency'), tests.id('profile of ' || name), 'I would love to host this festival.' from unnest('{late,later}'::text[]) as name;
  delete from app.notices;
end $$;
select is(pg_temp.try('agency', format('select decide_application(%L, ''declined'') ->> ''state''', tests.id('application of late'))), 'declined', 'RR-7 declined while the gig is full');
select is_empty('select from app.notices where kind = ''gig_closed''', 'RR-7 the others are not told again');
select is(pg_temp.try('agency', format('select decide_application(%L, null)', tests.id('application of later'))), 'PT400 The decision must be shortlisted, accepted or declined', 'RR-7 no decision');

-- The digest's limit of one per hour applies to each agency separately.
do $$ begin
  delete from app.notices;
  update app.gig_applications set digested_at = now();
  insert into app.gig_applications (gig_id, influencer_id, pitch) values (tests.id('gig of other agency'), tests.id('profile of late'), 'I would love to host this festival.');
  perform app.digest_applications();
end $$;
select results_eq('select user_id from app.notices where kind = ''application_received''', format('values (%L::uuid)', tests.id('other agency')), 'RR-8 another agency''s digest doesn''t count');

-- A decision affects only one report.
do $$ begin
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot)
  select tests.id(name), 'agency', tests.id('profile of agency'), tests.id(reporter), 'spam', '{"title": "Agency"}' from (values ('first', 'approved'), ('second', 'verified')) as filed (name, reporter);
end $$;
select is(pg_temp.decide(tests.id('first'), 'taken'), 'taken', 'RR-9 taken');
select is(pg_temp.decide(tests.id('first'), 'dismissed'), 'dismissed', 'RR-9 dismissed');
select is(pg_temp.decide(tests.id('first'), 'taken'), 'PT409 This report is already dismissed', 'RR-9 it can''t be taken again');
select results_eq('select taken_by, decided_by, note from app.report_decisions where report_id = tests.id(''second'')', 'values (null::uuid, null::uuid, null::text)', 'RR-9 the other report waits');

-- Reviews of two agencies by the same influencer both count.
do $$ begin
  perform tests.collaboration('with another', 'verified', 'other agency', 'completed');
end $$;
select is(pg_temp.try('verified', format('insert into reviews (collaboration_id, rating, text) values (%L, 3, ''It was good to work together.'')', tests.id('with another'))), null, 'RR-10 one reviews another agency');
select is(pg_temp.try('other agency', format('insert into reviews (collaboration_id, rating, text) values (%L, 3, ''It was good to work together.'')', tests.id('with another'))), null, 'RR-10 and is reviewed by it');
select results_eq('select review_count, rating_sum from app.agencies where id = tests.id(''profile of agency'')', 'values (1, 4)', 'RR-10 the review of the first agency still counts');
select results_eq('select review_count, rating_sum from app.influencers where id = tests.id(''profile of verified'')', 'values (2, 8)', 'RR-10 both reviews of the influencer count');

-- Guests' links.
select is(pg_temp.try('visitor', 'select guest_enquiry(''token of the reviewer'')'), 'PT404 This link is incomplete or has expired', 'RR-11 a link to review shows no enquiry');
select is(pg_temp.try('visitor', 'select title from guest_collaboration(''token of the guest'')'), 'PT404 This link is invalid or has expired', 'RR-11 a link of an enquiry shows no collaboration');
update app.collaborations set state = 'completed', completed_at = now() where id = tests.id('guest work');
select is(pg_temp.try('other influencer', format('insert into reviews (collaboration_id, rating, text) values (%L, 3, ''It was good to work together.'')', tests.id('guest work'))), null, 'RR-11 the influencer reviews the guest');
select is(pg_temp.try('visitor', 'select reviewed from guest_collaboration(''token of the reviewer'')'), 'false', 'RR-11 which the guest does not learn before it has written');
update app.guest_links set subject_id = tests.id('done') where subject_id = tests.id('guest work');
select is(pg_temp.try('visitor', 'select title from guest_collaboration(''token of the reviewer'')'), 'PT404 This link is invalid or has expired', 'RR-11 a link to an account''s collaboration');
update app.collaborations set guest_name = 'Mei' where id = tests.id('done');
select ok(app.is_guest(tests.id('guest work')) and not app.is_guest(tests.id('done')), 'RR-11 an account is no guest');
update app.collaborations set client_user_id = null where id = tests.id('done');
update app.collaborations set guest_name = 'Mei' where id = tests.id('done');
select ok(not app.is_guest(tests.id('done')), 'RR-11 nor is an agency');
update app.collaborations set guest_name = null, agency_id = null, client_user_id = tests.id('vendor') where id = tests.id('done');
update app.collaborations set guest_name = 'Mei' where id = tests.id('done');
select ok(not app.is_guest(tests.id('done')), 'RR-11 nor another account');
update app.collaborations set client_user_id = null where id = tests.id('done');
select ok(not app.is_guest(tests.id('done')), 'RR-11 nor a former member');
select is(pg_temp.try('admin', format('select hide_review(%L, repeat(''x'', 501))', tests.id('review of influencer'))), '23514 Give a reason of at most 500 characters', 'RR-12 a long reason');

-- Cancelling a guest's collaboration, and deleting its influencer.
do $$ begin
  update app.collaborations set guest_name = 'Mei', client_user_id = tests.id('vendor'), agency_id = null where id = tests.id('work');
  insert into app.collaborations (id, source, title, influencer_id, guest_name) values (tests.id('of a guest'), 'enquiry', 'Reel', tests.id('profile of other influencer'), 'Ana');
  insert into app.enquiry_briefs (id, sender_key, guest_email) values (tests.id('of a guest'), 'ana', 'ana@example.test');
  insert into app.enquiries (brief_id, influencer_id, sender_key, deliverables, message, state, opened_at, answered_at, collaboration_id)
  values (tests.id('of a guest'), tests.id('profile of other influencer'), 'ana', 'A reel', 'A message of twenty.', 'accepted', now(), now(), tests.id('of a guest'));
  perform app.complete_side(tests.id('of a guest'), 'client');
  delete from serasi.mail_outbox;
end $$;
select is(pg_temp.try('other influencer', format('select cancel_collaboration(%L, ''No time'')', tests.id('of a guest'))), 'cancelled', 'RR-13 the influencer cancels after the guest has completed');
select results_eq('select template, recipient from serasi.mail_outbox', $$values ('guest_collaboration_ended', 'ana@example.test')$$, 'RR-13 the guest is told');
delete from app.influencers where user_id in (tests.id('other influencer'), tests.id('approved'));
select results_eq('select guest_name from app.collaborations where id in (tests.id(''of a guest''), tests.id(''work'')) order by 1', $$values ('Ana'), ('Mei')$$, 'RR-13 a guest keeps its name when the influencer leaves');

-- A collaboration has a client account, an agency, or both.
do $$ begin
  perform tests.collaboration('of an account', 'verified', 'agency', 'accepted');
  perform tests.collaboration('of an agency', 'verified', 'other agency', 'accepted');
  perform set_config('session_replication_role', 'replica', true);
  update app.collaborations set agency_id = null, client_user_id = tests.id('vendor') where id = tests.id('of an account');
  update app.collaborations set client_user_id = null where id = tests.id('of an agency');
  perform set_config('session_replication_role', 'origin', true);
end $$;
select is(tests.reads(person, format('select influencer_name from collaborations where id = %L', tests.id(work))), name, 'RR-14 ' || person || ' and the collaboration ' || work)
from (values ('vendor', 'of an account', 'Verified'), ('agency', 'of an account', null), ('other agency', 'of an agency', 'Verified'), ('vendor', 'of an agency', null)) as reader (person, work, name);

-- The places of a gig.
do $$ begin
  insert into app.gigs (id, agency_id, title, description, places) values (tests.id('a new gig'), tests.id('profile of agency'), 'Gig', 'D', 1);
end $$;
select is(app.gig_state(tests.id('a new gig')) || ' ' || app.gig_places_left(tests.id('a new gig')), 'open 1', 'RR-15 those who were taken for another gig take no place');
\ir ../finish.sql
