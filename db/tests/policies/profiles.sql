-- Section 2 of the permission matrix: e-mail addresses (app.profiles). Every account has a row.
\ir ../setup.sql
select tests.people() \gset

copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
PR-1 own | select email from profiles where id = {me} | GET profiles?select=email&id=eq.{me} | | 42501 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |
PR-1 an agency's | select id, email from profiles where id = {agency} | GET profiles?select=id,email&id=eq.{agency} | | 42501 | 0 | 0 | 0 | 1 | 0 | 1 | 1 | 1
PR-2 another's | select * from profiles where id = {other vendor} | GET profiles?id=eq.{other vendor} | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
PR-2 an admin's | select * from profiles where id = {admin} | GET profiles?id=eq.{admin} | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
PR-3 several, including own | select id, email from profiles where id in ({me}, {new agency}, {other vendor}, {other influencer}) | GET profiles?select=id,email&id=in.({me},{new agency},{other vendor},{other influencer}) | | 42501 | 1 | 1 | 1 | 1 | 1 | 4 | 4 | 3
PR-4 all | select * from profiles | GET profiles | | 42501 | 1 | 1 | 1 | 1 | 1 | 15 | 15 | 15
PR-4 counted | select * from profiles | HEAD profiles ; Prefer: count=exact | | 42501 | 1 | 1 | 1 | 1 | 1 | 15 | 15 | 15
PR-4 on the table | select * from app.profiles | | | 42501 | 1 | 1 | 1 | 1 | 1 | 15 | 15 | 15
PR-5 filter by end of address | select * from profiles where email like '%@example.test' | GET profiles?email=like.*@example.test | | 42501 | 1 | 1 | 1 | 1 | 1 | 15 | 15 | 15
PR-5 filter by address | select * from profiles where email = 'other.vendor@example.test' | GET profiles?email=eq.other.vendor@example.test | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
PR-5 filter by start of address | select * from profiles where email ilike 'OTHER.%' | GET profiles?email=ilike.OTHER.* | | 42501 | 0 | 0 | 0 | 0 | 0 | 5 | 5 | 5
PR-6 add own | insert into profiles (id, email) values ({me}, 'x@example.test') | POST profiles | {"id": "{me}", "email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
PR-6 add another's | insert into profiles (id, email) values ({admin}, 'x@example.test') | POST profiles | {"id": "{admin}", "email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23505
PR-6 upsert own | insert into profiles (id, email) values ({me}, 'x@example.test') on conflict (id) do update set email = excluded.email | POST profiles ; Prefer: resolution=merge-duplicates | {"id": "{me}", "email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
PR-6 upsert another's | insert into profiles (id, email) values ({admin}, 'x@example.test') on conflict (id) do update set email = excluded.email | POST profiles ; Prefer: resolution=merge-duplicates | {"id": "{admin}", "email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
PR-7 own address | update profiles set email = 'x@example.test' where id = {me} | PATCH profiles?id=eq.{me} | {"email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
PR-7 another's address | update profiles set email = 'x@example.test' where id = {agency} | PATCH profiles?id=eq.{agency} | {"email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
PR-7 own id | update profiles set id = {another} where id = {me} | PATCH profiles?id=eq.{me} | {"id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
PR-7 everybody's address | update app.profiles set email = 'x@example.test' | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 15
PR-8 delete own | delete from profiles where id = {me} | DELETE profiles?id=eq.{me} | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
PR-8 delete another's | delete from profiles where id = {vendor} | DELETE profiles?id=eq.{vendor} | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
PR-8 delete all but a superadmin's | delete from app.profiles where id <> {superadmin} | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 14
PR-8 delete without a condition | | DELETE profiles | | /401 | /403 | /403 | /403 | /403 | /403 | /403 | /403 | /400
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
