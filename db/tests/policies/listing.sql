-- The keys that sort listings of storage.objects: folders and names without regard to case, then by case, and each folder before
-- what is in it.
\ir ../setup.sql

select is(storage.folder_key(name), wanted, 'the folder of ' || name)
from (values ('c', ''), ('Ab/c', e'ab\x01Ab/'), ('A/b/C', e'a\x01A/b\x01b/'), ('a/', e'a\x01a/')) as folder (name, wanted);
select is(storage.sort_key(name), wanted, 'the key of ' || name)
from (values ('Cd', e'cd\x01Cd'), ('Ab/Cd', e'cd\x01Cd'), ('a/', e'\x01')) as key (name, wanted);

insert into storage.objects (bucket_id, name)
select 'images', name from unnest(array['b', 'B', 'a/z', 'A/y', 'a/b/c', 'a0', 'a']) as name;
select results_eq($$select name from storage.objects where bucket_id = 'images' order by folder_key, sort_key$$,
  array['a', 'a0', 'B', 'b', 'A/y', 'a/z', 'a/b/c'], 'objects are sorted by folder, then by name');
select is(count(*), 0::bigint, 'no object is without its keys') from storage.objects where folder_key is null or sort_key is null;

\ir ../finish.sql
