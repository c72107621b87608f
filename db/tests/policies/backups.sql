-- Backups: superadmins read the list and request backups; only programs write it.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

-- There is one complete backup. No program that makes backups has reported yet.
copy act (line) from stdin;
BK-1 read
  sql: select * from backups
  request: GET backups
  42501: visitor, service
  0: unapproved, verified, agency, vendor, admin
  1: superadmin
BK-1 read the table
  sql: select * from serasi.backups
  42501: visitor, service
  0: unapproved, verified, agency, vendor, admin
  1: superadmin
BK-1 by state
  sql: select place from backups where state = 'complete'
  request: GET backups?select=place&state=eq.complete&order=created_at.desc,id.desc
  42501: visitor, service
  0: unapproved, verified, agency, vendor, admin
  1: superadmin
BK-2 insert
  sql: insert into backups (state) values ('requested')
  request: POST backups
  body: {"state": "requested"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-2 insert into the table
  sql: insert into serasi.backups (state) values ('requested')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-3 update
  sql: update backups set place = '/elsewhere' where state = 'complete'
  request: PATCH backups?state=eq.complete
  body: {"place": "/elsewhere"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-4 delete
  sql: delete from backups where state = 'complete'
  request: DELETE backups?state=eq.complete
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-4 truncate
  sql: truncate serasi.backups
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-5 request without a program that makes backups
  sql: select request_backup()
  request: POST rpc/request_backup
  body: {}
  42501: visitor, unapproved, verified, agency, vendor, admin, service
  PT409/409: superadmin
BK-6 read the reports of programs
  sql: select * from serasi.system_reports
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-6 report
  sql: insert into serasi.system_reports values ('backups', '{}')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
BK-6 call a part
  sql: select app.backup_service()
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Requests, and why they are refused.
create function pg_temp.request(person text default 'superadmin') returns text language plpgsql as $$
declare
  said text;
  headers text;
begin
  perform tests.become(person);
  perform public.request_backup();
  perform tests.step_down();
  return 'accepted';
exception when others then
  get stacked diagnostics said = message_text, headers = pg_exception_detail;
  perform tests.step_down();
  return concat_ws(' ', said, nullif(headers, ''));
end $$;
create function pg_temp.pass(period interval) returns void language sql as $$
  update serasi.backups set created_at = created_at - period
$$;

select is(pg_temp.request(), 'Backups are not set up', 'BK-7 no program ever reported');
insert into serasi.system_reports (name, data, reported_at) values ('backups', '{"place": "/backups"}', now() - interval '4 minutes');
select is(pg_temp.request(), 'The program that makes backups is not running', 'BK-7 the program stopped');
update serasi.system_reports set reported_at = now();
select is(pg_temp.request(person), 'Only superadmins can request a backup', 'BK-7 also with such a program, as ' || person)
from unnest('{verified,agency,vendor,admin}'::text[]) as person;

select is(pg_temp.request(), 'accepted', 'BK-8 a request');
select results_eq($$select requested_by, state, started_at, place from serasi.backups where state <> 'complete'$$,
  format($$values (%L::uuid, 'requested', null::timestamptz, null::text)$$, tests.id('superadmin')), 'BK-8 its row');
select results_eq($$select actor::text, action::text, subject_type::text, subject_id from app.audit_log order by id desc limit 1$$,
  $$select 'superadmin@example.test', 'request_backup', 'backup', id from serasi.backups where state = 'requested'$$, 'BK-8 the audit log has it');
select is(pg_temp.request(person), 'A backup is already requested or running', 'BK-8 a second one, as ' || person)
from unnest('{superadmin,other superadmin}'::text[]) as person;
update serasi.backups set state = 'running', started_at = now() where state = 'requested';
select is(pg_temp.request(), 'A backup is already requested or running', 'BK-8 while one runs');
select throws_ok($$insert into serasi.backups (state) values ('requested')$$, '23505', null, 'BK-8 not even a superuser can add a second one');
update serasi.backups set state = 'failed', finished_at = now(), error = 'interrupted' where state = 'running';

do $$ begin
  for n in 2 .. 6 loop
    perform pg_temp.pass('5 minutes');
    assert pg_temp.request() = 'accepted', 'request ' || n;
    update serasi.backups set state = 'failed', started_at = now(), finished_at = now() where state = 'requested';
  end loop;
end $$;
select is(pg_temp.request(), '{"code" : "PT429", "message" : "Too many backups were requested, please try again later"} {"status" : 429, "headers" : {"Retry-After" : "2100"}}',
  'BK-9 six in an hour: the seventh waits until the first is an hour old');
select pg_temp.pass('35 minutes') \g /dev/null
select is(pg_temp.request(), 'accepted', 'BK-9 then it is accepted');

-- Backups and disks on the health page.
select is(tests.reads('superadmin', $$select system_health() -> 'backups' -> 'service' ->> 'place'$$), '/backups', 'BK-10 where backups go');
select is(tests.reads('superadmin', $$select system_health() -> 'backups' -> 'service' ->> 'running'$$), 'true', 'BK-10 the program runs');
select is(tests.reads('superadmin', $$select system_health() -> 'backups' -> 'last' ->> 'id'$$), tests.id('backup')::text, 'BK-10 the last complete backup');
update serasi.backups set removed_at = now() where state = 'complete';
select is(tests.reads('superadmin', $$select system_health() -> 'backups' ->> 'last'$$), null, 'BK-10 a removed one does not count');
insert into serasi.system_reports (name, data, reported_at)
values ('disk images', '{"free": 1, "total": 2}', now()), ('disk database', '{"free": 1, "total": 2}', now() - interval '11 minutes');
select is(tests.reads('superadmin', $$select system_health() ->> 'disks'$$), '[{"free": 1, "name": "images", "total": 2}]', 'BK-10 disks, without an outdated report');

delete from serasi.system_reports where name = 'backups';
select is(tests.reads('superadmin', $$select system_health() -> 'backups' ->> 'service'$$), null, 'BK-10 a disk is not a program that makes backups');

-- The constraints also apply to superusers.
select throws_ok(format($$update serasi.backups set %I = null where state = 'complete'$$, name), '23514', null, 'BK-11 a complete backup has ' || name)
from unnest('{place,bytes,row_count,picture_count,finished_at}'::text[]) as name;
select throws_ok(format('update serasi.backups set percent = %s', percent), '23514', null, 'BK-11 not ' || percent || ' percent')
from unnest('{-1,101}'::integer[]) as percent;

\ir ../finish.sql
