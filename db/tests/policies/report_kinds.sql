-- Reports about enquiries, applications and reviews: users can report those that they can see, and admins act on reports.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

copy act (line) from stdin;
RK-1 report an enquiry that `approved` got from `agency`
  sql: insert into reports (kind, subject_id, reason) values ('enquiry', {enquiry of agency}, 'spam')
  request: POST reports
  body: {"kind": "enquiry", "subject_id": "{enquiry of agency}", "reason": "spam"}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  1: approved
  23514: agency
RK-1 report one that is not confirmed
  sql: insert into reports (kind, subject_id, reason) values ('enquiry', {enquiry of guest}, 'spam')
  request: POST reports
  body: {"kind": "enquiry", "subject_id": "{enquiry of guest}", "reason": "spam"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
RK-2 report the application of `verified` to `agency`
  sql: insert into reports (kind, subject_id, reason) values ('application', {application of verified}, 'spam')
  request: POST reports
  body: {"kind": "application", "subject_id": "{application of verified}", "reason": "spam"}
  42501: visitor, service
  PT404/404: unapproved, approved, other agency, vendor
  23514: verified
  1: agency, admin, superadmin
RK-3 report a published review by `agency`
  sql: insert into reports (kind, subject_id, reason) values ('review', {review of influencer}, 'offensive')
  request: POST reports
  body: {"kind": "review", "subject_id": "{review of influencer}", "reason": "offensive"}
  42501: visitor, service
  1: unapproved, approved, verified, other agency, vendor, admin, superadmin
  23514: agency
RK-3 report one that waits
  sql: insert into reports (kind, subject_id, reason) values ('review', {waiting review}, 'offensive')
  request: POST reports
  body: {"kind": "review", "subject_id": "{waiting review}", "reason": "offensive"}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, other agency, vendor, admin, superadmin
  23514: approved
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Runs a statement as this person and keeps its changes. Returns its result or the error message.
create function pg_temp.try(person text, act text) returns text language plpgsql as $$
declare
  said text;
begin
  perform tests.become(person);
  execute act into said;
  perform tests.step_down();
  return said;
exception when others then
  said := sqlerrm;
  perform tests.step_down();
  return said;
end $$;
-- Adds a report that an admin takes.
create function pg_temp.taken(person text, kind text, subject text) returns uuid language plpgsql as $$
declare
  report constant uuid := pg_temp.try(person, format('insert into reports (kind, subject_id, reason) values (%L, %L, ''scam'') returning id', kind, tests.id(subject)))::uuid;
begin
  perform pg_temp.try('admin', format('select decide_report(%L, ''taken'')', report));
  return report;
end $$;
create function pg_temp.uphold(report uuid, actions text[]) returns text language sql as $$
  select pg_temp.try('admin', format('select decide_report(%L, ''upheld'', ''A remark'', %L)', report, actions))
$$;
create function pg_temp.logged() returns setof text language sql as $$
  select concat_ws(' ', action, subject_type, subject) from app.audit_log where action not in ('grant_role', 'take_report') order by id
$$;
create function pg_temp.send(sender text, address text) returns text language sql as $$
  select pg_temp.try('service', format('select send_enquiries(%L, ''192.0.2.1'', array[%L]::uuid[], ''Two reels'', ''Would you show our new menu?'', name => ''Mei'', email => %L) -> ''enquiries'' -> 0 ->> ''state''',
    tests.id(sender), tests.id('profile of other influencer'), address))
$$;

-- Cancelling an enquiry and blocking its sender.
select pg_temp.taken('approved', 'enquiry', 'enquiry of agency') as enquiry \gset
select is(snapshot, '{"title": "Two reels", "sender": "Agency", "deliverables": "Two reels", "message": "Would you show our new menu?", "state": "open"}', 'RK-4 the snapshot of an enquiry, without the address') from app.reports where id = :'enquiry';
select is(pg_temp.uphold(:'enquiry', '{hide_review}'), 'These actions are not available for this kind of report: hide_review', 'RK-4 an action that doesn''t fit');
select is(pg_temp.uphold(:'enquiry', '{cancel_enquiry,block_sender}'), 'upheld', 'RK-4 an enquiry is cancelled');
select is(state, 'cancelled', 'RK-4 its state') from app.enquiries where id = tests.id('enquiry of agency');
select results_eq('select pg_temp.logged()', $$values ('uphold_report enquiry Two reels'), ('block_sender account agency@example.test'), ('cancel_enquiry enquiry Two reels')$$, 'RK-4 the log');
select bag_eq('select user_id, kind from app.notices', format($$values (%L::uuid, 'report_decided'), (%1$L, 'enquiry_withdrawn'), (%L, 'content_moderated')$$, tests.id('approved'), tests.id('agency')), 'RK-4 who is told');
select is(pg_temp.try('approved', format('select answer_enquiry(%L, true)', tests.id('enquiry of agency'))), 'This enquiry is already cancelled', 'RK-4 it can''t be answered');
select is(pg_temp.send('agency', null), 'Your account can''t send enquiries', 'RK-4 a blocked account sends no enquiry');
select is(pg_temp.try('service', format('select send_enquiries(null, ''192.0.2.1'', array[%L]::uuid[], ''Two reels'', ''Would you show our new menu?'', name => ''Mei'', email => ''Agency@example.test'') -> ''enquiries'' -> 0 ->> ''state''', tests.id('profile of other influencer'))),
  'unconfirmed', 'RK-4 a guest with its address gets the answer of any other');
select is(pg_temp.try('visitor', format('select confirm_enquiry(%L)', (select split_part(data ->> 'path', '/', 3) from serasi.mail_outbox where template = 'guest_enquiry_confirm'))),
  'This e-mail address can''t send enquiries', 'RK-4 but can''t confirm');
select is(pg_temp.send('other agency', null), 'open', 'RK-4 others do');
select pg_temp.taken('approved', 'enquiry', 'enquiry of vendor') as answered \gset
select is(pg_temp.uphold(:'answered', '{cancel_enquiry}'), 'This enquiry is already accepted', 'RK-4 an answered enquiry can''t be cancelled');
select is(pg_temp.uphold(:'answered', '{}'), 'upheld', 'RK-4 but reported');

-- A guest's enquiry.
update app.enquiries set state = 'open', opened_at = now(), message = 'Pay the deposit first, then we talk about the reels.' where id = tests.id('enquiry of guest');
select results_eq($$select words, reporter_id from app.reports where subject_id = tests.id('enquiry of guest')$$, $$values ('{deposit}'::text[], null::uuid)$$, 'RK-5 suspicious words are queued once it is confirmed');
select pg_temp.taken('approved', 'enquiry', 'enquiry of guest') as guest \gset
select is(pg_temp.uphold(:'guest', '{cancel_enquiry,block_sender}'), 'upheld', 'RK-5 a guest''s enquiry is cancelled');
select ok(app.is_blocked_address('Guest@example.test'), 'RK-5 and its address blocked');
select is(name, 'Guest', 'RK-5 under the name that the guest gave') from app.blocked_senders where user_id is null;

-- An application.
delete from app.blocked_senders where user_id = tests.id('agency');
select pg_temp.taken('agency', 'application', 'application of verified') as application \gset
select is(snapshot ->> 'pitch', 'I have hosted ten food festivals.', 'RK-6 the snapshot of an application') from app.reports where id = :'application';
select is(pg_temp.uphold(:'application', '{block_sender}'), 'upheld', 'RK-6 its applicant is blocked');
select is(pg_temp.try('verified', format('insert into gig_applications (gig_id, pitch) values (%L, ''I would like to host your festival.'')', tests.id('gig of other agency'))),
  'Your account can''t apply for gigs', 'RK-6 a blocked account doesn''t apply');
delete from app.gig_applications where id = tests.id('application of approved');
insert into app.gig_applications (gig_id, influencer_id, pitch) values (tests.id('gig of agency'), tests.id('profile of approved'), 'Write to t.me/hosts, I answer there.');
select results_eq($$select words from app.reports where kind = 'application' and words is not null$$, $$values ('{t.me/hosts}'::text[])$$, 'RK-6 suspicious words are queued');

-- A review.
select pg_temp.taken('vendor', 'review', 'review of influencer') as review \gset
select is(pg_temp.uphold(:'review', '{hide_review}'), 'upheld', 'RK-7 a review is hidden');
select is_empty(format('select from app.reviews where hidden_at is null and id = %L', tests.id('review of influencer')), 'RK-7 it is hidden');
select is((select count(*) from pg_temp.logged() as line where line ~ '^hide_review review'), 1::bigint, 'RK-7 the log has it once');
select is(count(*) || ' ' || min(data ->> 'reason'), '1 scam', 'RK-7 its author is told once, without the note') from app.notices where kind = 'content_moderated' and subject_id = tests.id('review of influencer');
select pg_temp.taken('admin', 'review', 'review of influencer') as hidden \gset
select is(pg_temp.uphold(:'hidden', '{hide_review}'), 'The review is already hidden', 'RK-7 not twice');
update app.reviews set reply = 'Send the registration fee, please.', replied_at = now() where id = tests.id('review of agency');
select results_eq($$select words from app.reports where kind = 'review' and words is not null$$, $$values ('{registration fee}'::text[])$$, 'RK-7 suspicious words are queued');

-- A gig with applicants.
delete from app.notices;
select pg_temp.taken('approved', 'agency', 'profile of agency') \g /dev/null
select pg_temp.try('admin', format('select decide_report(%L, ''taken'')', tests.id('report'))) \g /dev/null
select is(pg_temp.uphold(tests.id('report'), '{close_gig}'), 'upheld', 'RK-8 a gig is closed');
select is(app.gig_state(tests.id('gig of agency')), 'closed', 'RK-8 its state');
select bag_eq('select user_id, kind from app.notices where kind = ''gig_closed''', format($$values (%L::uuid, 'gig_closed'), (%L, 'gig_closed')$$, tests.id('verified'), tests.id('approved')), 'RK-8 its applicants are told');

\ir ../finish.sql
