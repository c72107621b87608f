-- Enquiries: a brand asks an influencer for work, and gets one answer.
set local role serasi_owner;

-- What one request sends: the same brief to up to ten influencers. Limits count briefs.
create table app.enquiry_briefs (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- The sending account's id, or the hash of a guest's address: a guest never counts as the account with that address.
  sender_key text not null,
  -- The hash of the client's address, for a day.
  client text,
  -- Nobody reads it through the API.
  guest_email text,
  constraint enquiry_briefs_guest_email_valid check (app.is_email(guest_email))
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index enquiry_briefs_of_sender on app.enquiry_briefs (sender_key, created_at);
create index enquiry_briefs_of_client on app.enquiry_briefs (client, created_at) where client is not null;
create index enquiry_briefs_with_client on app.enquiry_briefs (created_at) where client is not null;
create index enquiry_briefs_of_guests on app.enquiry_briefs (created_at) where guest_email is not null;

create table app.enquiries (
  id uuid primary key default gen_random_uuid(),
  brief_id uuid not null references app.enquiry_briefs (id) on delete cascade,
  influencer_id uuid references app.influencers (id) on delete set null on update cascade,
  -- Null for a guest, and for a deleted account, which has no name any more either.
  sender_user_id uuid references app.profiles (id) on delete set null on update cascade,
  sender_key text not null,
  sender_name text,
  sender_company text,
  -- Copied here when the enquiry is accepted.
  sender_email text,
  deliverables text not null,
  message text not null,
  budget_from integer,
  budget_to integer,
  starts_on date,
  ends_on date,
  state text not null,
  answer text,
  reason text,
  created_at timestamptz not null default now(),
  -- When the influencer got it. A guest confirms first.
  opened_at timestamptz,
  reminded_at timestamptz,
  answered_at timestamptz,
  expires_at timestamptz not null default now() + interval '7 days',
  collaboration_id uuid references app.collaborations (id) on delete set null,
  constraint enquiries_sender_name_max_100 check (char_length(sender_name) <= 100),
  constraint enquiries_sender_company_max_100 check (char_length(sender_company) <= 100),
  constraint enquiries_visible_text check (app.is_one_line(sender_name, sender_company)),
  constraint enquiries_deliverables_required check (btrim(deliverables, E' \t\r\n') <> ''),
  constraint enquiries_deliverables_max_500 check (char_length(deliverables) <= 500),
  constraint enquiries_message_min_20 check (char_length(btrim(message, E' \t\r\n')) >= 20),
  constraint enquiries_message_max_2000 check (char_length(message) <= 2000),
  -- As pg_dump prints it, so that it is the same after a restore.
  constraint enquiries_budget_range check (
    budget_from >= 0 and budget_from <= 100000000 and (budget_to between 0 and 100000000)),
  constraint enquiries_budget_ordered check (budget_to >= budget_from),
  constraint enquiries_dates_ordered check (ends_on >= starts_on),
  constraint enquiries_sender_email_accepted check (sender_email is null or state = 'accepted'),
  constraint enquiries_state_known check (
    state in ('unconfirmed', 'open', 'accepted', 'declined', 'withdrawn', 'expired', 'cancelled')),
  constraint enquiries_answer_max_1000 check (char_length(answer) <= 1000),
  constraint enquiries_reason_max_500 check (char_length(reason) <= 500),
  constraint enquiries_reason_given check (reason is null or state in ('declined', 'withdrawn')),
  constraint enquiries_opened check (case state when 'unconfirmed' then opened_at is null when 'open' then opened_at is not null else true end),
  constraint enquiries_answered check ((answered_at is not null) = (state in ('accepted', 'declined'))),
  constraint enquiries_answered_once_opened check (answered_at is null or opened_at is not null),
  constraint enquiries_answer_given check (answer is null or answered_at is not null),
  constraint enquiries_collaboration_accepted check (collaboration_id is null or state = 'accepted'),
  constraint enquiries_collaboration_id_key unique (collaboration_id)
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create unique index enquiries_one_open on app.enquiries (influencer_id, sender_key) where state = 'open';
create index enquiries_of_brief on app.enquiries (brief_id);
create index enquiries_of_key on app.enquiries (sender_key, influencer_id) where state in ('unconfirmed', 'open');
-- A reader is a sender or a recipient, so that PostgreSQL combines both indexes and sorts a party's own rows.
create index enquiries_received on app.enquiries (influencer_id, state, created_at desc, id desc);
create index enquiries_sent on app.enquiries (sender_user_id, state, created_at desc, id desc);
create index enquiries_expiring on app.enquiries (expires_at) where state in ('unconfirmed', 'open');
create index enquiries_to_remind on app.enquiries (opened_at) where state = 'open' and reminded_at is null;
create index enquiries_of_guests on app.enquiries (created_at) where sender_user_id is null and sender_name is not null;
create index enquiries_unconfirmed on app.enquiries (expires_at) where opened_at is null;
create index enquiries_without_party on app.enquiries (created_at) where influencer_id is null and sender_user_id is null;

-- Links in mails to people without an account. Only the hash of a token is stored.
create table app.guest_links (
  token_hash text primary key,
  purpose text not null,
  -- A brief of enquiries, or a collaboration.
  subject_id uuid not null,
  expires_at timestamptz not null,
  constraint guest_links_purpose_known check (purpose in ('enquiry', 'review'))
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index guest_links_expiring on app.guest_links (expires_at);
