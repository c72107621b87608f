-- What admins did: who, what, to whom, when. Names are kept as they were then, and nothing refers to
-- another table: the log outlives whom it tells of.
set local role serasi_owner;

create table app.audit_log (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  actor_id uuid,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  subject text,
  details jsonb not null default '{}',
  constraint audit_log_action_known check (action in (
    'approve', 'unapprove', 'set_badge', 'set_access', 'set_subscription', 'delete_profile', 'grant_role', 'revoke_role')),
  constraint audit_log_subject_type_known check (subject_type in ('influencer', 'agency', 'vendor', 'account')),
  constraint audit_log_details_object check (jsonb_typeof(details) = 'object')
);
create index audit_log_newest on app.audit_log (created_at desc, id desc);
create index audit_log_newest_of_action on app.audit_log (action, created_at desc, id desc);
create index audit_log_newest_of_actor on app.audit_log (actor_id, created_at desc, id desc);
create index audit_log_newest_of_subject on app.audit_log (subject_id, created_at desc, id desc);

reset role;
