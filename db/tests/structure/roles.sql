-- The cluster's roles, their limits, and the default privileges of new objects.
\ir ../setup.sql

select set_eq($$select rolname || case when rolcanlogin then ' login' else '' end || case when rolbypassrls then ' bypassrls' else '' end from pg_roles
    where rolname in ('serasi_owner', 'anon', 'authenticated', 'service_role', 'authenticator', 'auth_admin', 'storage_admin', 'developer')
      and not rolsuper and not rolcreaterole and not rolcreatedb and not rolreplication and not rolinherit$$,
  array['serasi_owner', 'anon', 'authenticated', 'service_role bypassrls', 'authenticator login', 'auth_admin login', 'storage_admin login', 'developer login'], 'the roles and their attributes');
select set_eq($$select member::regrole || ' may become ' || roleid::regrole from pg_auth_members
    where member::regrole::text in ('serasi_owner', 'anon', 'authenticated', 'service_role', 'authenticator', 'auth_admin', 'storage_admin', 'developer')
      -- Granted for the health page, except on PostgreSQL 15.
      and not (member = 'serasi_owner'::regrole and roleid = 'pg_read_all_stats'::regrole)$$,
  array['authenticator may become anon', 'authenticator may become authenticated', 'authenticator may become service_role',
    'storage_admin may become anon', 'storage_admin may become authenticated', 'storage_admin may become service_role'], 'role memberships');

select set_has($$select setrole::regrole || ' ' || setting from pg_db_role_setting cross join unnest(setconfig) as setting$$,
  $$values ('anon statement_timeout=3s'), ('anon lock_timeout=2s'), ('authenticated statement_timeout=8s'), ('service_role statement_timeout=60s'),
    ('authenticator statement_timeout=8s'), ('authenticator lock_timeout=5s'), ('authenticator idle_in_transaction_session_timeout=15s'),
    ('auth_admin statement_timeout=10s'), ('auth_admin lock_timeout=5s'), ('auth_admin idle_in_transaction_session_timeout=15s'),
    ('storage_admin statement_timeout=10s'), ('storage_admin lock_timeout=5s'), ('storage_admin idle_in_transaction_session_timeout=60s')$$, 'timeouts');
select set_has($$select setrole::regrole || ' ' || setting from pg_db_role_setting cross join unnest(setconfig) as setting$$,
  $$values ('authenticator random_page_cost=1.1'), ('authenticator jit=off'), ('authenticator parallel_setup_cost=20000'), ('auth_admin random_page_cost=1.1')$$, 'planner settings');

-- New tables are inaccessible by default: an event trigger enables row security, and nobody has privileges.
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
