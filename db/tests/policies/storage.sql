-- Section 7 of the permission matrix, as far as policies implement it: who owns which images. The storage service decides
-- which names are valid and who gets public images, so HTTP tests cover those (ST-1, `..` in ST-4). ST-10: where the
-- specification says that the root is empty, users get their own images.
\ir ../setup.sql
select tests.people() \gset
insert into storage.buckets (id, name) values ('other', 'other'), ('empty', 'empty');
insert into storage.objects (bucket_id, name)
select 'images', tests.id(person) || '/logo-1.png'
from unnest(array['unapproved', 'approved', 'verified', 'agency', 'other agency', 'vendor', 'admin', 'superadmin']) as person;
insert into storage.objects (bucket_id, name) values ('images', 'demo/portraits/x.webp'), ('other', tests.id('agency') || '/secret.png'),
  -- Has the name of an account's folder, but isn't in one, so it has no owner.
  ('images', tests.id('vendor')::text);
select is((select path_tokens from storage.objects where name = 'demo/portraits/x.webp'), array['demo', 'portraits', 'x.webp'], 'ST-1 path_tokens: folders and file name');
-- The storage service sets this when it deletes rows, because it also removes the files.
set local storage.allow_delete_query = 'true';

copy act (line) from stdin;
ST-2 under own id
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({me}, '/cover-1.png'))
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin, service
ST-2 in a subfolder
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({me}, '/2026/cover-1.png'))
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin, service
ST-3 under another's
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({other agency}, '/cover-1.png'))
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-3 as another's, under own id
  sql: insert into storage.objects (bucket_id, name, owner_id) values ('images', concat({me}, '/cover-1.png'), {other agency})
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin, service
ST-4 without a folder
  sql: insert into storage.objects (bucket_id, name) values ('images', 'cover-1.png')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 under a folder that begins with own id
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({me}, 'x/cover-1.png'))
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 as own id
  sql: insert into storage.objects (bucket_id, name) values ('images', {me})
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 from the root
  sql: insert into storage.objects (bucket_id, name) values ('images', concat('/', {me}, '/cover-1.png'))
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 path traversal from another's
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({other agency}, '/../', {me}, '/cover-1.png'))
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 under own id in capitals
  sql: insert into storage.objects (bucket_id, name) values ('images', concat(upper({me}), '/x'))
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 in another bucket
  sql: insert into storage.objects (bucket_id, name) values ('other', concat({me}, '/cover-1.png'))
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-4 without a name
  sql: insert into storage.objects (bucket_id, name) values ('images', '')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  23514: service
ST-5 upsert own
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({me}, '/logo-1.png')) on conflict (bucket_id, name) do update set metadata = '{}'
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin, service
ST-5 replace own
  sql: update storage.objects set metadata = '{}' where name = concat({me}, '/logo-1.png')
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
ST-6 upsert another's
  sql: insert into storage.objects (bucket_id, name) values ('images', concat({other agency}, '/logo-1.png')) on conflict (bucket_id, name) do update set metadata = '{}'
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-6 replace another's
  sql: update storage.objects set metadata = '{}' where name = concat({other agency}, '/logo-1.png')
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-6 replace in another bucket
  sql: update storage.objects set metadata = '{}' where bucket_id = 'other'
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-6 replace all
  sql: update storage.objects set metadata = '{}'
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
  11: service
ST-7 delete own
  sql: delete from storage.objects where name = concat({me}, '/logo-1.png')
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
ST-8 delete another's
  sql: delete from storage.objects where name = concat({other agency}, '/logo-1.png')
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-8 delete own and another's
  sql: delete from storage.objects where name in (concat({me}, '/logo-1.png'), concat({other agency}, '/logo-1.png'))
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin, service
ST-8 delete all
  sql: delete from storage.objects
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
  11: service
ST-7 delete all own
  sql: delete from storage.objects where name like '%/logo-1.png'
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
  8: service
ST-9 move own
  sql: update storage.objects set name = concat({me}, '/moved.png') where name = concat({me}, '/logo-1.png')
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
ST-9 move own to another
  sql: update storage.objects set name = concat({other agency}, '/moved.png') where name = concat({me}, '/logo-1.png')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
ST-9 move own out of the folder
  sql: update storage.objects set name = {me} where name = concat({me}, '/logo-1.png')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
ST-9 move own to another bucket
  sql: update storage.objects set bucket_id = 'other' where name = concat({me}, '/logo-1.png')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
ST-9 move another's to self
  sql: update storage.objects set name = concat({me}, '/moved.png') where name = concat({other agency}, '/logo-1.png')
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-9 move everything to another
  sql: update storage.objects set name = concat({other agency}, '/', id)
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  11: service
ST-9 copy own
  sql: insert into storage.objects (bucket_id, name) select bucket_id, concat({me}, '/copy.png') from storage.objects where name = concat({me}, '/logo-1.png')
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
ST-9 copy own to another
  sql: insert into storage.objects (bucket_id, name) select bucket_id, concat({other agency}, '/copy.png') from storage.objects where name = concat({me}, '/logo-1.png')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
ST-9 copy another's
  sql: insert into storage.objects (bucket_id, name) select bucket_id, concat({me}, '/copy.png') from storage.objects where name = concat({other agency}, '/logo-1.png')
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-10 all objects
  sql: select * from storage.objects
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
  11: service
ST-10 objects of others
  sql: select * from storage.objects where name not like concat({me}, '/%')
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  11: service
ST-11 own objects
  sql: select * from storage.objects where name like concat({me}, '/%')
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
ST-11 by the service
  sql: select * from storage.objects where name like concat({agency}, '/%')
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency
  2: service
ST-12 another's objects
  sql: select * from storage.objects where name like concat({other agency}, '/%')
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-12 an object in no folder
  sql: select * from storage.objects where name = {vendor}
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-13 all buckets
  sql: select * from storage.buckets
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  3: service
ST-13 another bucket
  sql: insert into storage.buckets (id, name) values ('mine', 'mine')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-13 make a bucket public
  sql: update storage.buckets set public = true where id = 'other'
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-13 any kind of file
  sql: update storage.buckets set allowed_mime_types = null, file_size_limit = null where id = 'images'
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-13 empty a bucket
  sql: delete from storage.objects where bucket_id = 'other'
  42501: visitor
  0: unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-13 delete an empty bucket
  sql: delete from storage.buckets where id = 'empty'
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
ST-14 a signed upload under another's id
  sql: insert into storage.objects (bucket_id, name, owner_id, version) values ('images', concat({other agency}, '/signed.png'), {me}, 'v')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
\.

select * from tests.matrix();

select tests.cell('ST-10 all objects', 'storage service', 'select * from storage.objects', '11');
select tests.cell('ST-13 all buckets', 'storage service', 'select * from storage.buckets', '3');
select tests.cell('ST-13 another bucket', 'storage service', 'insert into storage.buckets (id, name) values (''third'', ''third'')', '1');
set local storage.allow_delete_query = 'false';
select tests.cell('ST-7 delete outside the storage service', who, 'delete from storage.objects', '42501') from unnest(array['agency', 'service', 'storage service']) as who;
select tests.cell('ST-13 delete outside the storage service', who, 'delete from storage.buckets where id = ''empty''', '42501') from unnest(array['service', 'storage service']) as who;

-- A policy of one's own also needs the privilege.
grant select, insert on storage.objects to anon;

-- A role that may write a row may also call the functions of its defaults, generated columns, checks and indexes.
select is_empty($$
  select format('%s may not call %s, which %s uses', rolname, refobjid::regprocedure, relation)
  from (
    select adrelid::regclass as relation, 'pg_attrdef'::regclass as class, oid from pg_attrdef
    union all select conrelid, 'pg_constraint'::regclass, oid from pg_constraint
    union all select indrelid, 'pg_class'::regclass, indexrelid from pg_index
    union all select polrelid, 'pg_policy'::regclass, oid from pg_policy
  ) as user_of (relation, class, oid)
  join pg_depend on classid = class and objid = user_of.oid and refclassid = 'pg_proc'::regclass
  join pg_class on pg_class.oid = relation and relnamespace = 'storage'::regnamespace
  cross join pg_roles
  where rolname in ('anon', 'authenticated', 'service_role', 'storage_admin') and has_table_privilege(rolname, relation, 'insert, update')
    and (class <> 'pg_policy'::regclass or exists (select from pg_policy where pg_policy.oid = user_of.oid and pg_roles.oid = any (polroles)))
    and not has_function_privilege(pg_roles.oid, refobjid, 'execute')$$, 'ST-16 everyone who may write objects may call the functions of their columns');

-- A policy of one's own for visitors.
create policy own on storage.objects to anon using (bucket_id = 'other') with check (bucket_id = 'other');
select tests.cell('ST-16 add by an own policy', 'visitor', 'insert into storage.objects (bucket_id, name) values (''other'', ''a/b.txt'')', '1');
select tests.cell('ST-16 read by an own policy', 'visitor', 'select * from storage.objects', '1');
select tests.cell('ST-16 add to another bucket', 'visitor', 'insert into storage.objects (bucket_id, name) values (''images'', ''a/b.txt'')', '42501');
drop policy own on storage.objects;
revoke select, insert on storage.objects from anon;

-- A token of another issuer.
set local request.jwt.claims = '{"sub": "firebase-7", "role": "authenticated"}';
select is(app.account_id(), null, 'ST-17 a subject that is no UUID is no account');
reset request.jwt.claims;

select is(storage.foldername('a/b/c.png'), array['a', 'b'], 'foldername');
select is(storage.foldername('c.png'), '{}'::text[], 'foldername of a bare name');
select is(storage.filename('a/b/c.png'), 'c.png', 'filename');
select is(storage.extension('a/b/c.tar.gz'), 'gz', 'extension');
select results_eq('select public, file_size_limit, allowed_mime_types from storage.buckets where id = ''images''',
  $$values (true, 10485760::bigint, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])$$, 'the bucket images');
\ir ../finish.sql
