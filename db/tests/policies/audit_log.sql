-- The audit log: triggers and functions write it, superadmins read it, and nobody can change it.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;
do $$
begin
  perform tests.become('admin');
  update influencers set badge_type = 'blue' where id = tests.id('profile of approved');
  perform tests.step_down();
end $$;

copy act (line) from stdin;
AL-1 read
  sql: select * from audit_log where action = 'set_badge'
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  1: superadmin, service
AL-1 read all
  sql: select * from audit_log
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  4: superadmin, service
AL-1 read the table
  sql: select * from app.audit_log
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  4: superadmin, service
AL-1 over HTTP
  request: GET audit_log?action=eq.grant_role
  /401: visitor
  /0: unapproved, verified, agency, vendor, admin
  /3: superadmin, service
AL-1 by actor
  sql: select * from audit_log where actor_id = {admin}
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  1: superadmin, service
AL-1 by subject
  sql: select * from audit_log where subject_id = {approved}
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  1: superadmin, service
AL-1 by type and period
  sql: select * from audit_log where subject_type = 'account' and created_at >= now() - interval '1 day' and created_at < now() + interval '1 day'
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  3: superadmin, service
AL-1 by actions, over HTTP
  request: GET audit_log?action=in.(grant_role,revoke_role)&subject_id=eq.{admin}&order=created_at.desc,id.desc
  /401: visitor
  /0: unapproved, verified, agency, vendor, admin
  /1: superadmin, service
AL-1 by text
  sql: select * from audit_log where subject ilike '%PROV%' or actor ilike '%nobody%'
  42501: visitor
  0: unapproved, verified, agency, vendor, admin
  1: superadmin, service
AL-1 by text, over HTTP
  request: GET audit_log?or=(subject.ilike.*admin@example*,actor.ilike.*nobody*)
  /401: visitor
  /0: unapproved, verified, agency, vendor, admin
  /3: superadmin, service
AL-2 insert
  sql: insert into audit_log (actor, action, subject_type, subject_id) values ('me', 'approve', 'influencer', {approved})
  request: POST audit_log
  body: {"actor": "me", "action": "approve", "subject_type": "influencer", "subject_id": "{approved}"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
AL-3 update
  sql: update audit_log set actor = 'somebody else' where action = 'grant_role'
  request: PATCH audit_log?action=eq.grant_role
  body: {"actor": "somebody else"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
AL-4 delete
  sql: delete from audit_log where action = 'grant_role'
  request: DELETE audit_log?action=eq.grant_role
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
AL-4 see the actions
  sql: select * from app.audit_actions
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
AL-4 add an action
  sql: insert into app.audit_actions (action) values ('wink')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
AL-4 truncate
  sql: truncate app.audit_log
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
AL-5 call the logging function
  sql: select app.audit(null, 'approve', 'influencer', {approved}, 'x')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- The table's owner and superusers have every privilege, so a trigger stops them.
set local role serasi_owner;
select throws_ok(act, '42501', 'Entries of the audit log can''t be changed or removed', 'AL-6 the owner: ' || act)
from unnest(array['update app.audit_log set actor = ''x''', 'delete from app.audit_log', 'truncate app.audit_log']) as act;
reset role;
select throws_ok(act, '42501', 'Entries of the audit log can''t be changed or removed', 'AL-6 a superuser: ' || act)
from unnest(array['update app.audit_log set actor = ''x''', 'delete from app.audit_log', 'truncate app.audit_log']) as act;

-- The entry of each kind of action. An action that changes nothing is not logged.
create function pg_temp.logged(person text, act text) returns text language plpgsql as $$
declare
  before constant bigint := coalesce((select max(id) from app.audit_log), 0);
begin
  perform tests.become(person);
  execute act;
  perform tests.step_down();
  return (select string_agg(concat_ws(' ', actor, action, subject_type, subject, details), E'\n' order by id) from app.audit_log where id > before);
end $$;

create temporary table deed (name text, person text, act text, entry text);
insert into deed values
  ('a badge before any approval', 'admin', format('update influencers set badge_type = ''gold'' where id = %L', tests.id('profile of other unapproved')),
    'admin@example.test set_badge influencer Other Unapproved {"badge_type": {"to": "gold", "from": "none"}}'),
  ('approving', 'admin', format('update influencers set approved = true where id = %L', tests.id('profile of unapproved')),
    'admin@example.test approve influencer Unapproved {"approved": {"to": true, "from": false}}'),
  ('approving again', 'superadmin', format('update influencers set approved = true where id = %L', tests.id('profile of unapproved')), null),
  ('a badge', 'superadmin', format('update influencers set badge_type = ''gold'' where id = %L', tests.id('profile of unapproved')),
    'superadmin@example.test set_badge influencer Unapproved {"badge_type": {"to": "gold", "from": "none"}}'),
  ('two kinds of action at once', 'admin', format('update agencies set badge_type = ''blue'', access_gigs_page = false where id = %L', tests.id('profile of agency')),
    E'admin@example.test set_badge agency Agency {"badge_type": {"to": "blue", "from": "none"}}\nadmin@example.test set_access agency Agency {"access_gigs_page": {"to": false, "from": true}}'),
  ('a subscription', 'admin', format('update vendors set subscription_end_date = ''2030-01-01 00:00+00'' where id = %L', tests.id('profile of vendor')),
    'admin@example.test set_subscription vendor Vendor {"subscription_end_date": {"to": "2030-01-01T00:00:00+00:00", "from": "2027-01-01T00:00:00+00:00"}}'),
  ('an edit by the owner', 'verified', 'update influencers set name = ''Other'' where user_id = auth.uid()', null),
  ('revoking an approval', 'service', format('update influencers set approved = false where id = %L', tests.id('profile of unapproved')),
    'service_role unapprove influencer Unapproved {"approved": {"to": false, "from": true}}'),
  ('deleting a profile', 'admin', format('delete from vendors where id = %L', tests.id('profile of other vendor')),
    format('admin@example.test delete_profile vendor Other Vendor {"profile_id": "%s"}', tests.id('profile of other vendor'))),
  ('deleting an influencer', 'superadmin', format('delete from influencers where id = %L', tests.id('profile of approved')),
    format('superadmin@example.test delete_profile influencer Approved {"profile_id": "%s"}', tests.id('profile of approved'))),
  ('deleting an agency', 'admin', format('delete from agencies where id = %L', tests.id('profile of other agency')),
    format('admin@example.test delete_profile agency Other Agency {"profile_id": "%s"}', tests.id('profile of other agency'))),
  ('removing an admin', 'superadmin', format('delete from user_roles where user_id = %L', tests.id('admin')),
    'superadmin@example.test revoke_role account admin@example.test {"role": "admin"}'),
  ('an attempt by a removed admin', 'admin', format('delete from influencers where id = %L', tests.id('profile of verified')), null),
  ('granting a role with the service key', 'service', format('insert into user_roles (user_id, role) values (%L, ''admin'')', tests.id('admin')),
    'service_role grant_role account admin@example.test {"role": "admin"}'),
  ('granting a portal role', 'service', format('insert into user_roles (user_id, role) values (%L, ''vendor'')', tests.id('admin')), null);

select is(pg_temp.logged(person, act), entry, 'AL-7 ' || name) from deed;

-- The endpoint create-admin uses the service key and stores its caller in `created_by`.
insert into auth.users (email, raw_app_meta_data)
values ('made@example.test', jsonb_build_object('marketplace_role', 'admin', 'created_by', tests.id('superadmin'))),
  ('odd@example.test', '{"marketplace_role": "admin", "created_by": "nobody"}');
select results_eq($$select subject::text, actor_id from app.audit_log order by id desc limit 2$$,
  format($$values ('odd@example.test', null), ('made@example.test', %L::uuid)$$, tests.id('superadmin')), 'AL-8 who made an admin');
select set_config('request.jwt.claims', json_build_object('sub', tests.id('other superadmin'))::text, true) \gset
insert into auth.users (email, raw_app_meta_data)
values ('signed.in@example.test', jsonb_build_object('marketplace_role', 'admin', 'created_by', tests.id('superadmin')));
select is((select actor_id from app.audit_log order by id desc limit 1), tests.id('other superadmin'), 'AL-8 the signed-in account is the actor, whatever an earlier caller set');
select tests.step_down() \gset
select is(pg_temp.logged('service', 'delete from user_roles where user_id = (select id from profiles where email = ''made@example.test'')'),
  'service_role revoke_role account made@example.test {"role": "admin"}', 'AL-8 a role removed with the service key');
select is((select actor_id from app.audit_log order by id desc limit 1), null, 'AL-8 is not attributed to its granter');

set local role auth_admin;
update auth.users set deleted_at = now(), email = null where id = tests.id('admin');
reset role;
select results_eq($$select action, subject::text, details from app.audit_log order by id desc limit 1$$,
  $$values ('revoke_role', 'admin@example.test', '{"role": "admin"}'::jsonb)$$, 'AL-8 a soft delete removes the role');

delete from auth.users where id = tests.id('superadmin');
select isnt_empty(format('select from app.audit_log where actor_id = %L and actor = ''superadmin@example.test''', tests.id('superadmin')), 'AL-9 the log outlives the actor');

\ir ../finish.sql
