-- Mails, written in the transaction that gave cause. A worker of the auth service delivers them afterwards.
set local role serasi_owner;

-- The mailbox that an address belongs to, for limits, blocks and reviews: ignores case, compatibility characters, and a
-- suffix after '+'; for Gmail also dots. Mail goes to the address as typed.
create function serasi.mailbox_of(address text) returns text
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select coalesce(case when host in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com' else name || '@' || host end, plain)
  from (select lower(normalize(btrim(address, E' \t\r\n'), nfkc)) as plain offset 0) as given,
    lateral (select regexp_replace(substring(plain from '^(.*)@'), '(.)\+.*$', '\1') as name, substring(plain from '[^@]*$') as host offset 0) as parts
$$;
-- The service key may write addresses, whose index calls it.
grant execute on function serasi.mailbox_of(text) to auth_admin, service_role;

-- What mails are about. An app adds its own: a kind of notification is named like its mail.
create table serasi.mail_templates (
  template text primary key,
  is_notification boolean not null default false,
  -- Whether people choose how they get it, and its mails have a link to unsubscribe.
  is_optional boolean not null default false,
  -- For references by notifications and by links to unsubscribe.
  kind text unique generated always as (case when is_notification then template end) stored,
  optional_kind text unique generated always as (case when is_optional then template end) stored
);

create table serasi.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  template text not null references serasi.mail_templates (template),
  recipient text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text,
  given_up_at timestamptz,
  -- The notification that an app sends with it. The app adds the reference.
  notice_id uuid,
  -- -1: security mails, 0: mails of accounts, for which somebody waits, 1: notifications, 2: digests.
  urgency smallint not null generated always as (case
    when template in ('factor_added', 'factor_reset') then -1
    when template in ('confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication') then 0
    when template = 'digest' then 2 else 1 end) stored,
  -- Whatever an account may be named by, so `me@localhost` too, and nothing that could be more than one address.
  constraint mail_outbox_recipient_valid check (
    char_length(recipient) <= 254 and recipient ~ '^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+$'),
  constraint mail_outbox_data_object check (jsonb_typeof(data) = 'object'),
  constraint mail_outbox_attempts_counted check (attempts >= 0),
  constraint mail_outbox_ends_once check (sent_at is null or given_up_at is null),
  -- Codes and links are for their reader alone: they go when the mail goes.
  constraint mail_outbox_blank_in_the_end check ((sent_at is null and given_up_at is null) or data = '{}')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index mail_outbox_of_notice on serasi.mail_outbox (notice_id);
create index mail_outbox_due on serasi.mail_outbox (urgency, next_attempt_at) where sent_at is null and given_up_at is null;
create index mail_outbox_ended on serasi.mail_outbox ((coalesce(sent_at, given_up_at)))
  where sent_at is not null or given_up_at is not null;
create index mail_outbox_given_up on serasi.mail_outbox (given_up_at) where given_up_at is not null;
create index mail_outbox_of_recipient on serasi.mail_outbox (recipient);

-- Row security is forced on the owner, too.
reset role;
insert into serasi.mail_templates (template)
select unnest('{confirmation,recovery,magic_link,email_change,invite,reauthentication,factor_added,factor_reset}'::text[]);
