-- Deleting an account or a profile removes its own rows. What others keep of it is erased here: in the same transaction the
-- texts that it wrote, and a few seconds later, by app.tick_erasure(), copies in rows of others. docs/privacy.md tells users.

-- Every column that can contain personal data, and what the deletion of an account does with it: what its file in access/ says, or
-- what follows from the table. A column of which nothing is known has no fate; a test finds it.
create or replace function app.personal_data() returns table (relation regclass, field name, fate text) language sql stable as $$
  with recursive members (id) as (
    -- The tables whose rows are deleted with the account.
    select 'auth.users'::regclass::oid
    union
    select conrelid from members join pg_constraint on confrelid = members.id and contype = 'f' and confdeltype = 'c'
    join pg_attribute on attrelid = conrelid and attnum = any (conkey) and attnotnull
  )
  select attrelid, attname, coalesce(
    substring(col_description(attrelid, attnum) from '^On deletion: (.*)'),
    substring(obj_description(attrelid, 'pg_class') from '^On deletion: (.*)'),
    -- An id in the marketplace may be somebody else's.
    case when attrelid in (select id from members) and (atttypid <> 'uuid'::regtype or is_key or nspname = 'auth') then 'removed with the account' end,
    case when pg_get_expr(adbin, adrelid) = 'gen_random_uuid()' then 'kept: random' end,
    case when is_listed then 'kept: one of a fixed list' end,
    case when is_reference then 'removed with what it refers to' end)
  from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  cross join lateral (
    select bool_or(contype = 'p') as is_key, bool_or(contype = 'f') as is_reference,
      bool_or(contype = 'c' and pg_get_constraintdef(pg_constraint.oid) ~ '^CHECK \(\(\w+ = ANY \(ARRAY\['
        or confrelid in ('serasi.mail_templates'::regclass, 'app.audit_actions'::regclass)) as is_listed
    from pg_constraint where conrelid = attrelid and conkey = array[attnum]) as rules
  where nspowner = 'serasi_owner'::regrole and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    -- Numbers, times and flags tell of nobody by themselves; a date of birth does.
    and (attname = 'date_of_birth' or format_type(atttypid, null) !~ '^(boolean|smallint|integer|bigint|real|double|numeric|date|timestamp|interval)')
$$;

-- Replaces a text that must have some length.
create or replace function app.erased_text() returns text language sql immutable as $$ select 'The text of a former member was removed.' $$;

-- A notification's data without what tells of a person. What remains is listed, so that new members are removed as well.
create or replace function app.without_person(data jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, case when key = 'path' and value #>> '{}' ~ '^/(profile|agency)/' then '"/notifications"' else value end)
    || '{"name": "Former member"}'
  from jsonb_each(data || '{"name": null}')
  where key in ('name', 'state', 'by', 'kind', 'rating', 'count', 'others', 'until', 'completes_at', 'expires_at', 'path', 'subject_id', 'unsubscribe')
$$;

-- Queues what others keep of an account or a profile, as long as it can be found.
create or replace function app.queue_erasure(account uuid, subject uuid) returns void language sql as $$
  insert into app.erasures (account, subject_id)
  select account, id from (
    select subject as id union select id from app.enquiries where influencer_id = subject or sender_user_id = account
    union select id from app.gigs where agency_id = subject
    union select id from app.gig_applications where subject in (influencer_id, agency_id)
    union select id from app.collaborations where subject in (influencer_id, agency_id, client_user_id)
    union select id from app.reviews where subject in (influencer_id, agency_id, author_id)) as subjects
$$;

-- Before a profile is deleted: removes the texts that it wrote. References are set to null at the same time: updating a row again
-- would check them, and the other side may be deleted as well.
create or replace function app.erase_profile() returns trigger language plpgsql security definer as $$
declare
  enquiry app.enquiries;
begin
  perform app.queue_erasure(old.user_id, old.id);
  update app.enquiries set answer = null, reason = null, influencer_id = null where influencer_id = old.id and state not in ('unconfirmed', 'open');
  -- Agencies can no longer shortlist or accept them.
  update app.gig_applications
  set pitch = app.erased_text(), quote = null, untold = null, influencer_id = null,
    state = case when state in ('applied', 'shortlisted') then 'withdrawn' else state end
  where influencer_id = old.id;
  update app.gig_applications set gig_title = 'A gig', agency_id = null where agency_id = old.id;
  update app.collaborations set reason = case when cancelled_by = 'influencer' then 'Removed' else reason end, influencer_id = null
  where influencer_id = old.id;
  update app.collaborations
  set title = 'Removed', reason = case when cancelled_by = 'client' then 'Removed' else reason end, agency_id = null
  where agency_id = old.id;
  -- Enquiries have the name of the profile at that time. If the account remains, they get its role as a name.
  update app.enquiries set sender_company = null, sender_name = coalesce((
    select case role when 'agency' then 'An agency' when 'vendor' then 'A vendor' when 'influencer' then 'An influencer' end
    from app.user_roles where user_id = old.user_id limit 1), 'A member')
  where sender_user_id = old.user_id;
  -- Ends the enquiries to the profile. There may be thousands: the first senders are notified in this transaction, and the other
  -- enquiries become due, so that app.expire_enquiries() ends them.
  for enquiry in
    select * from app.enquiries where influencer_id = old.id and state in ('unconfirmed', 'open')
    order by id limit app.notices_left() for update
  loop
    perform app.end_enquiry(enquiry, 'expired');
    perform app.count_notices(1);
  end loop;
  update app.enquiries set expires_at = now(), influencer_id = null where influencer_id = old.id and state in ('unconfirmed', 'open');
  return old;
end $$;

-- Before an account is deleted.
create or replace function app.erase_account() returns trigger language plpgsql security definer as $$
declare
  waiting constant uuid[] := array(select id from app.enquiries where sender_user_id = old.id and state in ('unconfirmed', 'open'));
  enquiry app.enquiries;
begin
  perform app.queue_erasure(old.id, old.id);
  -- Everybody locks collaborations before their reviews.
  perform from app.collaborations where id in (
    select id from app.collaborations where client_user_id = old.id
    union select work.id from app.collaborations as work join app.influencers on influencers.id = influencer_id where user_id = old.id
    union select work.id from app.collaborations as work join app.agencies on agencies.id = agency_id where user_id = old.id)
  order by id for no key update;
  update app.enquiry_briefs set sender_key = app.pseudonym(old.id), client = null where sender_key = old.id::text;
  update app.reviews set author_key = app.pseudonym(old.id), author_id = null where author_id = old.id;
  update app.collaborations
  set title = 'Removed', reason = case when cancelled_by = 'client' then 'Removed' else reason end, client_user_id = null, agency_id = null
  where client_user_id = old.id;
  update app.reports set text = case when reason = 'other' then 'Removed' end where reporter_id = old.id;
  -- Also sets sender_user_id to null, as the foreign key would, so that each row is updated once.
  update app.enquiries set sender_name = null, sender_company = null, sender_email = null, sender_key = app.pseudonym(old.id),
    sender_user_id = null, deliverables = 'Removed', message = app.erased_text()
  where sender_user_id = old.id;
  for enquiry in select * from app.enquiries where id = any (waiting) order by id for update loop
    perform app.withdraw(enquiry);
  end loop;
  return old;
end $$;

-- The name sorts first: later triggers remove the references that these functions follow.
create or replace trigger collect_copies before delete on app.influencers for each row execute function app.erase_profile();
create or replace trigger collect_copies before delete on app.agencies for each row execute function app.erase_profile();
create or replace trigger collect_copies before delete on app.vendors for each row execute function app.erase_profile();
create or replace trigger collect_copies before delete on app.profiles for each row execute function app.erase_account();

-- A soft delete keeps the account's row. The auth service blanks its own columns, this trigger those of imported accounts.
create or replace function app.end_account() returns trigger language plpgsql security definer as $$
begin
  insert into app.erasures (account, subject_id, address, proved)
  values (old.id, old.id, old.email, old.email_confirmed_at is not null and not old.email_unproved);
  if tg_op = 'DELETE' then
    return old;
  end if;
  new := jsonb_populate_record(new, '{"confirmation_token": "", "recovery_token": "", "email_change_token_new": "", "email_change": "",
    "email_change_token_current": "", "phone_change": "", "phone_change_token": "", "reauthentication_token": ""}');
  return new;
end $$;

create or replace trigger end_account before delete on auth.users for each row execute function app.end_account();
create or replace trigger end_account_softly before update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.end_account();

-- Erases what others keep of these subjects: notifications, waiting mails and reports.
create or replace function app.erase_copies(erased uuid, subjects uuid[]) returns void language plpgsql as $$
declare
  reported constant uuid[] := array(select id from app.reports where subject_id = any (subjects));
  of_others constant uuid[] := array(select id from app.notices where subject_id = any (subjects || reported) and user_id <> erased);
  guests constant text[] := array(
    select guest_email from app.enquiries join app.enquiry_briefs on enquiry_briefs.id = brief_id
    where (enquiries.id = any (subjects) or collaboration_id = any (subjects)) and guest_email is not null);
begin
  -- The title of an application is the gig's. An answer or a reply is in reports about the other side's text.
  update app.reports set
    subject_id = case when kind in ('influencer', 'agency', 'vendor') then app.pseudonym(subject_id) else subject_id end,
    snapshot = case
      when kind = 'enquiry' and exists (select from app.profiles where profiles.id = erased) then snapshot - '{sender,company,answer}'::text[]
      when kind in ('enquiry', 'review') and owner_id is distinct from erased then snapshot - '{answer,reply}'::text[]
      else jsonb_build_object('title', 'Former member') end
  from app.report_decisions where report_id = reports.id and reports.id = any (reported);
  update app.notices set data = app.without_person(data) where id = any (of_others);
  update serasi.mail_outbox set data = app.without_person(data)
  where notice_id = any (of_others) and sent_at is null and given_up_at is null;
  update serasi.mail_outbox set data = data || jsonb_build_object('items', (
    select jsonb_agg(case when (item ->> 'subject_id')::uuid = any (subjects || reported)
      then item || jsonb_build_object('data', app.without_person(item -> 'data')) else item end order by place)
    from jsonb_array_elements(data -> 'items') with ordinality as items (item, place)))
  where template = 'digest' and sent_at is null and given_up_at is null
    and recipient in (select email from app.profiles join app.notices on user_id = profiles.id where notices.id = any (of_others));
  update serasi.mail_outbox set data = app.without_person(data)
  where recipient = any (guests) and starts_with(template, 'guest') and sent_at is null and given_up_at is null;
end $$;

-- Erases a deleted account from the admins' tables, and what was stored under its address before: somebody may have signed up
-- with it again.
create or replace function app.erase_member(erased uuid, address text, proved boolean, at timestamptz) returns void language plpgsql as $$
declare
  hidden constant uuid := app.pseudonym(erased);
begin
  update app.report_decisions set owner_id = hidden where owner_id = erased;
  update app.report_decisions set taken_by = hidden, taker = 'Former member' where taken_by = erased;
  update app.report_decisions set decided_by = hidden, decider = 'Former member' where decided_by = erased;
  update app.blocked_senders set blocked_by = hidden, blocker = 'Former member' where blocked_by = erased;
  update serasi.backups set requested_by = hidden where requested_by = erased;
  delete from serasi.mail_outbox where recipient = address and created_at <= at and (proved or not starts_with(template, 'guest'));
  if proved then
    delete from app.newsletter_subscriptions where email = address and created_at <= at;
    perform app.erase_guest(erased, array(
      select id from app.enquiry_briefs where sender_key = app.address_key(address) and created_at <= at));
  end if;
end $$;

-- What somebody with the account's address sent as a guest.
create or replace function app.erase_guest(erased uuid, briefs uuid[]) returns void language plpgsql as $$
begin
  update app.collaborations set guest_name = null, title = 'Removed'
  where id in (select collaboration_id from app.enquiries where brief_id = any (briefs));
  update app.enquiries set sender_name = null, sender_company = null, sender_email = null,
    deliverables = 'Removed', message = app.erased_text()
  where brief_id = any (briefs);
  update app.enquiry_briefs set guest_email = null, client = null where id = any (briefs);
  perform app.erase_copies(erased, array(select id from app.enquiries where brief_id = any (briefs)));
  perform app.withdraw(enquiries) from app.enquiries where brief_id = any (briefs) and state in ('unconfirmed', 'open');
end $$;

-- The audit log accepts no changes but these, and the deletion of entries whose retention has ended.
create or replace function app.erase_from_log(erased uuid, subjects uuid[]) returns void language plpgsql as $$
begin
  perform set_config('serasi.erases', 'yes', true);
  update app.audit_log
  set subject_id = case subject_id when erased then app.pseudonym(erased) else subject_id end, subject = 'Former member',
    details = details - '{note,profile_id}'::text[] - case action when 'hide_review' then 'reason' else '' end
  where subject_id = any (subjects);
  -- The log says whose profile an admin deleted, as long as the account exists.
  if erased = any (subjects) then
    update app.audit_log set actor_id = app.pseudonym(erased), actor = 'Former member' where actor_id = erased;
  end if;
  perform set_config('serasi.erases', '', true);
end $$;

-- Erases what up to 1,000 rows of the queue ask for.
create or replace function app.tick_erasure() returns void language plpgsql security definer as $$
declare
  batch app.erasures[];
  subjects uuid[];
  due record;
begin
  with taken as (
    delete from app.erasures where id in (select id from app.erasures order by created_at limit 1000 for update skip locked)
    returning *)
  select array_agg(taken::app.erasures) into batch from taken;
  -- Before anything else, locks the accounts whose notifications will change: as app.notify() and deletions do.
  subjects := array(select subject_id from unnest(batch));
  perform from app.profiles where id in (
    select user_id from app.notices
    where subject_id = any (subjects || array(select id from app.reports where subject_id = any (subjects)))
    union
    select user_id from unnest(batch)
    join app.enquiry_briefs on proved and sender_key = app.address_key(address)
    join app.enquiries on brief_id = enquiry_briefs.id
    join app.influencers on influencers.id = influencer_id)
  order by id for key share;
  for due in
    select account as id, array_agg(subject_id) as subjects, max(address) as address, bool_or(proved) as proved, max(created_at) as at
    from unnest(batch) group by account
  loop
    perform app.erase_copies(due.id, due.subjects);
    perform app.erase_from_log(due.id, due.subjects);
    perform app.erase_member(due.id, due.address, due.proved, due.at) where due.id = any (due.subjects);
  end loop;
end $$;
