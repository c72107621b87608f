-- Policies that `serasi import` created on storage tables: anon and authenticated get the privileges that the commands of
-- these policies need, and no others.
\ir ../setup.sql
select tests.people() \gset
insert into storage.buckets (id, name) values ('avatars', 'avatars'), ('notes', 'notes');
insert into storage.objects (bucket_id, name) values ('avatars', 'a'), ('notes', 'b');

create function tests.granted(target regclass) returns text language sql as $$
  select coalesce(string_agg(grantee::regrole || ' ' || lower(privilege_type), ', ' order by grantee::regrole::text, privilege_type), 'nothing')
  from pg_class, aclexplode(relacl) where pg_class.oid = target and grantee not in (relowner, 'service_role'::regrole, 'storage_admin'::regrole)
$$;

-- Creates a policy, returns the privileges that its roles get, and rolls both back.
create function tests.granted_by(policy text, mark text default 'imported by serasi') returns text language plpgsql as $$
declare
  granted text;
begin
  execute format('create policy imported on storage.buckets %s', policy);
  execute format('comment on policy imported on storage.buckets is %L', mark);
  perform serasi.grant_to_imported_policies('storage.buckets');
  granted := tests.granted('storage.buckets');
  raise exception using errcode = 'P0099', message = granted;
exception when sqlstate 'P0099' then
  return granted;
end $$;

select is(tests.granted('storage.buckets'), 'nothing', 'IM-1 without imported policies, nobody may use buckets');
select is(tests.granted_by(policy), wanted, format('IM-1 a policy %s', policy)) from (values
  ('for select to anon using (true)', 'anon select'),
  ('for insert to anon with check (true)', 'anon insert'),
  ('for update to authenticated using (true)', 'authenticated select, authenticated update'),
  ('for delete to authenticated using (true)', 'authenticated delete, authenticated select'),
  ('to anon using (true)', 'anon delete, anon insert, anon select, anon update'),
  ('for select using (true)', 'anon select, authenticated select'),
  ('for select to anon, service_role using (true)', 'anon select'),
  ('for select to service_role using (true)', 'nothing')) as policies (policy, wanted);
select is(tests.granted_by('using (true)', 'written by hand'), 'nothing', 'IM-2 a policy that was not imported grants nothing');

-- Visitors can read the rows that the policy allows, and can't change anything.
create policy imported on storage.objects for select using (bucket_id = 'avatars');
comment on policy imported on storage.objects is 'imported by serasi';
select serasi.grant_to_imported_policies('storage.objects');
set local role anon;
select results_eq('select name from storage.objects', array['a'], 'IM-3 visitors see the objects of the policy');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('avatars', 'c')$$, '42501', null, 'IM-3 visitors cannot insert objects');
select throws_ok($$update storage.objects set name = 'c'$$, '42501', null, 'IM-3 visitors cannot update objects');
select throws_ok($$delete from storage.objects$$, '42501', null, 'IM-3 visitors cannot delete objects');
reset role;

select serasi.grant_to_imported_policies('storage.buckets');
select is(tests.granted('storage.buckets'), 'nothing', 'IM-3 a policy on objects grants nothing on buckets');

-- The steps of an upgrade.
select serasi.reset_access('storage.objects');
select is(tests.granted('storage.objects'), 'nothing', 'IM-4 an upgrade revokes the privileges');
select serasi.grant_to_imported_policies('storage.objects');
select is(tests.granted('storage.objects'), 'anon select, authenticated select', 'IM-4 an upgrade grants those of imported policies again');

\ir ../finish.sql
