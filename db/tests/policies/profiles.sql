-- Section 2 of the permission matrix: e-mail addresses (app.profiles). Every account has a row.
\ir ../setup.sql
select tests.people() \gset

copy act (line) from stdin;
PR-1 own
  sql: select email from profiles where id = {me}
  request: GET profiles?select=email&id=eq.{me}
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
PR-1 an agency's
  sql: select id, email from profiles where id = {agency}
  request: GET profiles?select=id,email&id=eq.{agency}
  42501: visitor
  0: unapproved, approved, verified, vendor
  1: agency, admin, superadmin, service
PR-2 another's
  sql: select * from profiles where id = {other vendor}
  request: GET profiles?id=eq.{other vendor}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
PR-2 an admin's
  sql: select * from profiles where id = {admin}
  request: GET profiles?id=eq.{admin}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
PR-3 several, including own
  sql: select id, email from profiles where id in ({me}, {new agency}, {other vendor}, {other influencer})
  request: GET profiles?select=id,email&id=in.({me},{new agency},{other vendor},{other influencer})
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  4: admin, superadmin
  3: service
PR-4 all
  sql: select * from profiles
  request: GET profiles
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  15: admin, superadmin, service
PR-4 counted
  sql: select * from profiles
  request: HEAD profiles ; Prefer: count=exact
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  15: admin, superadmin, service
PR-4 on the table
  sql: select * from app.profiles
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  15: admin, superadmin, service
PR-5 filter by end of address
  sql: select * from profiles where email like '%@example.test'
  request: GET profiles?email=like.*@example.test
  42501: visitor
  1: unapproved, approved, verified, agency, vendor
  15: admin, superadmin, service
PR-5 filter by address
  sql: select * from profiles where email = 'other.vendor@example.test'
  request: GET profiles?email=eq.other.vendor@example.test
  42501: visitor
  0: unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
PR-5 filter by start of address
  sql: select * from profiles where email ilike 'OTHER.%'
  request: GET profiles?email=ilike.OTHER.*
  42501: visitor
  0: unapproved, approved, verified, agency, vendor
  5: admin, superadmin, service
PR-6 add own
  sql: insert into profiles (id, email) values ({me}, 'x@example.test')
  request: POST profiles
  body: {"id": "{me}", "email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
PR-6 add another's
  sql: insert into profiles (id, email) values ({admin}, 'x@example.test')
  request: POST profiles
  body: {"id": "{admin}", "email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  23505: service
PR-6 upsert own
  sql: insert into profiles (id, email) values ({me}, 'x@example.test') on conflict (id) do update set email = excluded.email
  request: POST profiles ; Prefer: resolution=merge-duplicates
  body: {"id": "{me}", "email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
PR-6 upsert another's
  sql: insert into profiles (id, email) values ({admin}, 'x@example.test') on conflict (id) do update set email = excluded.email
  request: POST profiles ; Prefer: resolution=merge-duplicates
  body: {"id": "{admin}", "email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
PR-7 own address
  sql: update profiles set email = 'x@example.test' where id = {me}
  request: PATCH profiles?id=eq.{me}
  body: {"email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
PR-7 another's address
  sql: update profiles set email = 'x@example.test' where id = {agency}
  request: PATCH profiles?id=eq.{agency}
  body: {"email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
PR-7 own id
  sql: update profiles set id = {another} where id = {me}
  request: PATCH profiles?id=eq.{me}
  body: {"id": "{another}"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
PR-7 everybody's address
  sql: update app.profiles set email = 'x@example.test'
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  15: service
PR-8 delete own
  sql: delete from profiles where id = {me}
  request: DELETE profiles?id=eq.{me}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
PR-8 delete another's
  sql: delete from profiles where id = {vendor}
  request: DELETE profiles?id=eq.{vendor}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
PR-8 delete all but a superadmin's
  sql: delete from app.profiles where id <> {superadmin}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  14: service
PR-8 delete without a condition
  request: DELETE profiles
  /401: visitor
  /403: unapproved, approved, verified, agency, vendor, admin, superadmin
  /400: service
\.

select * from tests.matrix();

delete from app.profiles where id = tests.id('new vendor');
select tests.cell('PR-6 add a missing one', 'service', 'insert into profiles (id, email) values (' || quote_literal(tests.id('new vendor')) || ', ''x@example.test'')', '1');

set local role auth_admin;
update auth.users set email = 'moved@example.test' where id = tests.id('agency');
reset role;
select is(tests.reads('agency', 'select email from profiles'), 'moved@example.test', 'PR-7: a changed address is copied');
select is((select count(*)::integer from app.profiles where email = 'moved@example.test'), 1, 'PR-7: only to its own profile');
\ir ../finish.sql
