-- Where uploaded files are and whose they are; the storage service stores the bytes.
set local role serasi_owner;

create function storage.path_parts(name text) returns text[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select string_to_array(name, '/') $$;

-- Sorts folders without regard to case, then by case, and each folder before what is in it. 'Ab/c' is in 'ab<1>Ab/', where <1> is
-- a character that sorts below all others of a key.
create function storage.folder_key(name text) returns text
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select coalesce(string_agg(lower(part collate "C") || e'\x01' || part || '/', '' order by place), '')
  from unnest((string_to_array(name, '/'))[: cardinality(string_to_array(name, '/')) - 1]) with ordinality as parts (part, place)
$$;

-- Sorts the objects of one folder in the same way.
create function storage.sort_key(name text) returns text
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select lower(part collate "C") || e'\x01' || part from substring(name from '[^/]*$') as part
$$;

-- Generated columns call them with the privileges of the role that writes the row.
grant execute on function storage.path_parts(text), storage.folder_key(text), storage.sort_key(text)
  to anon, authenticated, service_role, storage_admin;

create table storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Supabase's columns.
  avif_autodetection boolean,
  type text,
  constraint buckets_name_max_100 check (char_length(name) between 1 and 100),
  constraint buckets_name_key unique (name)
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id),
  name text not null,
  owner uuid,
  owner_id text,
  version text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (storage.path_parts(name)) stored,
  -- Columns, because row security lets a condition on a function's result use no index.
  folder_key text collate "C" generated always as (storage.folder_key(name)) stored,
  sort_key text collate "C" generated always as (storage.sort_key(name)) stored,
  -- Supabase's column.
  level integer,
  constraint objects_name_max_1024_bytes check (octet_length(name) between 1 and 1024),
  constraint objects_bucket_name_key unique (bucket_id, name)
);
-- Prefix listings compare byte-wise, whatever the database's collation is.
create index objects_bucket_name_prefix on storage.objects (bucket_id, name collate "C");
create index objects_owner on storage.objects (owner_id);
-- The sweeper looks up which stored files a row names.
create index objects_version on storage.objects (version collate "C");
-- Listings and policies read from indexes, however many objects a folder or a bucket has.
create index objects_of_folder on storage.objects (bucket_id, folder_key, sort_key) include (id);
create index objects_of_folder_created on storage.objects (bucket_id, folder_key, created_at, id);
create index objects_of_folder_updated on storage.objects (bucket_id, folder_key, updated_at, id);
create index objects_of_bucket_created on storage.objects (bucket_id, created_at, id);
create index objects_of_bucket_updated on storage.objects (bucket_id, updated_at, id);
-- For policies on the first folder.
create index objects_of_first_folder on storage.objects (bucket_id, (path_tokens[1]));

-- Files to remove, until the storage service has removed the bytes and the row.
create table storage.removals (
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  queued_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  primary key (bucket_id, name),
  constraint removals_attempts_counted check (attempts >= 0)
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index removals_due on storage.removals (next_attempt_at);
