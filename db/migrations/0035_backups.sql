-- The backups that were requested or made. `serasi backup` and `serasi verify` write here; `requested_by` refers to
-- nothing, because the history outlives accounts.
set local role serasi_owner;

create table app.backups (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  requested_by uuid,
  state text not null,
  started_at timestamptz,
  finished_at timestamptz,
  step text,
  percent smallint,
  place text,
  bytes bigint,
  row_count bigint,
  picture_count bigint,
  verified_at timestamptz,
  verified boolean,
  removed_at timestamptz,
  error text,
  constraint backups_state_known check (state in ('requested', 'running', 'complete', 'failed')),
  constraint backups_step_known check (step in ('tables', 'pictures', 'verify')),
  constraint backups_percent_range check (percent between 0 and 100),
  constraint backups_place_max_1000 check (length(place) <= 1000),
  constraint backups_error_max_500 check (length(error) <= 500),
  constraint backups_started check ((started_at is null) = (state = 'requested')),
  constraint backups_finished check ((finished_at is not null) = (state in ('complete', 'failed'))),
  constraint backups_complete check (
    state <> 'complete' or (place is not null and bytes is not null and row_count is not null and picture_count is not null)),
  constraint backups_verified check ((verified is null) = (verified_at is null))
);
create index backups_newest on app.backups (created_at desc, id desc);
create index backups_requested_at on app.backups (requested_by, created_at);
create index backups_place on app.backups (place);
-- One request or one backup at a time.
create unique index backups_one_open on app.backups ((true)) where state in ('requested', 'running');

-- What programs report about themselves and their disks, once per minute.
create table app.system_reports (
  name text primary key,
  data jsonb not null,
  reported_at timestamptz not null default now(),
  constraint system_reports_name_known check (name in ('backups', 'disk database', 'disk images', 'disk backups')),
  constraint system_reports_data_object check (jsonb_typeof(data) = 'object'),
  constraint system_reports_data_max_2000 check (length(data::text) <= 2000)
);

alter table app.audit_log
  drop constraint audit_log_action_known,
  drop constraint audit_log_subject_type_known,
  add constraint audit_log_action_known check (action in (
    'approve', 'unapprove', 'set_badge', 'set_access', 'set_subscription', 'delete_profile', 'grant_role', 'revoke_role',
    'request_backup')),
  add constraint audit_log_subject_type_known check (subject_type in ('influencer', 'agency', 'vendor', 'account', 'backup'));

reset role;
