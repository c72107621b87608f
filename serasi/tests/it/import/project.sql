-- The database of a small Supabase project: the platform's roles and schemas, the tables of its auth and storage servers,
-- and a project with two users, their notes, a policy for pictures, and objects that can't be imported.
create role supabase_admin superuser;
create role supabase_auth_admin nologin;
create role supabase_storage_admin nologin;
create role dashboard_user nologin;
create role anon nologin;
create role authenticated nologin;
create role service_role nologin bypassrls;
create role authenticator noinherit login;

create schema extensions;
create schema auth authorization supabase_auth_admin;
create schema storage authorization supabase_storage_admin;
create schema realtime;
create schema vault;
create schema private;
create extension pgcrypto schema extensions;
create extension "uuid-ossp" schema extensions;
create extension citext schema extensions;
grant usage on schema public, auth, storage, extensions to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;

-- The tables of the auth server.
create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create table auth.users (
  instance_id uuid,
  id uuid not null primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique default null,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0,
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false,
  constraint users_email_change_confirm_status_check check (email_change_confirm_status >= 0 and email_change_confirm_status <= 2)
);
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
create table auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid not null default gen_random_uuid() primary key,
  unique (provider_id, provider)
);
create table auth.sessions (
  id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade, created_at timestamptz, aal auth.aal_level);
create table auth.refresh_tokens (
  id bigserial primary key, token varchar(255), user_id varchar(255), session_id uuid references auth.sessions (id) on delete cascade);
create table auth.one_time_tokens (id uuid primary key, user_id uuid not null references auth.users (id), token_hash text not null);
create table auth.mfa_factors (id uuid primary key, user_id uuid not null references auth.users (id), factor_type auth.factor_type, secret text);
create table auth.sso_providers (id uuid primary key, resource_id text);
create table auth.schema_migrations (version varchar(14) primary key);
create function auth.uid() returns uuid language sql stable as
$$ select nullif(current_setting('request.jwt.claims', true)::jsonb ->> 'sub', '')::uuid $$;
create function auth.role() returns text language sql stable as $$ select current_setting('request.jwt.claims', true)::jsonb ->> 'role' $$;
create function auth.email() returns text language sql stable as $$ select current_setting('request.jwt.claims', true)::jsonb ->> 'email' $$;
create function auth.jwt() returns jsonb language sql stable as $$ select current_setting('request.jwt.claims', true)::jsonb $$;

-- The tables of the storage server.
create type storage.buckettype as enum ('STANDARD', 'ANALYTICS');
create table storage.buckets (
  id text primary key, name text not null unique, owner uuid, created_at timestamptz default now(), updated_at timestamptz default now(),
  public boolean default false, avif_autodetection boolean default false, file_size_limit bigint, allowed_mime_types text[], owner_id text,
  type storage.buckettype not null default 'STANDARD'
);
create table storage.objects (
  id uuid not null default gen_random_uuid() primary key, bucket_id text references storage.buckets (id), name text, owner uuid,
  created_at timestamptz default now(), updated_at timestamptz default now(), last_accessed_at timestamptz default now(), metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored, version text, owner_id text, user_metadata jsonb, level integer
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create function storage.foldername(name text) returns text[] language plpgsql as
$$ begin return (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1]; end $$;
create function storage.update_updated_at_column() returns trigger language plpgsql as $$ begin new.updated_at = now(); return new; end $$;
create trigger update_objects_updated_at before update on storage.objects for each row execute function storage.update_updated_at_column();
alter table storage.objects enable row level security;
alter table storage.buckets enable row level security;
alter table auth.users enable row level security;

-- Other parts of the platform.
create table realtime.messages (id bigint);
create table vault.secrets (id uuid primary key, name text, secret text);
insert into vault.secrets values (gen_random_uuid(), 'stripe', 'x');
create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$ begin notify pgrst, 'reload schema'; end $$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();

-- The project.
create type public.mood as enum ('calm', 'busy; "quite"');
create table public.members (
  id uuid primary key references auth.users (id) on delete cascade,
  nickname extensions.citext not null unique,
  mood public.mood not null default 'calm',
  joined_at timestamptz not null default now()
);
create table public.notes (
  id bigint generated by default as identity primary key,
  token uuid not null default extensions.uuid_generate_v4(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  body text not null check (body <> ''),
  length integer generated always as (char_length(body)) stored,
  changed_at timestamptz not null default now()
);
create index notes_owner on public.notes (owner);
create table public.countries (code char(2) primary key, name text not null);
create table private.plans (member uuid primary key references public.members (id) on delete cascade, plan text not null);

create function public.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.members (id, nickname) values (new.id, coalesce(new.raw_user_meta_data ->> 'nickname', split_part(new.email, '@', 1)));
  return new;
end $$;
create trigger on_auth_user_created after insert on auth.users for each row execute function public.handle_new_user();
create function public.touch() returns trigger language plpgsql as $$ begin new.changed_at = clock_timestamp(); return new; end; $$;
create trigger touch before update on public.notes for each row execute function public.touch();
create function private.has_plan(wanted text) returns boolean language sql stable security definer set search_path = '' as
$$ select exists (select from private.plans where member = auth.uid() and plan = wanted) $$;
create function public.count_words(note bigint) returns integer language sql stable
begin atomic
  select case when body = '' then 0 else cardinality(string_to_array(body, ' ')) end from public.notes where id = note;
end;
create view public.calm_members with (security_invoker = true) as select id, nickname from public.members where mood = 'calm';
create materialized view public.note_counts as select owner, count(*) as notes from public.notes group by owner;
revoke all on public.note_counts from anon, authenticated;
grant usage on schema private to authenticated;
revoke all on function private.has_plan(text) from public;
grant execute on function private.has_plan(text) to authenticated;

alter table public.members enable row level security;
alter table public.notes enable row level security;
create policy "members are seen by members" on public.members for select to authenticated using (true);
create policy "people change themselves" on public.members for update to authenticated using ((select auth.uid()) = id);
create policy "own notes; all of them" on public.notes to authenticated
  using (owner = auth.uid() and auth.role() = 'authenticated' and auth.jwt() ->> 'email' = auth.email()) with check (owner = auth.uid());
create policy "plans see notes" on public.notes for select to authenticated using (private.has_plan('team'));
create policy "people read their own folder" on storage.objects for select to authenticated
  using (bucket_id = 'documents' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people write their own folder" on storage.objects for insert to authenticated
  with check (bucket_id = 'documents' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "everybody lists faces" on storage.objects for select using (bucket_id = 'avatars');
create policy "everybody lists public buckets" on storage.buckets for select to anon using (public);
comment on table public.notes is 'What people wrote; "quoted"';
comment on policy "own notes; all of them" on public.notes is 'owners';
create publication supabase_realtime for table public.notes;

-- Users with bcrypt hashes of their passwords. The trigger adds rows to `members`.
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, recovery_token,
  email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, is_sso_user, banned_until)
select '00000000-0000-0000-0000-000000000000', id::uuid, 'authenticated', 'authenticated', email,
  extensions.crypt('correct horse', extensions.gen_salt('bf')), '2025-03-04 05:06:07+00', '', '', '', '',
  '{"provider": "email", "providers": ["email"], "marketplace_role": "superadmin", "plan": "team"}',
  json_build_object('nickname', name, 'user_type', 'member', 'text', E'tab\t, line\n and \\ "quotes"'), '2025-01-02 03:04:05+00', now(), false, banned::timestamptz
from (values
  ('a11ce000-0000-4000-8000-000000000001', 'alice@project.test', 'Alice', null),
  ('b0b00000-0000-4000-8000-000000000002', 'bob@project.test', 'Bob', null),
  ('ca401000-0000-4000-8000-000000000003', 'carol@project.test', 'Carol', '2999-01-01')) as people (id, email, name, banned);
insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
select id, id, json_build_object('sub', id, 'email', email, 'email_verified', true), 'email', now(), now() from auth.users;
insert into auth.identities (provider_id, user_id, identity_data, provider) values ('4711', 'b0b00000-0000-4000-8000-000000000002', '{"sub": "4711"}', 'github');
insert into auth.sessions (id, user_id, aal) select gen_random_uuid(), id, 'aal1' from auth.users;
insert into auth.refresh_tokens (token, user_id, session_id) select 'abcdefghijkl', user_id, id from auth.sessions;
insert into auth.mfa_factors select gen_random_uuid(), id, 'totp', 'SECRET' from auth.users where email like 'alice%';
insert into auth.schema_migrations values ('20240101000000');

insert into public.notes (owner, body) values
  ('a11ce000-0000-4000-8000-000000000001', E'first; of two\n\\.\n''quoted'''), ('a11ce000-0000-4000-8000-000000000001', 'second'),
  ('b0b00000-0000-4000-8000-000000000002', 'of Bob');
insert into public.countries values ('MY', 'Malaysia'), ('SG', 'Singapore');
insert into private.plans values ('ca401000-0000-4000-8000-000000000003', 'team');
refresh materialized view public.note_counts;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('avatars', 'avatars', true, 1000000, '{image/png,text/plain}'), ('documents', 'documents', false, null, null), ('images', 'images', true, null, null);
insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata) values
  ('avatars', 'alice/face.txt', 'a11ce000-0000-4000-8000-000000000001', 'a11ce000-0000-4000-8000-000000000001', 'v1',
    '{"eTag": "\"5d41402abc4b2a76b9719d911017c592\"", "size": 5, "mimetype": "text/plain", "cacheControl": "max-age=3600"}'),
  ('documents', 'a11ce000-0000-4000-8000-000000000001/plan.txt', 'a11ce000-0000-4000-8000-000000000001', 'a11ce000-0000-4000-8000-000000000001', 'v2',
    '{"eTag": "\"7d793037a0760186574b0282f2f435e7\"", "size": 5, "mimetype": "text/plain", "cacheControl": "no-cache"}');
