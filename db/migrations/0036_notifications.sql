-- Notifications grow out of the notices on the dashboard: `public.notices` shows approvals as before, and
-- `public.notifications` everything.
set local role serasi_owner;

alter table app.notices
  add column subject_id uuid,
  add column data jsonb not null default '{}',
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

-- Mails of notifications are named like their kind. The guest's have no account.
alter table app.mail_outbox
  drop constraint mail_outbox_template_known,
  add constraint mail_outbox_template_known check (template in (
    'confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication', 'approved',
    'enquiry_received', 'enquiry_reminder', 'enquiry_answered', 'enquiry_withdrawn', 'enquiry_expired',
    'application_received', 'application_decided', 'application_withdrawn', 'gig_closing', 'gig_closed',
    'collaboration_completed', 'collaboration_cancelled', 'review_invited', 'review_published', 'review_replied',
    'report_decided', 'content_moderated', 'digest',
    'guest_enquiry_confirm', 'guest_enquiry_answered', 'guest_enquiry_expired', 'guest_collaboration_ended', 'guest_review'));

reset role;
