-- What people are told: on their dashboard, and by e-mail. Both are written in the transaction that gave
-- cause; mails are sent by a worker afterwards.
set local role serasi_owner;

create table app.notices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  kind text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  constraint notices_kind_known check (kind in ('approved')),
  constraint notices_seen_in_order check (seen_at >= created_at)
);
create index notices_of_user on app.notices (user_id, created_at desc, id desc);

create table app.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  template text not null,
  recipient text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text,
  constraint mail_outbox_template_known check (template in ('approved')),
  constraint mail_outbox_recipient_valid check (app.is_email(recipient)),
  constraint mail_outbox_data_object check (jsonb_typeof(data) = 'object'),
  constraint mail_outbox_attempts_counted check (attempts >= 0)
);
create index mail_outbox_due on app.mail_outbox (next_attempt_at) where sent_at is null;

reset role;
