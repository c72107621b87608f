-- Notifications grow out of the notices on the dashboard: `public.notices` shows approvals as before, and
-- `public.notifications` everything.
set local role serasi_owner;

alter table app.notices
  add column subject_id uuid,
  add column data jsonb not null default '{}',
  -- Waits for the recipient's next digest.
  add column in_digest boolean not null default false,
  drop constraint notices_kind_known,
  add constraint notices_kind_known check (kind in (
    'approved',
    'enquiry_received', 'enquiry_reminder', 'enquiry_answered', 'enquiry_withdrawn', 'enquiry_expired',
    'application_received', 'application_decided', 'application_withdrawn', 'gig_closing', 'gig_closed',
    'collaboration_completed', 'collaboration_cancelled', 'review_invited', 'review_published', 'review_replied',
    'report_decided', 'content_moderated')),
  add constraint notices_data_object check (jsonb_typeof(data) = 'object'),
  add constraint notices_data_max_4000 check (length(data::text) <= 4000);
create index notices_unseen on app.notices (user_id) where seen_at is null;
-- Finds an earlier notification about the same thing.
create index notices_of_subject on app.notices (user_id, kind, subject_id, created_at);
create index notices_in_digest on app.notices (user_id, created_at) where in_digest;
-- Approvals are kept, because the dashboard shows them until they are seen.
create index notices_removable on app.notices (created_at) where kind <> 'approved';

-- How somebody wants to get notifications of a kind by e-mail. Without a row: at once.
create table app.notification_settings (
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  kind text not null,
  delivery text not null,
  primary key (user_id, kind),
  -- All but decisions of admins, which are always sent.
  constraint notification_settings_kind_known check (kind in (
    'enquiry_received', 'enquiry_reminder', 'enquiry_answered', 'enquiry_withdrawn', 'enquiry_expired',
    'application_received', 'application_decided', 'application_withdrawn', 'gig_closing', 'gig_closed',
    'collaboration_completed', 'collaboration_cancelled', 'review_invited', 'review_published', 'review_replied')),
  constraint notification_settings_delivery_known check (delivery in ('now', 'daily', 'off'))
);

-- The day of an account's last digest. A day begins at 08:00 in Kuala Lumpur.
create table app.digests (
  user_id uuid primary key references app.profiles (id) on delete cascade on update cascade,
  sent_for date not null
);

-- The links that end mails of a kind, or the digest, for their recipient. Only hashes are stored.
create table app.unsubscribe_tokens (
  token_hash bytea primary key,
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  kind text not null,
  expires_at timestamptz not null,
  constraint unsubscribe_tokens_kind_known check (kind in (
    'digest',
    'enquiry_received', 'enquiry_reminder', 'enquiry_answered', 'enquiry_withdrawn', 'enquiry_expired',
    'application_received', 'application_decided', 'application_withdrawn', 'gig_closing', 'gig_closed',
    'collaboration_completed', 'collaboration_cancelled', 'review_invited', 'review_published', 'review_replied'))
);
create index unsubscribe_tokens_of_user on app.unsubscribe_tokens (user_id);
create index unsubscribe_tokens_expired on app.unsubscribe_tokens (expires_at);

-- Mails of notifications are named like their kind. The guest's have no account.
alter table app.mail_outbox
  -- The notification, unless the mail is an account's, a guest's or a digest.
  add column notice_id uuid references app.notices (id) on delete cascade on update cascade,
  -- Mails of accounts go first, because somebody waits for them; digests go last.
  add column urgency smallint not null generated always as (case
    when template in ('confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication') then 0
    when template = 'digest' then 2 else 1 end) stored,
  drop constraint mail_outbox_template_known,
  add constraint mail_outbox_template_known check (template in (
    'confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication', 'approved',
    'enquiry_received', 'enquiry_reminder', 'enquiry_answered', 'enquiry_withdrawn', 'enquiry_expired',
    'application_received', 'application_decided', 'application_withdrawn', 'gig_closing', 'gig_closed',
    'collaboration_completed', 'collaboration_cancelled', 'review_invited', 'review_published', 'review_replied',
    'report_decided', 'content_moderated', 'digest',
    'guest_enquiry_confirm', 'guest_enquiry_answered', 'guest_enquiry_expired', 'guest_collaboration_ended', 'guest_review'));
create index mail_outbox_of_notice on app.mail_outbox (notice_id);
drop index app.mail_outbox_due;
create index mail_outbox_due on app.mail_outbox (urgency, next_attempt_at) where sent_at is null and given_up_at is null;

reset role;
