-- Reports to the admins, what they decided, and the senders that they blocked.
set local role serasi_owner;

-- A closed gig is shown to its agency and to admins only.
alter table app.gigs add column closed_at timestamptz;

-- `subject_id` refers to nothing, because a report outlives its subject. `words`: what made the database report a text by
-- itself; such a report has no reporter.
create table app.reports (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  subject_id uuid not null,
  reporter_id uuid references app.profiles (id) on delete set null on update cascade,
  reason text not null,
  text text,
  words text[],
  snapshot jsonb not null,
  title text generated always as (left(snapshot ->> 'title', 200)) stored,
  state text not null default 'open',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint reports_kind_known check (kind in ('influencer', 'agency', 'vendor', 'gig', 'enquiry', 'application', 'review')),
  constraint reports_reason_known check (reason in ('scam', 'fake', 'spam', 'offensive', 'illegal', 'other', 'words')),
  constraint reports_words_explain check ((words is not null) = (reason = 'words')),
  constraint reports_words_max_10 check (cardinality(words) between 1 and 10),
  constraint reports_text_max_1000 check (char_length(text) <= 1000),
  constraint reports_text_of_other check (reason <> 'other' or coalesce(btrim(text, E' \t\r\n'), '') <> ''),
  constraint reports_snapshot_object check (jsonb_typeof(snapshot) = 'object'),
  constraint reports_state_known check (state in ('open', 'taken', 'upheld', 'dismissed')),
  constraint reports_decided check ((decided_at is not null) = (state in ('upheld', 'dismissed')))
);
-- The queue, of one state and perhaps one kind.
create index reports_of_state on app.reports (state, created_at, id);
create index reports_of_kind on app.reports (state, kind, created_at, id);
create index reports_of_reporter on app.reports (reporter_id, created_at desc, id desc);
create index reports_of_subject on app.reports (subject_id, created_at desc, id desc);
create unique index reports_one_open on app.reports (reporter_id, subject_id, kind) where state in ('open', 'taken');
create unique index reports_one_of_words on app.reports (subject_id, kind) where words is not null and state in ('open', 'taken');

-- The admins' part of a report. Ids of accounts refer to nothing, and admins are named as they were then, because the
-- decision outlives them.
create table app.report_decisions (
  report_id uuid primary key references app.reports (id) on delete cascade on update cascade,
  owner_id uuid,
  taken_by uuid,
  taker text,
  taken_at timestamptz,
  decided_by uuid,
  decider text,
  note text,
  actions text[] not null default '{}',
  constraint report_decisions_taken check ((taken_at is null) = (taker is null)),
  constraint report_decisions_note_max_1000 check (char_length(note) <= 1000),
  constraint report_decisions_actions_known check (
    actions <@ array['hide_review', 'close_gig', 'cancel_enquiry', 'block_sender'] and cardinality(actions) <= 4)
);

-- Who may send no more enquiries and applications. Of an e-mail address only the hash is stored: it also finds a guest, or
-- an account that was deleted and opened again.
create table app.blocked_senders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references app.profiles (id) on delete set null on update cascade,
  address_hash text,
  name text not null,
  reason text not null,
  blocked_by uuid,
  blocker text not null,
  created_at timestamptz not null default now(),
  constraint blocked_senders_name_max_254 check (char_length(name) <= 254),
  constraint blocked_senders_reason_max_1000 check (char_length(reason) <= 1000)
);
create unique index blocked_senders_user_id_key on app.blocked_senders (user_id);
create unique index blocked_senders_address_hash_key on app.blocked_senders (address_hash);
create index blocked_senders_newest on app.blocked_senders (created_at desc, id desc);

-- Admins cancel an enquiry.
alter table app.enquiries
  drop constraint enquiries_state_known,
  add constraint enquiries_state_known check (
    state in ('unconfirmed', 'open', 'accepted', 'declined', 'withdrawn', 'expired', 'cancelled'));

alter table app.audit_log
  drop constraint audit_log_action_known,
  drop constraint audit_log_subject_type_known,
  add constraint audit_log_action_known check (action in (
    'approve', 'unapprove', 'set_badge', 'set_access', 'set_subscription', 'delete_profile', 'grant_role', 'revoke_role',
    'request_backup',
    'take_report', 'uphold_report', 'dismiss_report', 'hide_review', 'close_gig', 'cancel_enquiry', 'block_sender',
    'unblock_sender')),
  add constraint audit_log_subject_type_known check (subject_type in (
    'influencer', 'agency', 'vendor', 'account', 'backup', 'gig', 'enquiry', 'application', 'review', 'guest'));

reset role;
