-- What people are told: on their dashboard, and by e-mail. Both are written in the transaction that gave cause.

-- A kind of notification is a row here, and its texts: the sentence in frontend/src/features/notifications/kinds.ts, and the mail.
insert into serasi.mail_templates (template, is_notification, is_optional)
select unnest(templates::text[]), is_notification, is_optional from (values
  ('{enquiry_received,enquiry_reminder,enquiry_answered,enquiry_withdrawn,enquiry_expired}', true, true),
  ('{application_received,application_decided,application_withdrawn,gig_closing,gig_closed}', true, true),
  ('{collaboration_completed,collaboration_cancelled,review_invited,review_published,review_replied}', true, true),
  -- Decisions of admins are always sent.
  ('{approved,report_decided,content_moderated}', true, false),
  ('{digest}', false, true),
  -- Guests have no account.
  ('{guest_enquiry_confirm,guest_enquiry_answered,guest_enquiry_expired,guest_collaboration_ended,guest_review}', false, false)
) as added (templates, is_notification, is_optional);

set local role serasi_owner;

-- `public.notices` shows approvals only, `public.notifications` everything.
create table app.notices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  kind text not null references serasi.mail_templates (kind),
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  subject_id uuid,
  data jsonb not null default '{}',
  -- Waits for the recipient's next digest.
  in_digest boolean not null default false,
  constraint notices_seen_in_order check (seen_at >= created_at),
  constraint notices_data_object check (jsonb_typeof(data) = 'object'),
  constraint notices_data_max_4000 check (length(data::text) <= 4000)
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index notices_of_user on app.notices (user_id, created_at desc, id desc);
create index notices_unseen on app.notices (user_id) where seen_at is null;
create index notices_in_digest on app.notices (user_id, created_at) where in_digest;
-- Approvals stay, because the dashboard shows them until they are seen.
create index notices_removable on app.notices (created_at) where kind <> 'approved';
-- Finds an earlier notification about the same thing, and all copies of a subject.
create index notices_of_subject on app.notices (subject_id, user_id, kind, created_at);

-- How somebody wants to get notifications of a kind by e-mail. Without a row: at once.
create table app.notification_settings (
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  -- Optional ones only: app.check_optional() refuses others.
  kind text not null,
  delivery text not null,
  primary key (user_id, kind),
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
  kind text not null references serasi.mail_templates (optional_kind),
  expires_at timestamptz not null
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index unsubscribe_tokens_of_user on app.unsubscribe_tokens (user_id);
create index unsubscribe_tokens_expired on app.unsubscribe_tokens (expires_at);

alter table serasi.mail_outbox
  add constraint mail_outbox_notice_id_fkey foreign key (notice_id) references app.notices (id) on delete cascade on update cascade;
