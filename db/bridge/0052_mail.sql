-- One spelling per mailbox, security mails before all others, and an index for every job on mails.
set local role serasi_owner;

-- The mailbox that an address belongs to, for limits, blocks and reviews: ignores case, compatibility characters, and a
-- suffix after '+'; for Gmail also dots. Mail goes to the address as typed.
create function app.mailbox_of(address text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select coalesce(case when host in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com' else name || '@' || host end, plain)
  from (select lower(normalize(btrim(address, E' \t\r\n'), nfkc)) as plain offset 0) as given,
    lateral (select regexp_replace(substring(plain from '^(.*)@'), '(.)\+.*$', '\1') as name, substring(plain from '[^@]*$') as host offset 0) as parts
$$;
-- The service key may write profiles, whose index calls it.
grant execute on function app.mailbox_of(text) to auth_admin, service_role;

create index profiles_mailbox on app.profiles (app.mailbox_of(email));

-- -1: security mails, 0: mails of accounts, 1: notifications, 2: digests.
alter table app.mail_outbox drop column urgency;
alter table app.mail_outbox add column urgency smallint not null generated always as (case
  when template in ('factor_added', 'factor_reset') then -1
  when template in ('confirmation', 'recovery', 'magic_link', 'email_change', 'invite', 'reauthentication') then 0
  when template = 'digest' then 2 else 1 end) stored;
create index mail_outbox_due on app.mail_outbox (urgency, next_attempt_at) where sent_at is null and given_up_at is null;
create index mail_outbox_ended on app.mail_outbox ((coalesce(sent_at, given_up_at)))
  where sent_at is not null or given_up_at is not null;
create index mail_outbox_given_up on app.mail_outbox (given_up_at) where given_up_at is not null;

-- The keyed hash of the client of each failure: no client can use up an address's allowance alone.
alter table auth.sign_in_failures add column clients text[] not null default '{}';

create index mfa_challenges_created_at on auth.mfa_challenges (created_at);
create index mfa_failures_created_at on auth.mfa_failures (created_at);

reset role;
