-- The role of developers: what it creates in public, and what it can't reach.
\ir ../setup.sql
select tests.people() \gset

create function tests.act_as(person text) returns text language sql as $$
  select set_config('request.jwt.claims', jsonb_build_object('sub', tests.id(person), 'role', 'authenticated')::text, true)
$$;
grant execute on function tests.act_as(text), tests.id(text) to authenticated;
grant usage on schema tests to authenticated;

-- As in docs/api.md, with a serial column.
set local role developer;
create table public.notes (
  id bigserial primary key,
  user_id uuid not null default auth.account_id() references auth.users (id) on delete cascade,
  body text not null);
create policy "people read their own notes" on public.notes for select to authenticated using (user_id = (select auth.account_id()));
create policy "people add their own notes" on public.notes for insert to authenticated with check (user_id = (select auth.account_id()));
create view public.all_notes as select body from public.notes;
create table public.open (id integer);
alter table public.open disable row level security;
reset role;
create table public.of_superuser (id bigserial primary key, body text);
create policy all_may on public.of_superuser for insert to authenticated with check (true);
grant insert on public.of_superuser to authenticated;

select ok(relrowsecurity and relforcerowsecurity and relowner = 'developer'::regrole, 'DV-1 a table of the developer has row security')
from pg_class where oid = 'public.notes'::regclass;

select tests.act_as('vendor') \gset
set local role authenticated;
insert into public.notes (body) values ('mine');
insert into public.of_superuser (body) values ('any');
select tests.act_as('agency') \gset
select is_empty('select body from public.notes', 'DV-2 nobody reads the notes of others');
select tests.act_as('vendor') \gset
select results_eq('select body from public.notes', array['mine'], 'DV-2 the owner reads them, without further grants');
set local role anon;
select is_empty('select body from public.notes', 'DV-2 visitors read none');
select is_empty('select body from public.all_notes', 'DV-3 a view without security_invoker shows them to nobody');
reset role;

update auth.users set banned_until = now() + interval '1 hour' where id = tests.id('vendor');
set local role authenticated;
select is_empty('select body from public.notes', 'DV-4 a banned account reads nothing');
select throws_ok($$insert into public.notes (body) values ('late')$$, '42501', null, 'DV-4 nor writes');
select throws_ok(format('insert into public.notes (user_id, body) values (%L, ''late'')', tests.id('vendor')), '42501', null, 'DV-4 not even with its ID');
reset role;

select set_eq($$select relation::text, problem, readable from auth.unprotected_relations() join pg_class on pg_class.oid = relation
    where relowner = 'developer'::regrole$$,
  $$values ('all_notes', 'a view without security_invoker', true), ('open', 'a table without row security', true)$$,
  'DV-5 relations without row security are found');

set local role developer;
select throws_ok(attempt, '42501', null, 'DV-6 refused: ' || attempt) from unnest(array[
  'select * from auth.users', 'select * from app.influencer_private', 'select * from storage.objects', 'select * from public.profiles',
  'create table app.mine (id integer)', 'create table auth.mine (id integer)', 'create table storage.mine (id integer)', 'create schema mine',
  'create trigger mine after insert on auth.users execute function public.notify_nobody()',
  'create policy mine on storage.objects to anon using (true)', 'create policy mine on app.influencers to anon using (true)',
  'alter table app.influencers disable row level security', 'create or replace view public.gigs as select 1 as id',
  'drop function public.featured_influencers()',
  'alter role developer bypassrls', 'create role other', 'select pg_catalog.pg_read_file(''PG_VERSION'')', 'copy public.notes to program ''true''',
  'create event trigger mine on ddl_command_end execute function serasi.secure_new_tables()']) as attempt;
reset role;

-- Dumps of Supabase projects contain this line.
alter schema public owner to pg_database_owner;
create table public.later (id integer);
select ok((select relrowsecurity and relforcerowsecurity from pg_class where oid = 'public.later'::regclass),
  'DV-7 tables in public have row security when the schema has another owner');
\ir ../finish.sql
