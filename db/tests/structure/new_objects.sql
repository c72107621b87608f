-- New objects are inaccessible by default.
\ir ../setup.sql

-- An event trigger enables row security, and nobody has privileges.
create table app.forgotten (id integer);
select ok(relrowsecurity and relforcerowsecurity, 'a new table gets row security') from pg_class where oid = 'app.forgotten'::regclass;
set local role serasi_owner;
create table app.forgotten_too as select 1 as id;
create function app.forgotten() returns integer language sql as 'select 1';
create view public.forgotten with (security_invoker = true) as select 1 as id;
reset role;
select ok(relrowsecurity and relforcerowsecurity, 'also a table of the owner, and one created by a query') from pg_class where oid = 'app.forgotten_too'::regclass;
select is(tests.outcome(who, act), '42501', 'no privilege on ' || act || ', as ' || who)
from unnest(array['visitor', 'agency']) as who
cross join unnest(array['select * from app.forgotten', 'select * from app.forgotten_too', 'select app.forgotten()', 'select * from public.forgotten',
  'create table public.mine (id integer)', 'create table app.mine (id integer)', 'create function public.mine() returns integer language sql as ''select 1''']) as act;

-- Schemas of other owners are not affected.
create schema attic;
create table attic.box (id integer);
select ok(not relrowsecurity, 'a table in another schema is left unchanged') from pg_class where oid = 'attic.box'::regclass;
\ir ../finish.sql
