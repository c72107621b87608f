-- Reports: users report what they can see and read their own reports, and admins decide.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

-- `verified` has reported the gig of `agency`, and `other vendor` is blocked.
copy act (line) from stdin;
RP-1 read
  sql: select * from reports
  request: GET reports
  42501: visitor
  0: unapproved, agency, vendor
  1: verified, admin, superadmin, service
RP-1 read the table
  sql: select * from app.reports
  42501: visitor
  0: unapproved, agency, vendor
  1: verified, admin, superadmin, service
RP-1 the queue
  sql: select * from reports where state = 'open' and kind = 'gig' order by created_at, id
  request: GET reports?select=id,title,report_decisions(taker)&state=eq.open&kind=eq.gig&order=created_at,id
  42501: visitor
  0: unapproved, agency, vendor
  1: verified, admin, superadmin, service
RP-1 of one subject
  sql: select * from reports where subject_id = {gig of agency}
  request: GET reports?subject_id=eq.{gig of agency}
  42501: visitor
  0: unapproved, agency, vendor
  1: verified, admin, superadmin, service
RP-1 counted
  sql: select * from reports
  request: HEAD reports ; Prefer: count=exact
  42501: visitor
  0: unapproved, agency, vendor
  1: verified, admin, superadmin, service
RP-2 read decisions
  sql: select * from report_decisions
  request: GET report_decisions
  42501: visitor
  0: unapproved, verified, agency, vendor
  1: admin, superadmin, service
RP-2 read the table
  sql: select * from app.report_decisions
  42501: visitor
  0: unapproved, verified, agency, vendor
  1: admin, superadmin, service
RP-2 through the report
  sql: select * from reports join report_decisions on report_id = id
  request: GET reports?select=id,report_decisions!inner(note)
  42501: visitor
  0: unapproved, verified, agency, vendor
  1: admin, superadmin, service
RP-3 report an agency
  sql: insert into reports (kind, subject_id, reason, text) values ('agency', {profile of other agency}, 'scam', 'Asks for money')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "scam", "text": "Asks for money"}
  42501: visitor, service
  1: unapproved, verified, agency, vendor, admin, superadmin
RP-3 report a vendor
  sql: insert into reports (kind, subject_id, reason) values ('vendor', {profile of other vendor}, 'fake')
  request: POST reports
  body: {"kind": "vendor", "subject_id": "{profile of other vendor}", "reason": "fake"}
  42501: visitor, service
  1: unapproved, verified, agency, vendor, admin, superadmin
RP-3 report an influencer
  sql: insert into reports (kind, subject_id, reason) values ('influencer', {profile of approved}, 'spam')
  request: POST reports
  body: {"kind": "influencer", "subject_id": "{profile of approved}", "reason": "spam"}
  42501: visitor, service
  1: unapproved, verified, agency, vendor, admin, superadmin
RP-3 report one who waits for approval
  sql: insert into reports (kind, subject_id, reason) values ('influencer', {profile of other unapproved}, 'fake')
  request: POST reports
  body: {"kind": "influencer", "subject_id": "{profile of other unapproved}", "reason": "fake"}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, vendor
  1: admin, superadmin
RP-3 report a gig
  sql: insert into reports (kind, subject_id, reason) values ('gig', {gig of other agency}, 'scam')
  request: POST reports
  body: {"kind": "gig", "subject_id": "{gig of other agency}", "reason": "scam"}
  42501: visitor, service
  PT404/404: unapproved, agency, vendor
  1: verified, admin, superadmin
RP-3 report nothing
  sql: insert into reports (kind, subject_id, reason) values ('gig', {nobody}, 'scam')
  request: POST reports
  body: {"kind": "gig", "subject_id": "{nobody}", "reason": "scam"}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, vendor, admin, superadmin
RP-3 report the same again
  sql: insert into reports (kind, subject_id, reason) values ('gig', {gig of agency}, 'scam')
  request: POST reports
  body: {"kind": "gig", "subject_id": "{gig of agency}", "reason": "scam"}
  42501: visitor, service
  PT404/404: unapproved, vendor
  23505: verified
  23514: agency
  1: admin, superadmin
RP-3 report oneself
  sql: insert into reports (kind, subject_id, reason) values ('agency', {profile of agency}, 'fake')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of agency}", "reason": "fake"}
  42501: visitor, service
  1: unapproved, verified, vendor, admin, superadmin
  23514: agency
RP-3 an unknown kind
  sql: insert into reports (kind, subject_id, reason) values ('weather', {nobody}, 'other')
  request: POST reports
  body: {"kind": "weather", "subject_id": "{nobody}", "reason": "other"}
  42501: visitor, service
  23514: unapproved, verified, agency, vendor, admin, superadmin
RP-3 an unknown reason
  sql: insert into reports (kind, subject_id, reason) values ('agency', {profile of other agency}, 'taste')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "taste"}
  42501: visitor, service
  23514: unapproved, verified, agency, vendor, admin, superadmin
RP-3 another reason without a text
  sql: insert into reports (kind, subject_id, reason, text) values ('agency', {profile of other agency}, 'other', ' ')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "other", "text": " "}
  42501: visitor, service
  23514: unapproved, verified, agency, vendor, admin, superadmin
RP-3 as the database does
  sql: insert into reports (kind, subject_id, reason) values ('agency', {profile of other agency}, 'words')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "words"}
  42501: visitor, service
  23514: unapproved, verified, agency, vendor, admin, superadmin
RP-4 in another's name
  sql: insert into reports (kind, subject_id, reason, reporter_id) values ('agency', {profile of other agency}, 'scam', {vendor})
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "scam", "reporter_id": "{vendor}"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-4 with a snapshot
  sql: insert into reports (kind, subject_id, reason, snapshot) values ('agency', {profile of other agency}, 'scam', '{}')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "scam", "snapshot": {"title": "Insults"}}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-4 with a state
  sql: insert into app.reports (kind, subject_id, reason, state) values ('agency', {profile of other agency}, 'scam', 'taken')
  request: POST reports
  body: {"kind": "agency", "subject_id": "{profile of other agency}", "reason": "scam", "state": "taken"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-5 change the state
  sql: update reports set state = 'taken' where id = {report}
  request: PATCH reports?id=eq.{report}
  body: {"state": "taken"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-5 delete
  sql: delete from reports where id = {report}
  request: DELETE reports?id=eq.{report}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-5 write a note
  sql: update report_decisions set note = 'No'
  request: PATCH report_decisions?report_id=eq.{report}
  body: {"note": "No"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-6 take
  sql: with done as (select decide_report({report}, 'taken')) select * from done
  request: POST rpc/decide_report
  body: {"report_id": "{report}", "decision": "taken"}
  42501: visitor, unapproved, verified, agency, vendor, service
  1/200: admin, superadmin
RP-6 uphold before it is taken
  sql: with done as (select decide_report({report}, 'upheld', 'Fraud')) select * from done
  request: POST rpc/decide_report
  body: {"report_id": "{report}", "decision": "upheld", "note": "Fraud"}
  42501: visitor, unapproved, verified, agency, vendor, service
  PT409/409: admin, superadmin
RP-6 one that doesn't exist
  sql: with done as (select decide_report({nobody}, 'taken')) select * from done
  request: POST rpc/decide_report
  body: {"report_id": "{nobody}", "decision": "taken"}
  42501: visitor, unapproved, verified, agency, vendor, service
  PT404/404: admin, superadmin
RP-6 an unknown decision
  sql: with done as (select decide_report({report}, 'open')) select * from done
  request: POST rpc/decide_report
  body: {"report_id": "{report}", "decision": "maybe"}
  42501: visitor, unapproved, verified, agency, vendor, service
  PT400/400: admin, superadmin
RP-7 the subject as it is now
  sql: select reported_now({report})
  request: POST rpc/reported_now
  body: {"report_id": "{report}"}
  42501: visitor, unapproved, verified, agency, vendor, service
  1: admin, superadmin
RP-8 counts
  sql: select * from report_counts
  request: GET report_counts
  42501: visitor, service
  0: unapproved, verified, agency, vendor
  1: admin, superadmin
RP-9 read blocked senders
  sql: select * from blocked_senders
  request: GET blocked_senders
  42501: visitor
  0: unapproved, verified, agency, vendor
  1: admin, superadmin, service
RP-9 read the table
  sql: select id, name from app.blocked_senders
  42501: visitor
  0: unapproved, verified, agency, vendor
  1: admin, superadmin, service
RP-9 read the hash of the address
  sql: select address_hash from app.blocked_senders
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-9 block directly
  sql: insert into blocked_senders (reason) values ('R')
  request: POST blocked_senders
  body: {"reason": "R"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-9 unblock directly
  sql: delete from blocked_senders where id = {block}
  request: DELETE blocked_senders?id=eq.{block}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-9 unblock
  sql: with done as (select unblock_sender({block})) select * from done
  request: POST rpc/unblock_sender
  body: {"block_id": "{block}"}
  42501: visitor, unapproved, verified, agency, vendor, service
  1/204: admin, superadmin
RP-9 unblock nobody
  sql: with done as (select unblock_sender({nobody})) select * from done
  request: POST rpc/unblock_sender
  body: {"block_id": "{nobody}"}
  42501: visitor, unapproved, verified, agency, vendor, service
  PT404/404: admin, superadmin
RP-10 whether somebody is blocked
  sql: select app.is_blocked({other vendor})
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-10 whether an address is
  sql: select app.is_blocked_address('a@example.test')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-10 whose it is
  sql: select app.report_owner('gig', {gig of agency})
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-10 block somebody
  sql: select app.block_sender({vendor}, null, 'Vendor', 'No')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-10 queue a text
  sql: select app.queue_suspicious('gig', {gig of agency}, 'deposit')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
RP-10 see a hidden subject
  sql: select from app.report_subject('influencer', {profile of other unapproved}) as seen where seen is not null
  42501: visitor, service
  0: unapproved, verified, agency, vendor
  1: admin, superadmin
RP-11 reopen a gig
  sql: update gigs set closed_at = null where closed_at is not null
  request: PATCH gigs?closed_at=not.is.null
  body: {"closed_at": null}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  0: service
\.

-- Not tests.matrix(), because nobody may do some of these acts.
select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Runs a statement as this person and keeps its changes. Returns its result or the error message.
create function pg_temp.try(person text, act text) returns text language plpgsql as $$
declare
  said text;
  headers text;
begin
  perform tests.become(person);
  execute act into said;
  perform tests.step_down();
  return said;
exception when others then
  get stacked diagnostics said = message_text, headers = pg_exception_detail;
  perform tests.step_down();
  return concat_ws(' ', said, nullif(headers, ''));
end $$;
create function pg_temp.report(person text, kind text, subject text, reason text default 'scam') returns text language sql as $$
  select pg_temp.try(person, format('insert into reports (kind, subject_id, reason, text) values (%L, %L, %L, ''  Why  '') returning id', kind, tests.id(subject), reason))
$$;
create function pg_temp.decide(person text, report uuid, decision text, note text default null, actions text[] default '{}') returns text language sql as $$
  select pg_temp.try(person, format('select decide_report(%L, %L, %L, %L)', report, decision, note, actions))
$$;
create function pg_temp.logged() returns setof text language sql as $$
  select concat_ws(' ', actor, action, subject_type, subject, details - 'report_id') from app.audit_log
  where action not in ('grant_role', 'delete_profile') order by id
$$;

-- A report and its snapshot.
select pg_temp.report('verified', 'gig', 'gig of other agency') as filed \gset
select results_eq(format('select kind, subject_id, reporter_id, reason, text, words, state, title from app.reports where id = %L', :'filed'),
  format('values (''gig'', %L::uuid, %L::uuid, ''scam'', ''Why'', null::text[], ''open'', ''A gig'')', tests.id('gig of other agency'), tests.id('verified')), 'RP-12 a report');
select is(snapshot, '{"title": "A gig", "agency": "Other Agency", "description": "Of other agency"}', 'RP-12 its snapshot') from app.reports where id = :'filed';
update app.gigs set description = 'Changed' where id = tests.id('gig of other agency');
select is(snapshot ->> 'description', 'Of other agency', 'RP-12 the snapshot stays') from app.reports where id = :'filed';
select is(tests.reads('admin', format('select reported_now(%L) ->> ''description''', :'filed')), 'Changed', 'RP-12 beside the present text');
select is(owner_id, tests.id('other agency'), 'RP-12 its owner') from app.report_decisions where report_id = :'filed';
select is(pg_temp.report('verified', 'gig', 'gig of other agency'), 'You have already reported this', 'RP-12 again');
select is(pg_temp.report('agency', 'agency', 'profile of agency'), 'You can''t report yourself', 'RP-12 oneself');
select is(app.report_subject(kind, tests.id('profile of ' || person)) ->> 'title', initcap(person), 'RP-12 the snapshot of an ' || kind)
from (values ('influencer', 'verified'), ('agency', 'agency'), ('vendor', 'vendor')) as profile (kind, person);
select ok(not app.report_subject(kind, tests.id('profile of ' || person))::text ~ 'payment|birth|account_number', 'RP-12 without private columns: ' || kind)
from (values ('influencer', 'verified'), ('agency', 'agency'), ('vendor', 'vendor')) as profile (kind, person);

-- At most ten reports per day.
do $$ begin
  insert into app.reports (kind, subject_id, reporter_id, reason, snapshot, created_at)
  select 'vendor', gen_random_uuid(), tests.id('vendor'), 'spam', '{}', now() - interval '10 hours' from generate_series(1, 9);
end $$;
select matches(pg_temp.report('vendor', 'agency', 'profile of agency'), '^[0-9a-f-]{36}$', 'RP-13 the tenth of a day');
select is(pg_temp.report('vendor', 'agency', 'profile of other agency'),
  '{"code" : "PT429", "message" : "You can send 10 reports a day, please try again later"} {"status" : 429, "headers" : {"Retry-After" : "50400"}}', 'RP-13 the eleventh');
select is(tests.outcome('verified', format('insert into reports (kind, subject_id, reason) select ''agency'', id, ''spam'' from agencies union all select ''vendor'', id, ''spam'' from vendors')),
  '4', 'RP-13 several at once');
do $$ begin
  insert into app.agencies (user_id, name, email) select id, 'New', 'a@example.test' from app.profiles where id not in (select user_id from app.agencies) limit 7;
end $$;
select is(tests.outcome('verified', 'insert into reports (kind, subject_id, reason) select ''agency'', id, ''spam'' from agencies'), 'PGRST', 'RP-13 but not more than ten in one request');

-- States of reports.
select is(pg_temp.decide('admin', :'filed', 'dismissed', 'Fine'), 'This report is open', 'RP-14 decided before it is taken');
select is(pg_temp.decide('admin', :'filed', 'taken'), 'taken', 'RP-14 taken');
select is(pg_temp.decide('admin', :'filed', 'taken'), 'taken', 'RP-14 taken again by the same admin: the same answer');
select is(pg_temp.decide('superadmin', :'filed', 'taken'), 'This report is already taken', 'RP-14 taken by another');
select results_eq(format('select taken_by, taker, taken_at is not null from app.report_decisions where report_id = %L', :'filed'),
  format('values (%L::uuid, ''admin@example.test'', true)', tests.id('admin')), 'RP-14 who took it');
select is(pg_temp.report('verified', 'gig', 'gig of other agency'), 'You have already reported this', 'RP-14 reported again while taken');
select is(pg_temp.decide('admin', :'filed', 'upheld', '  '), 'Write a note that explains the decision', 'RP-14 without a note');
select is(pg_temp.decide('admin', :'filed', 'dismissed', 'Fine', '{close_gig}'), 'Choose actions only if you uphold the report', 'RP-14 dismissed with an action');
select is(pg_temp.decide('admin', :'filed', 'upheld', 'Bad', array[action]), 'These actions are not available for this kind of report: ' || action, 'RP-14 with the action ' || action)
from unnest('{hide_review,cancel_enquiry,unapprove,delete}'::text[]) as action;
select is(pg_temp.decide('superadmin', :'filed', 'upheld', ' Asks for money ', '{close_gig,block_sender,close_gig}'), 'upheld', 'RP-15 upheld with two actions, by another admin');
select is(pg_temp.decide('superadmin', :'filed', 'upheld', 'Asks for money', '{block_sender,close_gig}'), 'upheld', 'RP-15 a repeated request: the same answer');
select is(pg_temp.decide('admin', :'filed', 'upheld', 'Asks for money', '{block_sender,close_gig}'), 'This report is already upheld', 'RP-15 by another admin');
select is(pg_temp.decide('superadmin', :'filed', decision, 'Oh'), 'This report is already upheld', 'RP-15 then ' || decision) from unnest('{upheld,dismissed,taken}'::text[]) as decision;
select results_eq(format('select decided_by, decider, note, actions from app.report_decisions where report_id = %L', :'filed'),
  format('values (%L::uuid, ''superadmin@example.test'', ''Asks for money'', ''{block_sender,close_gig}''::text[])', tests.id('superadmin')), 'RP-15 the decision');
select bag_eq('select pg_temp.logged()', $$values
  ('admin@example.test take_report gig A gig {"reason": "scam"}'),
  ('superadmin@example.test uphold_report gig A gig {"note": "Asks for money", "reason": "scam"}'),
  ('superadmin@example.test block_sender account other.agency@example.test {"note": "Asks for money"}'),
  ('superadmin@example.test close_gig gig A gig {"note": "Asks for money"}')$$, 'RP-15 the audit log: who, what and why, once');
select results_eq('select kind, data - ''path'' from app.notices where user_id = ' || quote_literal(tests.id(person)), answer, 'RP-15 a notification for ' || person)
from (values ('verified', $$values ('report_decided', '{"kind": "gig", "title": "A gig", "state": "upheld"}'::jsonb)$$),
  ('other agency', $$values ('content_moderated', '{"kind": "gig", "title": "A gig", "reason": "scam", "actions": ["block_sender", "close_gig"]}'::jsonb)$$)) as told (person, answer);
select bag_eq('select template, recipient from serasi.mail_outbox',
  $$values ('report_decided', 'verified@example.test'), ('content_moderated', 'other.agency@example.test')$$, 'RP-15 and a mail for each');

-- Only its agency and admins can see a closed gig.
select is(tests.outcome(person, format('select from gigs where id = %L', tests.id('gig of other agency'))), seen, 'RP-16 the closed gig, as ' || person)
from (values ('verified', '0'), ('agency', '0'), ('other agency', '1'), ('vendor', '0'), ('admin', '1'), ('service', '1')) as reader (person, seen);
select is(tests.outcome('other agency', 'update gigs set closed_at = null where closed_at is not null'), '42501', 'RP-16 its agency cannot reopen it');
select is(tests.outcome('verified', format('insert into reports (kind, subject_id, reason) values (''gig'', %L, ''spam'')', tests.id('gig of other agency'))), 'PT404', 'RP-16 nor can it be reported again');

-- A block covers the account, its address, and a new account with that address.
select ok(app.is_blocked(tests.id('other agency')), 'RP-17 the account');
select ok(app.is_blocked_address(' Other.Agency@example.test '), 'RP-17 its address, as a guest');
select ok(not app.is_blocked(tests.id('agency')) and not app.is_blocked_address('agency@example.test'), 'RP-17 nobody else');
select ok(app.is_blocked_address('other.vendor@example.test'), 'RP-17 the address of an account that was blocked without one');
select ok(app.is_blocked(null) is false and app.is_blocked_address(null) is false, 'RP-17 nobody is not blocked');
update auth.users set email = 'renamed@example.test' where id = tests.id('other agency');
select ok(app.is_blocked(tests.id('other agency')) and app.is_blocked_address('renamed@example.test') and app.is_blocked_address('other.agency@example.test'), 'RP-17 an address that was changed');
delete from auth.users where id = tests.id('other agency');
select ok(app.is_blocked_address('other.agency@example.test'), 'RP-17 a deleted account''s address');
do $$ begin perform tests.sign_up('other agency', '{"user_type": "agency"}'); end $$;
select ok(app.is_blocked(tests.id('other agency')), 'RP-17 an account opened again with it');
select is(coalesce(pg_temp.try('admin', 'select unblock_sender(id) from blocked_senders where name = ''Former member'''), ''), '', 'RP-17 unblocked');
select ok(not app.is_blocked(tests.id('other agency')) and not app.is_blocked_address('other.agency@example.test'), 'RP-17 then not blocked');
select matches((select string_agg(logged, E'\n') from pg_temp.logged() as logged), 'admin@example.test unblock_sender guest Former member \{\}$', 'RP-17 in the log');
select app.block_sender(null, 'Guest@Example.test', 'A guest', 'Spam') \g /dev/null
select ok(app.is_blocked_address('guest@example.test'), 'RP-17 a guest''s address');
select is_empty($$select from app.blocked_senders where blocked_senders::text ~* 'guest@'$$, 'RP-17 which is not stored');

-- A dismissal notifies the reporter, but not the owner.
select pg_temp.report('approved', 'agency', 'profile of agency') as dismissed \gset
select pg_temp.decide('admin', :'dismissed', 'taken') \g /dev/null
select is(pg_temp.decide('admin', :'dismissed', 'dismissed', 'Nothing wrong'), 'dismissed', 'RP-18 dismissed');
select results_eq('select kind, data from app.notices where user_id = ' || quote_literal(tests.id('approved')),
  format('values (''report_decided'', ''{"kind": "agency", "title": "Agency", "state": "dismissed", "path": "/agency/%s"}''::jsonb)', tests.id('profile of agency')), 'RP-18 the reporter is told');
select is_empty('select from app.notices where user_id = ' || quote_literal(tests.id('agency')), 'RP-18 the agency is not');
select ok(not exists (select from serasi.mail_outbox where data::text ~ 'Nothing wrong|Asks for money|admin@'), 'RP-18 no mail has a note or an admin''s address');
select matches(pg_temp.report('approved', 'agency', 'profile of agency'), '^[0-9a-f-]{36}$', 'RP-18 it can be reported again after the decision');

-- Deleted subjects, and deleted accounts.
select pg_temp.report('vendor', 'gig', 'gig of agency') \g /dev/null
select pg_temp.decide('admin', tests.id('report'), 'taken') \g /dev/null
delete from app.gigs where id = tests.id('gig of agency');
select is(pg_temp.decide('admin', tests.id('report'), 'upheld', 'Fraud', '{close_gig}'), 'This gig was deleted and can''t be closed', 'RP-19 a deleted gig can''t be closed');
select is(state, 'taken', 'RP-19 then nothing is decided') from app.reports where id = tests.id('report');
select is(tests.reads('admin', format('select reported_now(%L)', tests.id('report'))), null, 'RP-19 nothing is there now');
-- Two statements: when a row of the same transaction changes, PostgreSQL checks all its foreign keys again, and would miss the
-- other account.
delete from auth.users where id = tests.id('verified');
delete from auth.users where id = tests.id('agency');
select is(pg_temp.decide('admin', tests.id('report'), 'upheld', 'Fraud', '{block_sender}'), 'The account was deleted and can''t be blocked', 'RP-19 a deleted account can''t be blocked');
select is(pg_temp.decide('admin', tests.id('report'), 'upheld', 'Fraud'), 'upheld', 'RP-19 the report can be decided');
select is(reporter_id, null, 'RP-19 its reporter is a former member') from app.reports where id = tests.id('report');

-- An approval can't be revoked.
select pg_temp.report('vendor', 'influencer', 'profile of approved') \g /dev/null
select is(tests.refusal('admin', format('update influencers set approved = false where id = %L', tests.id('profile of approved'))), 'An approval can''t be taken back', 'RP-20 no admin can unapprove');

\ir ../finish.sql
