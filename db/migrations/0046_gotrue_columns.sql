-- The columns of auth.users that Supabase's auth server has and ours does not use, so that seeds and dumps of a Supabase project
-- run unchanged. Tokens are one-time secrets: only the auth service may read this table, and it does not use them.

-- Seeds hash passwords with `crypt('…', gen_salt('bf'))`. Nobody but superusers may call these functions.
create extension if not exists pgcrypto schema extensions;

set local role serasi_owner;

-- As in Supabase, a token that was not issued is ''. confirmed_at rewrites the table: about a second per 500,000 accounts.
alter table auth.users
  add column instance_id uuid,
  add column confirmation_token text default '',
  add column recovery_token text default '',
  add column email_change_token_new text default '',
  add column email_change text default '',
  add column email_change_token_current text default '',
  add column phone_change text default '',
  add column phone_change_token text default '',
  add column phone_change_sent_at timestamptz,
  add column reauthentication_token text default '',
  add column is_super_admin boolean,
  add column is_sso_user boolean not null default false,
  add column confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored;

reset role;
