-- A user's own images are read from an index, with or without a filter. The statements of listings are tested in
-- storage-service/src/store/listing/tests.rs.
\ir ../setup.sql
\ir ../crowd.sql

insert into storage.objects (bucket_id, name)
select 'images', pg_temp.seed_id('influencers', n % 2000) || '/photo-' || n || '.jpg' from generate_series(1, 20000) as n
union all select 'images', tests.id('agency') || '/logo-' || n || '.png' from generate_series(1, 20) as n;
analyze storage.objects;

create temporary table statement (name text, query text);
insert into statement values
  ('all objects', 'select * from storage.objects'),
  ('the objects of the bucket', 'select * from storage.objects where bucket_id = ''images'''),
  ('an update of all', 'update storage.objects set metadata = ''{}''');
select matches(pg_temp.plan('agency', query), 'Scan (using|on) objects_of_first_folder', name || ' are found by their first folder') from statement;
select doesnt_match(pg_temp.plan('agency', query), 'Seq Scan|Function Scan|foldername', name || ': no other row is read') from statement;
select is(pg_temp.rejected('agency', 'select * from storage.objects'), 0::bigint, 'no row is read and thrown away');
select matches(pg_temp.plan('agency', format('select * from storage.objects where bucket_id = ''images'' and name = %L', tests.id('agency') || '/logo-1.png')),
  'Index Scan using objects_bucket_name_key', 'one object is found by its key');

-- Operators' own policies may still call storage.foldername().
create policy "test: own papers" on storage.objects for select to authenticated
  using (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.uid())::text);
insert into storage.buckets (id, name) values ('papers', 'papers');
insert into storage.objects (bucket_id, name) values
  ('papers', tests.id('agency') || '/2026/a.pdf'), ('papers', tests.id('agency')::text), ('papers', tests.id('vendor') || '/b.pdf');
select is((select array_agg(name) from (select tests.reads('agency', 'select name from storage.objects where bucket_id = ''papers''')) as rows (name)),
  array[tests.id('agency') || '/2026/a.pdf'], 'storage.foldername() in a policy of one''s own');

\ir ../finish.sql
