-- Links and codes that are mailed, each with a hash of its own; PKCE; how far a change of address has come.
set local role serasi_owner;

-- A sign-in that began with a challenge (RFC 7636): the code that a mailed link brings is worth nothing without its verifier.
create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  authentication_method text not null,
  code_challenge text not null,
  code_challenge_method text not null,
  auth_code_hash text,
  auth_code_issued_at timestamptz,
  created_at timestamptz not null default now(),
  constraint flow_state_auth_code_hash_key unique (auth_code_hash),
  constraint flow_state_authentication_method_known check (authentication_method in
    ('email/signup', 'recovery', 'magiclink', 'email_change')),
  constraint flow_state_code_challenge_method_known check (code_challenge_method in ('s256', 'plain')),
  constraint flow_state_code_challenge_43_to_128 check (code_challenge ~ '^[A-Za-z0-9._~-]{43,128}$'),
  constraint flow_state_issued_with_its_code check ((auth_code_hash is null) = (auth_code_issued_at is null))
);
create index flow_state_user_id on auth.flow_state (user_id, authentication_method);

-- token_hash is the link's: too long to guess. A code has six digits, so guesses at it are counted.
alter table auth.one_time_tokens
  add column code_hash text,
  add column attempts integer not null default 0,
  add column flow_state_id uuid references auth.flow_state (id) on delete cascade,
  add constraint one_time_tokens_attempts_counted check (attempts >= 0);
create index one_time_tokens_relates_to on auth.one_time_tokens (relates_to);
create index one_time_tokens_flow_state_id on auth.one_time_tokens (flow_state_id);

-- Of the two halves of a change, one is confirmed.
alter table auth.users
  add column email_change_confirm_status smallint not null default 0,
  add constraint users_email_change_confirm_status_known check (email_change_confirm_status in (0, 1));

reset role;
