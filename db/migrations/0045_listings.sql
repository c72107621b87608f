-- Listings and policies read storage.objects from indexes, however many objects a folder or a bucket has.
set local role serasi_owner;

-- Sorts folders without regard to case, then by case, and each folder before what is in it. 'Ab/c' is in 'ab<1>Ab/', where <1> is
-- a character that sorts below all others of a key.
create function storage.folder_key(name text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select coalesce(string_agg(lower(part collate "C") || e'\x01' || part || '/', '' order by place), '')
  from unnest((string_to_array(name, '/'))[: cardinality(string_to_array(name, '/')) - 1]) with ordinality as parts (part, place)
$$;

-- Sorts the objects of one folder in the same way.
create function storage.sort_key(name text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select lower(part collate "C") || e'\x01' || part from substring(name from '[^/]*$') as part
$$;

-- Columns, because row security lets a condition on a function's result use no index.
alter table storage.objects
  add column folder_key text collate "C" generated always as (storage.folder_key(name)) stored,
  add column sort_key text collate "C" generated always as (storage.sort_key(name)) stored;

create index objects_of_folder on storage.objects (bucket_id, folder_key, sort_key) include (id);
create index objects_of_folder_created on storage.objects (bucket_id, folder_key, created_at, id);
create index objects_of_folder_updated on storage.objects (bucket_id, folder_key, updated_at, id);
create index objects_of_bucket_created on storage.objects (bucket_id, created_at, id);
create index objects_of_bucket_updated on storage.objects (bucket_id, updated_at, id);
-- For policies on the first folder.
create index objects_of_first_folder on storage.objects (bucket_id, (path_tokens[1]));

reset role;
