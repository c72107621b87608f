-- Backups, reports of programs, and how long rows are kept.
set local role serasi_owner;

-- The backups that were requested or made. `serasi backup` and `serasi verify` write here.
create table serasi.backups (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- Refers to nothing, because the history outlives accounts.
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
  constraint backups_started check ((started_at is null) = (state = 'requested')),
  constraint backups_finished check ((finished_at is not null) = (state in ('complete', 'failed'))),
  constraint backups_step_known check (step in ('tables', 'pictures', 'verify')),
  constraint backups_percent_range check (percent between 0 and 100),
  constraint backups_place_max_1000 check (length(place) <= 1000),
  constraint backups_complete check (
    state <> 'complete' or (place is not null and bytes is not null and row_count is not null and picture_count is not null)),
  constraint backups_verified check ((verified is null) = (verified_at is null)),
  constraint backups_error_max_500 check (length(error) <= 500)
);
create index backups_newest on serasi.backups (created_at desc, id desc);
create index backups_requested_at on serasi.backups (requested_by, created_at);
create index backups_place on serasi.backups (place);
-- One request or one backup at a time.
create unique index backups_one_open on serasi.backups ((true)) where state in ('requested', 'running');

-- What programs report about themselves and their disks, once per minute.
create table serasi.system_reports (
  name text primary key,
  data jsonb not null,
  reported_at timestamptz not null default now(),
  constraint system_reports_name_known check (name in ('backups', 'disk database', 'disk images', 'disk backups')),
  constraint system_reports_data_object check (jsonb_typeof(data) = 'object'),
  constraint system_reports_data_max_2000 check (length(data::text) <= 2000)
);

-- How long rows are kept. Tables without a period: 'owner' (bounded by limits, and deleted with its account), 'service' (pruned by
-- the service that writes it, see note) and 'reference' (does not grow).
create table serasi.retention (
  relation text not null,
  name text not null,
  bound text not null,
  keeps interval,
  -- When the period begins. serasi.tick_retention() deletes in batches in its order, which needs an index.
  moment text,
  -- Which rows end.
  only_if text not null default 'true',
  -- Which of their columns, if not the row.
  clears text,
  note text not null,
  primary key (relation, name),
  constraint retention_bound_known check (bound in ('period', 'function', 'owner', 'service', 'reference')),
  constraint retention_period_given check ((bound in ('period', 'function')) = (keeps is not null)),
  constraint retention_keeps_positive check (keeps >= '0'),
  constraint retention_moment_given check ((bound = 'period') = (moment is not null))
);

reset role;
insert into serasi.retention (relation, name, bound, keeps, moment, only_if, clears, note) values
  ('auth.users', 'unconfirmed', 'function', '30 days', null, default, null, 'the address was never confirmed, and nobody ever signed in'),
  ('auth.sessions', 'ended', 'function', '7 days', null, default, null, 'tells clients why a session ended'),
  ('auth.sessions', 'unused', 'function', '1 year', null, default, null, 'for sessions without a lifetime'),
  ('auth.refresh_tokens', 'used', 'function', '30 days', null, default, null, 'using one again ends the session'),
  ('auth.one_time_tokens', 'rows', 'period', '30 days', 'created_at', default, null, 'links and codes expire earlier'),
  ('auth.flow_state', 'rows', 'period', '30 days', 'created_at', default, null, 'links expire earlier'),
  ('auth.sign_in_failures', 'rows', 'period', '7 days', 'created_at', default, null, 'the auth service counts a shorter time'),
  ('auth.mail_allowances', 'rows', 'period', '1 hour', 'used_until', default, null, 'limits mails per hour'),
  ('auth.mfa_challenges', 'rows', 'period', '1 hour', 'created_at', default, null, 'expire earlier'),
  ('auth.mfa_failures', 'rows', 'period', '1 hour', 'created_at', default, null, 'limits wrong codes'),
  ('auth.mfa_factors', 'unverified', 'period', '1 day', 'created_at', 'verified_at is null', null, 'abandoned attempts');
insert into serasi.retention (relation, name, bound, note)
select relation, 'rows', bound, note from (values
  ('owner', 'deleted with the account or profile', '{auth.identities,auth.mfa_recovery_codes,storage.objects}'),
  ('owner', 'limited per day', '{auth.users}'),
  ('service', 'the auth service: 30 days after a mail was delivered or given up', '{serasi.mail_outbox}'),
  ('service', '`serasi backup` keeps the newest', '{serasi.backups}'),
  ('service', 'the storage service: until the file is removed', '{storage.removals}'),
  ('reference', 'a row for each template, period, program, bucket or setting', '{serasi.mail_templates,serasi.retention,serasi.system_reports,storage.buckets,auth.settings}')
) as bounds (bound, note, relations), unnest(relations::text[]) as relation;
