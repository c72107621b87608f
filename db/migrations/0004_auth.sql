-- Accounts and sessions, as the auth service keeps them.
set local role serasi_owner;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  new_email text,
  email_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  phone text,
  phone_confirmed_at timestamptz,
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_key unique (email),
  constraint users_email_lower_case check (email = lower(email)),
  constraint users_email_max_254 check (char_length(email) <= 254),
  constraint users_metadata_objects check (jsonb_typeof(raw_app_meta_data) = 'object' and jsonb_typeof(raw_user_meta_data) = 'object')
);
create index users_newest on auth.users (created_at desc, id desc);

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  email text generated always as (lower(identity_data ->> 'email')) stored,
  constraint identities_provider_key unique (provider_id, provider)
);
create index identities_user_id on auth.identities (user_id);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz,
  user_agent text,
  ip inet
);
create index sessions_user_id on auth.sessions (user_id, created_at);

-- Only a hash is kept: a dump of this table opens no session.
create table auth.refresh_tokens (
  id bigint generated always as identity primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_hash bytea not null,
  parent_id bigint references auth.refresh_tokens (id) on delete set null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint refresh_tokens_token_hash_key unique (token_hash)
);
create index refresh_tokens_session_id on auth.refresh_tokens (session_id, id);
create index refresh_tokens_user_id on auth.refresh_tokens (user_id);
create index refresh_tokens_parent_id on auth.refresh_tokens (parent_id);

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type text not null,
  token_hash text not null,
  relates_to text not null,
  created_at timestamptz not null default now(),
  constraint one_time_tokens_user_type_key unique (user_id, token_type),
  constraint one_time_tokens_type_known check (token_type in (
    'confirmation_token', 'reauthentication_token', 'recovery_token',
    'email_change_token_new', 'email_change_token_current', 'phone_change_token'))
);
create index one_time_tokens_token_hash on auth.one_time_tokens (token_hash);

reset role;
