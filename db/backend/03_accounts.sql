-- Accounts, and their identities with providers, as the auth service stores them.
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
  -- Which of the two addresses of a change is confirmed.
  email_change_confirm_status smallint not null default 0,
  -- Taken from a sign-up, and not proved by mail or vouched for by an operator since. Anybody can sign up with somebody
  -- else's address: the first proof by mail ends what was set up before (auth-service/src/verification.rs).
  email_unproved boolean not null default false,
  -- Two sign-ups named this address with different passwords, so neither of them is the owner's for sure.
  password_contested boolean not null default false,
  -- From here on: columns of Supabase's auth server that ours does not use, so that seeds and dumps of a Supabase project run
  -- unchanged. As there, a token that was not issued is ''.
  instance_id uuid,
  confirmation_token text default '',
  recovery_token text default '',
  email_change_token_new text default '',
  email_change text default '',
  email_change_token_current text default '',
  phone_change text default '',
  phone_change_token text default '',
  phone_change_sent_at timestamptz,
  reauthentication_token text default '',
  is_super_admin boolean,
  is_sso_user boolean not null default false,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  constraint users_email_lower_case check (email = lower(email)),
  constraint users_email_max_254 check (char_length(email) <= 254),
  constraint users_email_key unique (email),
  constraint users_metadata_objects check (jsonb_typeof(raw_app_meta_data) = 'object' and jsonb_typeof(raw_user_meta_data) = 'object'),
  constraint users_phone_key unique (phone),
  constraint users_phone_digits check (phone ~ '^[1-9][0-9]{1,14}$'),
  constraint users_email_change_confirm_status_known check (email_change_confirm_status in (0, 1))
) with (fillfactor = 90);
create index users_newest on auth.users (created_at desc, id desc);
create index users_unconfirmed on auth.users (created_at) where email_unproved and email_confirmed_at is null;

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

-- What the database must know of the auth service's settings; the service writes them when it starts.
create table auth.settings (
  only_row boolean primary key default true,
  admin_mfa_required boolean not null default false,
  session_time_box interval,
  session_inactivity_timeout interval,
  -- How far serasi.tick_sessions() has come.
  sessions_swept_to uuid not null default '00000000-0000-0000-0000-000000000000',
  -- When an app last replaced the planner's statistics of a table, and how many rows there were.
  statistics_at timestamptz,
  statistics_of real,
  constraint settings_one_row check (only_row)
);
