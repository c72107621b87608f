-- Section 1 of the permission matrix: roles.
\ir ../setup.sql
select tests.people() \gset

copy act (line) from stdin;
UR-1 own
  sql: select * from user_roles where user_id = {me}
  request: GET user_roles?user_id=eq.{me}
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
UR-1 own role of the two portals
  sql: select role from user_roles where user_id = {agency}
  request: GET user_roles?select=role&user_id=eq.{agency}
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
UR-1 all
  sql: select * from user_roles
  request: GET user_roles
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  3: admin, superadmin
  15: service
UR-2 an influencer's
  sql: select * from user_roles where user_id = {other influencer}
  request: GET user_roles?user_id=eq.{other influencer}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-2 an agency's
  sql: select * from user_roles where user_id = {other agency}
  request: GET user_roles?user_id=eq.{other agency}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-2 everybody's in the portals
  sql: select * from user_roles where role in ('influencer', 'agency', 'vendor')
  request: GET user_roles?role=in.(influencer,agency,vendor)
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  0: admin, superadmin
  12: service
UR-3 the staff's
  sql: select user_id, role from user_roles where role in ('admin', 'superadmin')
  request: GET user_roles?select=user_id,role&role=in.(admin,superadmin)
  42501: visitor
  0: unapproved, approved, verified, agency, vendor
  3: admin, superadmin, service
UR-4 make self admin
  sql: insert into user_roles (user_id, role) values ({me}, 'admin')
  request: POST user_roles
  body: {"user_id": "{me}", "role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
UR-4 make an influencer admin
  sql: insert into user_roles (user_id, role) values ({approved}, 'admin')
  request: POST user_roles
  body: {"user_id": "{approved}", "role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-5 make self superadmin
  sql: insert into user_roles (user_id, role) values ({me}, 'superadmin')
  request: POST user_roles
  body: {"user_id": "{me}", "role": "superadmin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
UR-5 make an admin superadmin
  sql: insert into user_roles (user_id, role) values ({admin}, 'superadmin')
  request: POST user_roles
  body: {"user_id": "{admin}", "role": "superadmin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-6 another portal role for self
  sql: insert into user_roles (user_id, role) values ({me}, 'vendor')
  request: POST user_roles
  body: {"user_id": "{me}", "role": "vendor"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
UR-6 another portal role for an influencer
  sql: insert into user_roles (user_id, role) values ({approved}, 'vendor')
  request: POST user_roles
  body: {"user_id": "{approved}", "role": "vendor"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-7 a role for another
  sql: insert into user_roles (user_id, role) values ({other vendor}, 'influencer')
  request: POST user_roles
  body: {"user_id": "{other vendor}", "role": "influencer"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-8 own to admin
  sql: update user_roles set role = 'admin' where user_id = {me}
  request: PATCH user_roles?user_id=eq.{me}
  body: {"role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
UR-8 an influencer's to admin
  sql: update user_roles set role = 'admin' where user_id = {approved}
  request: PATCH user_roles?user_id=eq.{approved}
  body: {"role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-8 unchanged
  sql: update user_roles set role = 'admin' where user_id = {admin}
  request: PATCH user_roles?user_id=eq.{admin}
  body: {"role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
UR-8 another's to self
  sql: update user_roles set user_id = {me} where user_id = {superadmin}
  request: PATCH user_roles?user_id=eq.{superadmin}
  body: {"user_id": "{me}"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin
UR-9 upsert self as admin
  sql: insert into user_roles (user_id, role) values ({me}, 'admin') on conflict (user_id, role) do update set role = excluded.role
  request: POST user_roles ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{me}", "role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
UR-9 upsert an influencer as admin
  sql: insert into user_roles (user_id, role) values ({approved}, 'admin') on conflict (user_id, role) do update set role = excluded.role
  request: POST user_roles ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{approved}", "role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-9 insert, ignoring duplicates
  sql: insert into user_roles (user_id, role) values ({approved}, 'admin') on conflict (user_id, role) do nothing
  request: POST user_roles ; Prefer: resolution=ignore-duplicates
  body: {"user_id": "{approved}", "role": "admin"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-10 delete own
  sql: delete from user_roles where user_id = {me}
  request: DELETE user_roles?user_id=eq.{me}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
UR-10 delete an agency's
  sql: delete from user_roles where user_id = {agency}
  request: DELETE user_roles?user_id=eq.{agency}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-11 delete an admin's
  sql: delete from user_roles where user_id = {admin}
  request: DELETE user_roles?user_id=eq.{admin}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin
  1: superadmin, service
UR-11 delete the admins'
  sql: delete from user_roles where role = 'admin'
  request: DELETE user_roles?role=eq.admin
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin
  1: superadmin, service
UR-12 delete another superadmin's
  sql: delete from user_roles where user_id = {other superadmin}
  request: DELETE user_roles?user_id=eq.{other superadmin}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin
  1: superadmin, service
UR-12 delete all superadmins' but own
  sql: delete from user_roles where role = 'superadmin'
  request: DELETE user_roles?role=eq.superadmin
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin
  1: superadmin
  23001: service
UR-14 delete an influencer's
  sql: delete from user_roles where user_id = {approved}
  request: DELETE user_roles?user_id=eq.{approved}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
UR-14 delete all influencers'
  sql: delete from user_roles where role = 'influencer'
  request: DELETE user_roles?role=eq.influencer
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  6: service
UR-15 delete without a condition
  request: DELETE user_roles
  /401: visitor
  /400: unapproved, approved, verified, agency, vendor, admin, superadmin, service
UR-15 on the table, where only the delete policy applies
  sql: delete from app.user_roles
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin
  2: superadmin
  23001: service
UR-16 counted
  sql: select * from user_roles
  request: HEAD user_roles ; Prefer: count=exact
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  3: admin, superadmin
  15: service
\.

select * from tests.matrix();

-- The last superadmin can't be removed.
delete from app.user_roles where user_id = tests.id('other superadmin');
select tests.cell('UR-13 delete the last superadmin''s role', who, 'delete from user_roles where user_id = ' || quote_literal(tests.id('superadmin')), wanted)
from (values ('visitor', '42501'), ('unapproved', '0'), ('approved', '0'), ('verified', '0'), ('agency', '0'), ('vendor', '0'), ('admin', '0'),
  ('other superadmin', '0'), ('superadmin', '23001'), ('service', '23001')) as cell (who, wanted);
select is(tests.refusal('superadmin', 'delete from user_roles where role = ''superadmin'''), 'The last superadmin can''t be removed', 'UR-13: the message');
select is(tests.refusal('service', 'delete from user_roles where role = ''superadmin'''), 'The last superadmin can''t be removed', 'UR-13: the message, with the service key');
-- Not by deleting the profile or the account either, whichever role the cascade runs as.
select tests.cell('UR-13 delete the last superadmin''s profile', 'service', format('delete from profiles where id = %L', tests.id('superadmin')), '23001');
select tests.cell('UR-13 delete another''s profile', 'service', format('delete from profiles where id = %L', tests.id('vendor')), '1');
-- Nor by changing the role or its user.
select tests.cell('UR-13 demote the last superadmin', 'service', format('update user_roles set role = ''admin'' where user_id = %L', tests.id('superadmin')), '23001');
select tests.cell('UR-13 demote an admin', 'service', format('update user_roles set role = ''vendor'' where user_id = %L', tests.id('admin')), '1');
set local session_replication_role = replica;
insert into auth.users (id, deleted_at) values (tests.id('left'), now());
insert into app.profiles (id) values (tests.id('left'));
set local session_replication_role = origin;
select tests.cell('UR-13 transfer the last superadmin''s role to ' || heir, 'service', format('update user_roles set user_id = %L where user_id = %L', tests.id(heir), tests.id('superadmin')), wanted)
from (values ('left', '23001'), ('vendor', '1')) as heir (heir, wanted);
delete from auth.users where id = tests.id('left');
-- A banned superadmin doesn't count as the remaining one.
select tests.cell('UR-13 ban ' || person, 'auth service', format('update auth.users set banned_until = now() + interval ''1 hour'' where id = %L', tests.id(person)), wanted)
from (values ('superadmin', '23001'), ('other superadmin', '1'), ('vendor', '1')) as person (person, wanted);
select tests.cell('UR-13 an expired ban', 'auth service', format('update auth.users set banned_until = now() - interval ''1 hour'' where id = %L', tests.id('superadmin')), '1');
select throws_ok(format('do $do$ begin update auth.users set banned_until = ''infinity'' where id = %L; raise exception ''taken back''; end $do$', tests.id('superadmin')),
  'P0001', 'taken back', 'UR-13: a superuser may ban');
insert into app.user_roles values (tests.id('other superadmin'), 'superadmin');
select tests.cell('UR-13 ban one of two', 'auth service', format('update auth.users set banned_until = now() + interval ''1 hour'' where id = %L', tests.id('superadmin')), '1');
update auth.users set banned_until = now() + interval '1 hour' where id = tests.id('other superadmin');
select tests.cell('UR-13 delete the last one not banned', who, format('delete from user_roles where user_id = %L', tests.id('superadmin')), wanted)
from (values ('service', '23001'), ('other superadmin', '0')) as attempt (who, wanted);
select tests.cell('UR-13 lift a ban', 'auth service', format('update auth.users set banned_until = null where id = %L', tests.id('other superadmin')), '1');
update auth.users set banned_until = now() - interval '1 hour' where id = tests.id('other superadmin');
select tests.cell('UR-13 delete one if another''s ban has expired', 'service', format('delete from user_roles where user_id = %L', tests.id('superadmin')), '1');
update auth.users set banned_until = null where id = tests.id('other superadmin');
delete from app.user_roles where user_id = tests.id('other superadmin');
select throws_ok(format('do $do$ begin delete from auth.users where id = %L; raise exception ''taken back''; end $do$', tests.id('superadmin')),
  'P0001', 'taken back', 'UR-13: a superuser may');
set local role auth_admin;
select throws_ok(format('delete from auth.users where id = %L', tests.id('superadmin')), '23001', null, 'UR-13: the account cannot be deleted either');
select throws_ok(format('update auth.users set deleted_at = now(), email = null where id = %L', tests.id('superadmin')),
  '23001', 'The last superadmin can''t be removed', 'UR-13: nor soft-deleted');
select lives_ok(format('delete from auth.users where id = %L', tests.id('vendor')), 'another account can be deleted');
select lives_ok(format('update auth.users set deleted_at = now() where id = %L', tests.id('new vendor')), 'another account can be soft-deleted');
update auth.users set deleted_at = null, email = 'other@example.test' where id = tests.id('other vendor');
reset role;
select is_empty(format('select from app.user_roles where user_id = %L', tests.id('new vendor')), 'a soft-deleted account has no role');
select isnt_empty(format('select from app.user_roles where user_id = %L', tests.id('other vendor')), 'an account that is not deleted keeps its role');
select throws_ok(format('do $do$ begin update auth.users set deleted_at = now() where id = %L; raise exception ''taken back''; end $do$', tests.id('superadmin')),
  'P0001', 'taken back', 'UR-13: a superuser may');

-- A single statement can't remove all superadmins.
select tests.sign_up('third superadmin', '{}', '{"marketplace_role": "superadmin"}') \gset
select tests.cell('UR-12 delete all; the caller remains', 'third superadmin', 'delete from user_roles where role = ''superadmin''', '1');

-- Roles are looked up in each statement: removing an admin's role takes effect while the token is still valid.
select tests.cell('UR-17 before', 'admin', act, wanted) from (values
  ('select * from user_roles where role in (''admin'', ''superadmin'')', '3'), ('select * from profiles', '14'),
  ('select * from influencers where not approved', '2'),
  ('update influencers set approved = true where username = ''unapproved''', '1')) as act (act, wanted);
delete from app.user_roles where user_id = tests.id('admin');
select tests.cell('UR-17 after', 'admin', act, wanted) from (values
  ('select * from user_roles where role in (''admin'', ''superadmin'')', '0'), ('select * from profiles', '1'),
  ('select * from influencers where not approved', '0'),
  ('update influencers set approved = true where username = ''unapproved''', '0'),
  ('delete from agencies where name = ''Agency''', '0')) as act (act, wanted);

-- A superuser is exempt, even one without BYPASSRLS.
create role careful_operator superuser nobypassrls;
set local role careful_operator;
select throws_ok($$do $do$ begin delete from app.user_roles where role = 'superadmin'; raise exception 'taken back'; end $do$ $$,
  'P0001', 'taken back', 'UR-13: any superuser may');
reset role;

-- The trigger also stops updates by a role under row security, although no such role may update roles today.
create role clerk;
grant usage on schema app to clerk;
grant select, update on app.user_roles to clerk;
create policy "clerks change roles" on app.user_roles to clerk using (true) with check (true);
delete from app.user_roles where user_id = tests.id('third superadmin');
set local role clerk;
select throws_ok($$update app.user_roles set role = 'vendor' where role = 'superadmin'$$, '23001', 'The last superadmin can''t be removed', 'UR-13: the last role can''t be changed');
reset role;
select is(tests.reads('service', 'select app.is_last_superadmin()'), 'false', 'UR-13: a caller without an id is not the last');

-- The computed relationship returns the roles of the profile's owner that the reader can see.
select is(tests.reads('verified', $$select string_agg(name || ' ' || role, ', ') from influencers, app.user_roles(influencers)$$), 'Verified influencer', 'UR-18: roles of a profile');

-- A deleted account doesn't count, even if it still has the role.
select tests.sign_up('gone superadmin', '{}', '{"marketplace_role": "superadmin"}') \gset
set local session_replication_role = replica;
update auth.users set deleted_at = now() where id = tests.id('gone superadmin');
set local session_replication_role = origin;
select tests.cell('UR-13 delete own if the other is a deleted account', 'superadmin', format('delete from user_roles where user_id = %L', tests.id('superadmin')), '23001');

-- Other accounts can be banned even if the last superadmin was banned in SQL.
update auth.users set banned_until = 'infinity' where id = tests.id('superadmin');
select tests.cell('UR-13 ban another account', 'auth service', format('update auth.users set banned_until = now() + interval ''1 hour'' where id = %L', tests.id('agency')), '1');

-- If there is no superadmin, an account with another role is not the last one.
delete from app.user_roles where role = 'superadmin';
select tests.become('agency') \gset
select ok(not app.is_last_superadmin(), 'UR-13: without any superadmin, nobody is the last');
reset role;
\ir ../finish.sql
