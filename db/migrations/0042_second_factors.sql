-- Second factors: one-time codes of an authenticator app, and recovery codes. Who has one must use it to act as an admin
-- (functions/app_access.sql).
set local role serasi_owner;

-- `secret` is encrypted by the auth service with a key that derives from its own secret; `secret_key_id` says which.
-- `last_step`: the newest 30-second step whose code was used. Neither it nor an older one is accepted again.
create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  secret bytea not null,
  secret_key_id text not null,
  last_step bigint,
  verified_at timestamptz,
  last_challenged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint mfa_factors_friendly_name_key unique (user_id, friendly_name),
  constraint mfa_factors_friendly_name_max_100 check (char_length(friendly_name) <= 100)
);
-- After a change of the auth service's secret, the secrets with another key are encrypted again.
create index mfa_factors_secret_key_id on auth.mfa_factors (secret_key_id);
create index mfa_factors_unverified on auth.mfa_factors (created_at) where verified_at is null;

create table auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  ip inet,
  created_at timestamptz not null
);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id, created_at);

-- A used code is deleted. Only hashes are kept: each code has 80 random bits.
create table auth.mfa_recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);

-- Wrong codes of an account. created_at: the first of these failures.
create table auth.mfa_failures (
  user_id uuid primary key references auth.users (id) on delete cascade,
  failures integer not null,
  created_at timestamptz not null,
  constraint mfa_failures_failures_counted check (failures > 0)
);

-- What the database must know of the auth service's settings; the service writes them when it starts.
-- `sessions_swept_to`: how far app.tick_sessions() has come.
create table auth.settings (
  only_row boolean primary key default true,
  admin_mfa_required boolean not null default false,
  session_time_box interval,
  session_inactivity_timeout interval,
  sessions_swept_to uuid not null default '00000000-0000-0000-0000-000000000000',
  constraint settings_one_row check (only_row)
);

-- `factor_id`: the factor of the second step. No foreign key: a trigger ends the step when the factor is removed.
-- `ended_at`: when all its refresh tokens were revoked, because one was used twice.
alter table auth.sessions
  add column factor_id uuid,
  add column ended_at timestamptz;

alter table app.mail_outbox
  drop constraint mail_outbox_template_known,
  add constraint mail_outbox_template_known check (template in (
    'confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication', 'approved',
    'enquiry_received', 'enquiry_reminder', 'enquiry_answered', 'enquiry_withdrawn', 'enquiry_expired',
    'application_received', 'application_decided', 'application_withdrawn', 'gig_closing', 'gig_closed',
    'collaboration_completed', 'collaboration_cancelled', 'review_invited', 'review_published', 'review_replied',
    'report_decided', 'content_moderated', 'digest',
    'guest_enquiry_confirm', 'guest_enquiry_answered', 'guest_enquiry_expired', 'guest_collaboration_ended', 'guest_review',
    'factor_added', 'factor_reset'));

alter table app.audit_log
  drop constraint audit_log_action_known,
  add constraint audit_log_action_known check (action in (
    'approve', 'unapprove', 'set_badge', 'set_access', 'set_subscription', 'delete_profile', 'grant_role', 'revoke_role',
    'request_backup',
    'take_report', 'uphold_report', 'dismiss_report', 'hide_review', 'close_gig', 'cancel_enquiry', 'block_sender',
    'unblock_sender', 'reset_factor'));

reset role;
