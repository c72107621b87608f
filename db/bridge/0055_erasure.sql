-- What remains of deleted accounts is erased by app.tick_erasure(), and what is kept for a period by app.tick_retention().
grant execute on function extensions.hmac(bytea, bytea, text), extensions.gen_random_bytes(integer) to serasi_owner;

set local role serasi_owner;

-- The key of all hashes of addresses, and of pseudonyms: without it, hashes of all addresses can be computed. No role of the API or
-- of a service reads it.
create table app.hash_key (
  only_row boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(32),
  constraint hash_key_one_row check (only_row)
);

-- What is left to erase after a deletion: the account, or what it had to do with (enquiries, reports, reviews …), whose copies
-- are in the rows of others. `address`: to find what was stored under it before the deletion. If the account never proved
-- it, it may be somebody else's.
create table app.erasures (
  id uuid primary key default gen_random_uuid(),
  account uuid not null,
  subject_id uuid not null,
  address text,
  proved boolean not null default false,
  created_at timestamptz not null default now()
);

-- How long rows are kept. `moment` is when the period begins; `only_if` says which rows end, and `clears` which columns of
-- them, if not the row. app.tick_retention() deletes in batches in the order of `moment`, which needs an index.
-- Tables without a period: 'owner' (bounded by limits, and deleted with its account), 'service' (pruned by the service that
-- writes it, see note) and 'reference' (does not grow).
create table app.retention (
  relation text not null,
  name text not null,
  bound text not null,
  keeps interval,
  moment text,
  only_if text not null default 'true',
  clears text,
  note text not null,
  primary key (relation, name),
  constraint retention_bound_known check (bound in ('period', 'function', 'owner', 'service', 'reference')),
  constraint retention_period_given check ((bound in ('period', 'function')) = (keeps is not null)),
  constraint retention_moment_given check ((bound = 'period') = (moment is not null)),
  constraint retention_keeps_positive check (keeps >= '0')
);
reset role;
insert into app.hash_key default values;

insert into app.retention (relation, name, bound, keeps, moment, only_if, clears, note) values
  ('app.audit_log', 'entries', 'period', '3 years', 'created_at', default, null, 'proves what admins did'),
  ('app.reports', 'decided', 'period', '2 years', 'decided_at', default, null, 'finds repeated offenders'),
  ('app.blocked_senders', 'of deleted accounts', 'period', '5 years', 'created_at', 'user_id is null', null, 'keeps out who opens the account again'),
  ('app.blocked_senders', 'guests', 'period', '1 year', 'created_at', 'user_id is null and name <> ''Former member''', 'name', 'tells admins whom they blocked'),
  ('app.notices', 'rows', 'period', '180 days', 'created_at', 'kind <> ''approved''', null, 'also 1,000 per account; an approval once per account'),
  ('app.unsubscribe_tokens', 'rows', 'period', '0', 'expires_at', default, null, 'links in mails work for 60 days'),
  ('app.guest_links', 'rows', 'period', '0', 'expires_at', default, null, 'links in mails work for 14 to 30 days'),
  ('app.newsletter_allowances', 'rows', 'period', '0', 'day_used_until', default, null, 'limits subscriptions per client'),
  ('app.enquiry_briefs', 'clients', 'period', '24 hours', 'created_at', 'client is not null', 'client', 'limits enquiries per client'),
  ('app.enquiry_briefs', 'guests', 'period', '1 year', 'created_at', 'guest_email is not null', 'guest_email', 'mails to guests'),
  ('app.enquiries', 'guests', 'period', '1 year', 'created_at', 'sender_user_id is null and sender_name is not null',
    'sender_name, sender_company, sender_email', 'the influencer''s history keeps the enquiry'),
  ('app.collaborations', 'guests', 'period', '1 year', 'created_at', 'guest_name is not null', 'guest_name', 'the influencer''s history keeps the work'),
  ('app.enquiries', 'without a party', 'period', '1 year', 'created_at', 'influencer_id is null and sender_user_id is null', null, 'no account can read them'),
  ('app.collaborations', 'without a party', 'period', '1 year', 'created_at', 'coalesce(influencer_id, client_user_id, agency_id) is null', null, 'no account can read them'),
  ('app.gig_applications', 'without a party', 'period', '1 year', 'created_at', 'coalesce(influencer_id, agency_id) is null', null, 'no account can read them'),
  ('app.enquiries', 'unconfirmed', 'period', '30 days', 'expires_at', 'opened_at is null', null, 'nobody received them'),
  ('auth.users', 'unconfirmed', 'function', '30 days', null, default, null, 'the address was never confirmed, and nobody ever signed in'),
  ('auth.sessions', 'ended', 'function', '7 days', null, default, null, 'tells clients why a session ended'),
  ('auth.sessions', 'unused', 'function', '1 year', null, default, null, 'for sessions without a lifetime'),
  ('auth.refresh_tokens', 'used', 'function', '30 days', null, default, null, 'using one again ends the session'),
  ('auth.one_time_tokens', 'rows', 'period', '30 days', 'created_at', default, null, 'links and codes expire earlier'),
  ('auth.flow_state', 'rows', 'period', '30 days', 'created_at', default, null, 'links expire earlier'),
  ('auth.sign_in_failures', 'rows', 'period', '7 days', 'created_at', default, null, 'the auth service counts a shorter time'),
  ('auth.mail_allowances', 'rows', 'period', '1 hour', 'used_until', default, null, 'limits mails per hour'),
  ('auth.mfa_challenges', 'rows', 'period', '1 hour', 'created_at', default, null, 'expire earlier'),
  ('auth.mfa_failures', 'rows', 'period', '1 hour', 'created_at', default, null, 'limits wrong codes'),
  ('auth.mfa_factors', 'unverified', 'period', '1 day', 'created_at', 'verified_at is null', null, 'abandoned attempts');
insert into app.retention (relation, name, bound, note)
select relation, 'rows', bound, note from (values
  ('owner', 'deleted with the account or profile', '{app.profiles,app.user_roles,app.influencers,app.influencer_moderation,app.influencer_private,app.agencies,app.agency_moderation,app.vendors,app.vendor_moderation,app.gigs,app.favorites,app.notification_settings,app.digests,auth.identities,auth.mfa_recovery_codes,storage.objects}'),
  ('owner', 'deleted with the collaboration or the enquiries', '{app.reviews}'),
  ('owner', 'limited per day; deleted with the last enquiry', '{app.enquiry_briefs}'),
  ('owner', 'limited per day', '{app.enquiries,app.gig_applications,app.collaborations,auth.users}'),
  ('owner', 'deleted with the report', '{app.report_decisions}'),
  ('owner', 'until the subscriber or the deletion of the account ends it', '{app.newsletter_subscriptions}'),
  ('service', 'the auth service: 30 days after a mail was delivered or given up', '{app.mail_outbox}'),
  ('service', '`serasi backup` keeps the newest', '{app.backups}'),
  ('service', 'the storage service: until the file is removed', '{storage.removals}'),
  ('service', 'the storage service: an hour', '{storage.read_leases}'),
  ('service', 'app.tick_erasure(): until all is erased', '{app.erasures}'),
  ('reference', 'a row for each period, program, bucket or setting', '{app.retention,app.hash_key,app.system_reports,storage.buckets,auth.settings}')
) as bounds (bound, note, relations), unnest(relations::text[]) as relation;

-- Existing hashes of addresses are hashed again with the key. app.keyed_hash() does both steps.
create function pg_temp.with_key(hash text) returns text language sql as $$
  select case when hash ~ '^[0-9a-f]{64}$' then encode(extensions.hmac(convert_to(hash, 'UTF8'), key, 'sha256'), 'hex') else hash end from app.hash_key
$$;
-- The id of an account that was deleted before, as app.pseudonym() replaces it from now on.
create function pg_temp.forgotten(id text) returns text language sql as $$
  select case when id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and not exists (select from app.profiles where profiles.id = forgotten.id::uuid)
    then left(pg_temp.with_key(encode(sha256(convert_to('account ' || id, 'UTF8')), 'hex')), 32)::uuid::text else pg_temp.with_key(id) end
$$;
-- As app.address_key(), for addresses that are still known: their older hashes are of one spelling.
create function pg_temp.address_key(address text) returns text language sql as $$
  select pg_temp.with_key(encode(sha256(convert_to(app.mailbox_of(address), 'UTF8')), 'hex'))
$$;
update app.enquiry_briefs set sender_key = coalesce(pg_temp.address_key(guest_email), pg_temp.forgotten(sender_key)),
  client = pg_temp.with_key(client)
where guest_email is not null or sender_key <> pg_temp.forgotten(sender_key) or client is not null;
update app.enquiries set sender_key = coalesce(
  (select pg_temp.address_key(guest_email) from app.enquiry_briefs where enquiry_briefs.id = brief_id), pg_temp.forgotten(sender_key))
where sender_user_id is null;
update app.reviews set author_key = coalesce((
  select pg_temp.address_key(guest_email) from app.enquiries join app.enquiry_briefs on enquiry_briefs.id = brief_id
  where enquiries.collaboration_id = reviews.collaboration_id and reviews.side = 'client'), pg_temp.forgotten(author_key))
where author_id is null;
create temporary table keys on commit drop as
select blocked_senders.id, row_number() over (partition by key order by user_id is null, created_at, blocked_senders.id) as place, key
from app.blocked_senders, lateral (select coalesce((
  select pg_temp.address_key(address)
  from (select email from app.profiles union select guest_email from app.enquiry_briefs) as known (address)
  where encode(sha256(convert_to(lower(btrim(address)), 'UTF8')), 'hex') = address_hash limit 1), pg_temp.with_key(address_hash)) as key) as found;
delete from app.blocked_senders using keys where keys.id = blocked_senders.id and place > 1 and key is not null;
update app.blocked_senders set address_hash = key,
  name = case when user_id is not null or name like '%@%' then 'Former member' else name end
from keys where keys.id = blocked_senders.id;
drop table keys;
update app.newsletter_allowances set source = pg_temp.with_key(source);
drop function pg_temp.address_key(text);
drop function pg_temp.forgotten(text);
drop function pg_temp.with_key(text);

-- Accounts that were deleted before.
insert into app.erasures (account, subject_id)
select id, id from (
  select owner_id from app.report_decisions
  union select taken_by from app.report_decisions
  union select decided_by from app.report_decisions
  union select actor_id from app.audit_log
  union select subject_id from app.audit_log where subject_type in ('account', 'influencer', 'agency', 'vendor')
) as known (id)
where id is not null and not exists (select from app.profiles where profiles.id = known.id);

set local role serasi_owner;

-- Statistics of influencers describe approved profiles only (functions/app_statistics.sql), which is not possible for those of pairs
-- of columns. An index finds the pairs that nobody has.
drop statistics app.influencers_community;
drop index app.influencers_language;
create index influencers_language on app.influencers (language, ethnicity, created_at desc, id desc);
-- When app.tick_statistics() has run, and how many rows there were.
alter table auth.settings add column statistics_at timestamptz, add column statistics_of real;

-- The name of a blocked account is its address, which admins read from the account. After a year, a guest has none either.
alter table app.blocked_senders alter column name set default 'Former member';

-- Finds all copies of a subject, in the notifications of any account.
drop index app.notices_of_subject;
create index notices_of_subject on app.notices (subject_id, user_id, kind, created_at);
create index mail_outbox_of_recipient on app.mail_outbox (recipient);
create index report_decisions_owner_id on app.report_decisions (owner_id);
create index report_decisions_taken_by on app.report_decisions (taken_by);
create index report_decisions_decided_by on app.report_decisions (decided_by);

-- What ends next.
create index reports_of_decided on app.reports (decided_at) where decided_at is not null;
create index blocked_senders_of_nobody on app.blocked_senders (created_at) where user_id is null;
create index blocked_senders_of_guests on app.blocked_senders (created_at) where user_id is null and name <> 'Former member';
create index enquiries_of_guests on app.enquiries (created_at) where sender_user_id is null and sender_name is not null;
create index enquiries_unconfirmed on app.enquiries (expires_at) where opened_at is null;
create index collaborations_of_guests on app.collaborations (created_at) where guest_name is not null;
create index enquiries_without_party on app.enquiries (created_at) where influencer_id is null and sender_user_id is null;
create index collaborations_without_party on app.collaborations (created_at) where coalesce(influencer_id, client_user_id, agency_id) is null;
create index gig_applications_without_party on app.gig_applications (created_at) where coalesce(influencer_id, agency_id) is null;
create index users_unconfirmed on auth.users (created_at) where email_unproved and email_confirmed_at is null;
create index one_time_tokens_created_at on auth.one_time_tokens (created_at);
create index flow_state_created_at on auth.flow_state (created_at);

reset role;
