-- Where uploaded files are and whose they are; the bytes are the storage service's.
set local role serasi_owner;

create function storage.path_parts(name text) returns text[]
language sql immutable parallel safe as $$ select string_to_array(name, '/') $$;

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
  constraint buckets_name_key unique (name),
  constraint buckets_name_max_100 check (char_length(name) between 1 and 100)
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
  constraint objects_bucket_name_key unique (bucket_id, name),
  constraint objects_name_max_1024_bytes check (octet_length(name) between 1 and 1024)
);
-- Prefix listings compare byte-wise, whatever the database's collation is.
create index objects_bucket_name_prefix on storage.objects (bucket_id, name collate "C");
create index objects_owner on storage.objects (owner_id);

reset role;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('images', 'images', true, 10485760, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);
