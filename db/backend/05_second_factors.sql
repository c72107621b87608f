-- Second factors: one-time codes of an authenticator app, and recovery codes.
set local role serasi_owner;

create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  -- Encrypted by the auth service with a key that derives from its own secret; secret_key_id says which.
  secret bytea not null,
  secret_key_id text not null,
  -- The newest 30-second step whose code was used. Neither it nor an older one is accepted again.
  last_step bigint,
  verified_at timestamptz,
  last_challenged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Supabase's columns.
  factor_type text,
  status text,
  phone text,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_webauthn_challenge_data jsonb,
  constraint mfa_factors_friendly_name_max_100 check (char_length(friendly_name) <= 100),
  constraint mfa_factors_friendly_name_key unique (user_id, friendly_name)
);
-- After a change of the auth service's secret, the secrets with another key are encrypted again.
create index mfa_factors_secret_key_id on auth.mfa_factors (secret_key_id);
create index mfa_factors_unverified on auth.mfa_factors (created_at) where verified_at is null;

create table auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  ip inet,
  created_at timestamptz not null,
  -- Supabase's columns.
  verified_at timestamptz,
  ip_address inet,
  otp_code text,
  web_authn_session_data jsonb
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id, created_at);
create index mfa_challenges_created_at on auth.mfa_challenges (created_at);

-- A used code is deleted. Only hashes are stored: each code has 80 random bits.
create table auth.mfa_recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);

-- Wrong codes of an account.
create table auth.mfa_failures (
  user_id uuid primary key references auth.users (id) on delete cascade,
  failures integer not null,
  -- The first of these failures.
  created_at timestamptz not null,
  constraint mfa_failures_failures_counted check (failures > 0)
);
create index mfa_failures_created_at on auth.mfa_failures (created_at);
