-- The work of admins: what they decide about profiles, the log of what they did, reports to them, and the senders that they blocked.
set local role serasi_owner;

-- A row for each profile. `approved` and `badge_type` are copied into the profile, where lists read them. Agencies and vendors
-- need no approval.
create table app.moderation (
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  kind text not null,
  approved boolean not null default false,
  badge_type text not null default 'none',
  access_influencer_page boolean not null default true,
  access_agencies_page boolean not null default true,
  access_events_page boolean not null default true,
  access_gigs_page boolean not null default true,
  subscription_start_date timestamptz,
  subscription_end_date timestamptz,
  primary key (user_id, kind),
  constraint moderation_kind_known check (kind in ('influencer', 'agency', 'vendor')),
  constraint moderation_approves_influencers check (kind = 'influencer' or not approved),
  constraint moderation_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum')),
  constraint moderation_subscription_dates_plausible check (
    app.is_subscription_date(subscription_start_date) and app.is_subscription_date(subscription_end_date)),
  constraint moderation_subscription_dates_in_order check (subscription_end_date >= subscription_start_date)
);

-- `report_kinds`: what a report must be about so that admins who uphold it can do this.
create table app.audit_actions (
  action text primary key,
  report_kinds text[] not null default '{}'
);

-- Who, what, to whom, when. Names are stored as they were then, and nothing refers to another table: the log outlives its subjects.
create table app.audit_log (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  actor_id uuid,
  actor app.label not null,
  action text not null references app.audit_actions (action),
  subject_type text not null,
  subject_id uuid not null,
  subject app.label,
  details jsonb not null default '{}',
  constraint audit_log_subject_type_known check (subject_type in (
    'influencer', 'agency', 'vendor', 'account', 'backup', 'gig', 'enquiry', 'application', 'review', 'guest')),
  constraint audit_log_details_object check (jsonb_typeof(details) = 'object')
);
create index audit_log_newest on app.audit_log (created_at desc, id desc);
create index audit_log_newest_of_action on app.audit_log (action, created_at desc, id desc);
create index audit_log_newest_of_actor on app.audit_log (actor_id, created_at desc, id desc);
create index audit_log_newest_of_subject on app.audit_log (subject_id, created_at desc, id desc);
create index audit_log_search on app.audit_log using gin (subject app.label_trigrams, actor app.label_trigrams) with (gin_pending_list_limit = 256);

create table app.reports (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- Refers to nothing, because a report outlives its subject.
  subject_id uuid not null,
  reporter_id uuid references app.profiles (id) on delete set null on update cascade,
  reason text not null,
  text text,
  -- What made the database report a text by itself; such a report has no reporter.
  words text[],
  snapshot jsonb not null,
  title text generated always as (left(snapshot ->> 'title', 200)) stored,
  state text not null default 'open',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint reports_kind_known check (kind in ('influencer', 'agency', 'vendor', 'gig', 'enquiry', 'application', 'review')),
  constraint reports_reason_known check (reason in ('scam', 'fake', 'spam', 'offensive', 'illegal', 'other', 'words')),
  constraint reports_text_max_1000 check (char_length(text) <= 1000),
  constraint reports_text_of_other check (reason <> 'other' or coalesce(btrim(text, E' \t\r\n'), '') <> ''),
  constraint reports_words_explain check ((words is not null) = (reason = 'words')),
  constraint reports_words_max_10 check (cardinality(words) between 1 and 10),
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
create index reports_of_decided on app.reports (decided_at) where decided_at is not null;

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
  constraint report_decisions_note_max_1000 check (char_length(note) <= 1000)
);
create index report_decisions_owner_id on app.report_decisions (owner_id);
create index report_decisions_taken_by on app.report_decisions (taken_by);
create index report_decisions_decided_by on app.report_decisions (decided_by);

-- Who may send no more enquiries and applications. Of an e-mail address only the hash is stored.
create table app.blocked_senders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references app.profiles (id) on delete set null on update cascade,
  -- Also finds a guest, or an account that was deleted and opened again.
  address_hash text,
  -- Of an account: admins read its address from the account. After a year, a guest has none either.
  name text not null default 'Former member',
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
create index blocked_senders_of_nobody on app.blocked_senders (created_at) where user_id is null;
create index blocked_senders_of_guests on app.blocked_senders (created_at) where user_id is null and name <> 'Former member';

-- Row security is forced on the owner, too.
reset role;
insert into app.audit_actions (action)
select unnest('{approve,unapprove,set_badge,set_access,set_subscription,delete_profile,grant_role,revoke_role,request_backup,
  take_report,uphold_report,dismiss_report,unblock_sender,reset_factor}'::text[]);
insert into app.audit_actions (action, report_kinds) values
  ('hide_review', '{review}'), ('close_gig', '{gig}'), ('cancel_enquiry', '{enquiry}'),
  ('block_sender', '{influencer,agency,vendor,gig,enquiry,application,review}');
