-- Section 7 of the matrix, as far as rows decide it: whose images are whose.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;
insert into storage.buckets (id, name) values ('other', 'other');
insert into storage.objects (bucket_id, name) values
  ('images', tests.id('agency') || '/logo-1.png'), ('images', tests.id('vendor') || '/logo-1.png'), ('images', 'demo/portraits/x.webp'),
  ('other', tests.id('agency') || '/secret.png');
set local storage.allow_delete_query = 'true';

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'ST-10/11 list', who, 'select * from storage.objects', outcome
from (values ('visitor', '42501'), ('agency', '1'), ('vendor', '1'), ('admin', '0'), ('service', '4')) as cell (who, outcome);
insert into act
select 'ST-2 to 4 add ' || path, 'agency', format('insert into storage.objects (bucket_id, name) values (%L, %L)', bucket, path), outcome
from (values ('images', tests.id('agency') || '/cover-1.png', '1'), ('images', tests.id('vendor') || '/cover-1.png', '42501'), ('images', 'cover.png', '42501'),
  ('images', tests.id('agency') || 'x/cover.png', '42501'), ('images', tests.id('agency')::text, '42501'), ('images', '/' || tests.id('agency') || '/cover.png', '42501'),
  ('other', tests.id('agency') || '/cover.png', '42501')) as cell (bucket, path, outcome);
insert into act
select 'ST-5/6 replace ' || whose, 'agency', format('update storage.objects set metadata = ''{}'' where name = %L', tests.id(whose) || '/logo-1.png'), outcome
from (values ('agency', '1'), ('vendor', '0')) as cell (whose, outcome);
insert into act
select 'ST-9 move to ' || whose, 'agency', format('update storage.objects set name = %L where name = %L', tests.id(whose) || '/moved.png', tests.id('agency') || '/logo-1.png'), outcome
from (values ('agency', '1'), ('vendor', '42501')) as cell (whose, outcome);
-- Without a condition only the policy for the act speaks, not the one for reading.
insert into act
select 'all there is: ' || act, 'agency', act, outcome
from (values ('update storage.objects set metadata = ''{}''', '1'), ('delete from storage.objects', '1'),
  (format('update storage.objects set name = %L', tests.id('vendor') || '/moved.png'), '42501')) as cell (act, outcome);
insert into act values
  ('ST-7/8 delete what can be', 'agency', 'delete from storage.objects where name like ''%logo-1.png''', '1'),
  ('ST-8 delete', 'visitor', 'delete from storage.objects', '42501'),
  ('ST-13 buckets', 'agency', 'select * from storage.buckets', '42501'),
  ('ST-13 buckets', 'agency', 'insert into storage.buckets (id, name) values (''mine'', ''mine'')', '42501'),
  ('ST-13 buckets', 'superadmin', 'update storage.buckets set public = false', '42501'),
  ('ST-13 buckets', 'service', 'update storage.buckets set public = false where id = ''images''', '1');

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

set local storage.allow_delete_query = 'false';
select is(tests.outcome('agency', 'delete from storage.objects'), '42501', 'not without the storage service, which removes the bytes too');
set local role storage_admin;
select is((select count(*) from storage.objects), 4::bigint, 'the storage service sees all');
insert into storage.buckets (id, name) values ('third', 'third');
select is((select count(*) from storage.buckets), 3::bigint, 'and keeps the buckets');
reset role;

select is(storage.foldername('a/b/c.png'), array['a', 'b'], 'foldername');
select is(storage.foldername('c.png'), '{}'::text[], 'foldername of a bare name');
select is(storage.filename('a/b/c.png'), 'c.png', 'filename');
select is(storage.extension('a/b/c.tar.gz'), 'gz', 'extension');
select results_eq('select public, file_size_limit, allowed_mime_types from storage.buckets where id = ''images''',
  $$values (true, 10485760::bigint, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])$$, 'the bucket images');

\ir ../finish.sql
