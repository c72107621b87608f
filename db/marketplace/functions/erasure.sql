-- Deleting an account or a profile removes its own rows. What others keep of it is erased here: in the same transaction the
-- texts that it wrote, and a few seconds later, by app.tick_erasure(), copies in rows of others. docs/privacy.md tells users.

-- Every column that can contain personal data, and what a deletion does with it. A test compares the list with the catalog:
-- 'removed' with the row or set to null; 'replaced' by 'Former member' or by a pseudonym; 'kept', with the reason; 'free' of
-- personal data.
create or replace function app.personal_data() returns table (relation text, fate text, fields text[], why text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select relation, fate, string_to_array(fields, ' '), why from (values
    -- The account's own rows.
    ('auth.users', 'removed', 'id email encrypted_password new_email raw_app_meta_data raw_user_meta_data phone email_change phone_change confirmation_token recovery_token email_change_token_new email_change_token_current phone_change_token reauthentication_token', 'a soft delete keeps the id'),
    ('auth.users', 'free', 'aud role instance_id', 'constants'),
    ('auth.identities', 'removed', 'id provider_id user_id identity_data provider email', 'with the account'),
    ('auth.sessions', 'removed', 'id user_id aal amr user_agent ip factor_id tag scopes oauth_client_id refresh_token_hmac_key', 'with the account'),
    ('auth.refresh_tokens', 'removed', 'session_id token_hash token user_id parent instance_id', 'with the session'),
    ('auth.one_time_tokens', 'removed', 'id user_id token_type token_hash relates_to code_hash flow_state_id', 'with the account'),
    ('auth.flow_state', 'removed', 'id user_id authentication_method code_challenge code_challenge_method auth_code_hash auth_code provider_type provider_access_token provider_refresh_token', 'with the account'),
    ('auth.mfa_factors', 'removed', 'id user_id friendly_name secret secret_key_id factor_type status phone web_authn_credential web_authn_aaguid last_webauthn_challenge_data', 'with the account'),
    ('auth.mfa_challenges', 'removed', 'id factor_id ip ip_address otp_code web_authn_session_data', 'with the factor'),
    ('auth.mfa_recovery_codes', 'removed', 'user_id code_hash', 'with the account'),
    ('auth.mfa_failures', 'removed', 'user_id', 'with the account'),
    ('auth.sign_in_failures', 'kept', 'address_hash clients', 'keyed hashes; limit sign-ins, until the retention ends'),
    ('auth.mail_allowances', 'kept', 'address_hash', 'keyed hash; limits mails, until the retention ends'),
    ('app.profiles', 'removed', 'id email', 'with the account'),
    ('app.user_roles', 'removed', 'user_id role', 'with the account'),
    ('app.influencers', 'removed', 'id user_id name username category bio profile_image cover_image instagram_followers tiktok_followers youtube_followers twitter_followers instagram_link tiktok_link youtube_link twitter_link website_link location language ethnicity height religion services content_posts badge_type', 'with the profile'),
    ('app.moderation', 'removed', 'user_id kind badge_type', 'with the profile'),
    ('app.influencer_private', 'removed', 'user_id payment_info date_of_birth', 'with the profile'),
    ('app.agencies', 'removed', 'id user_id name email company_name phone website description location type logo_url banner_url gallery badge_type', 'with the profile'),
    ('app.vendors', 'removed', 'id user_id name email company_name phone website description location type logo_url badge_type', 'with the profile'),
    ('app.gigs', 'removed', 'id agency_id title description budget duration requirements', 'with the agency'),
    ('app.favorites', 'removed', 'user_id influencer_id', 'with the account or the profile'),
    ('app.notification_settings', 'removed', 'user_id kind delivery', 'with the account'),
    ('app.digests', 'removed', 'user_id', 'with the account'),
    ('app.unsubscribe_tokens', 'removed', 'token_hash user_id kind', 'with the account'),
    ('app.newsletter_subscriptions', 'removed', 'email', 'by the account''s address'),
    ('app.mail_outbox', 'removed', 'id template recipient data last_error notice_id', 'by the account''s address; waiting mails to others lose name and texts'),
    -- What the other side keeps.
    ('app.notices', 'removed', 'id user_id kind', 'with the account'),
    ('app.notices', 'replaced', 'data subject_id', 'others'' notices lose name, title, texts and links to the profile'),
    ('app.enquiries', 'replaced', 'influencer_id sender_user_id sender_key sender_name sender_company sender_email deliverables message answer reason', 'the other side keeps state, budget and dates; the row goes with the last party'),
    ('app.enquiries', 'free', 'id brief_id state collaboration_id', 'of both parties'),
    ('app.enquiry_briefs', 'replaced', 'sender_key client guest_email', 'keyed hashes; a guest''s with the account of the same address'),
    ('app.enquiry_briefs', 'free', 'id', 'of both parties'),
    ('app.gig_applications', 'replaced', 'agency_id gig_id influencer_id pitch gig_title', 'the other side keeps state and dates; the row goes with the last party'),
    ('app.gig_applications', 'free', 'id collaboration_id state untold', 'of both parties'),
    ('app.collaborations', 'replaced', 'title influencer_id client_user_id agency_id guest_name reason', 'the other side keeps state and dates; the row goes with the last party'),
    ('app.collaborations', 'free', 'id source state cancelled_by untold', 'of both parties'),
    ('app.reviews', 'replaced', 'influencer_id agency_id author_id author_key reply', 'the subject''s or the author''s history; the row goes with the last party'),
    ('app.reviews', 'kept', 'text', 'a review belongs to its author and its subject; without a name'),
    ('app.reviews', 'free', 'id collaboration_id side', 'of both parties'),
    ('app.reports', 'replaced', 'subject_id reporter_id text snapshot title', 'admins keep kind, reason and decision'),
    ('app.reports', 'free', 'id kind reason words state', 'words are a fixed list'),
    ('app.report_decisions', 'replaced', 'owner_id taken_by taker decided_by decider', 'pseudonyms'),
    ('app.report_decisions', 'kept', 'note', 'admins'' reasons, which shouldn''t name anybody, until the report''s retention ends'),
    ('app.report_decisions', 'free', 'report_id actions', 'refers to the report'),
    ('app.blocked_senders', 'replaced', 'user_id name blocked_by blocker', 'an account''s name is never stored'),
    ('app.blocked_senders', 'kept', 'address_hash reason', 'keyed hash; keeps out who opens the account again, until the retention ends'),
    ('app.blocked_senders', 'free', 'id', 'random'),
    ('app.audit_log', 'replaced', 'actor_id actor subject_id subject details', 'admins'' acts stay, with a pseudonym'),
    ('app.audit_log', 'free', 'action subject_type', 'fixed lists'),
    ('app.backups', 'replaced', 'requested_by', 'a pseudonym'),
    ('app.backups', 'free', 'id state step place error', 'of the operator'),
    ('app.newsletter_allowances', 'kept', 'source', 'keyed hash of a client, for a day'),
    ('app.guest_links', 'kept', 'token_hash', 'of a random token, until it expires'),
    ('app.guest_links', 'free', 'purpose subject_id', 'refers to a brief or a collaboration'),
    ('app.erasures', 'removed', 'id account subject_id address', 'by app.tick_erasure(), when all is erased'),
    -- Files.
    ('storage.objects', 'removed', 'id bucket_id name owner owner_id version metadata user_metadata path_tokens folder_key sort_key', 'with the file, by the storage service; other buckets than images are the operator''s'),
    ('storage.removals', 'removed', 'bucket_id name', 'when the file is removed'),
    ('storage.buckets', 'kept', 'owner owner_id', 'buckets are the operator''s'),
    ('storage.buckets', 'free', 'id name type allowed_mime_types', 'of the operator'),
    ('app.hash_key', 'free', 'key', 'random'),
    ('app.retention', 'free', 'relation name bound moment only_if clears note', 'constants'),
    ('app.mail_templates', 'free', 'template kind optional_kind', 'constants'),
    ('app.audit_actions', 'free', 'action report_kinds', 'constants'),
    ('app.system_reports', 'free', 'name data', 'of the operator'),
    ('auth.settings', 'free', 'sessions_swept_to', 'a position')
  ) as listed (relation, fate, fields, why)
$$;

-- Replaces a text that must have some length.
create or replace function app.erased_text() returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$ select 'The text of a former member was removed.' $$;

-- A notification's data without what tells of a person. What remains is listed, so that new members are removed as well.
create or replace function app.without_person(data jsonb) returns jsonb
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select jsonb_object_agg(key, case when key = 'path' and value #>> '{}' ~ '^/(profile|agency)/' then '"/notifications"' else value end)
    || '{"name": "Former member"}'
  from jsonb_each(data || '{"name": null}')
  where key in ('name', 'state', 'by', 'kind', 'rating', 'count', 'others', 'until', 'completes_at', 'expires_at', 'path', 'subject_id', 'unsubscribe')
$$;

-- Before an influencer's profile is deleted: queues what others keep of it, and removes the texts that it wrote. References are set
-- to null at the same time: updating a row again would check them, and the other side may be deleted as well.
create or replace function app.erase_influencer() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.erasures (account, subject_id)
  select old.user_id, id from (
    select old.id union select id from app.enquiries where influencer_id = old.id or sender_user_id = old.user_id
    union select id from app.gig_applications where influencer_id = old.id
    union select id from app.collaborations where influencer_id = old.id
    union select id from app.reviews where influencer_id = old.id) as subjects;
  -- app.end_received_enquiries() ends the others.
  update app.enquiries set answer = null, reason = null, influencer_id = null where influencer_id = old.id and state not in ('unconfirmed', 'open');
  -- Agencies can no longer shortlist or accept them.
  update app.gig_applications
  set pitch = app.erased_text(), quote = null, untold = null, influencer_id = null,
    state = case when state in ('applied', 'shortlisted') then 'withdrawn' else state end
  where influencer_id = old.id;
  update app.collaborations set reason = case when cancelled_by = 'influencer' then 'Removed' else reason end, influencer_id = null
  where influencer_id = old.id;
  perform app.forget_sender_name(old.user_id);
  return old;
end $$;

create or replace function app.erase_agency() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.erasures (account, subject_id)
  select old.user_id, id from (
    select old.id union select id from app.gigs where agency_id = old.id
    union select id from app.enquiries where sender_user_id = old.user_id
    union select id from app.gig_applications where agency_id = old.id
    union select id from app.collaborations where agency_id = old.id
    union select id from app.reviews where agency_id = old.id) as subjects;
  update app.gig_applications set gig_title = 'A gig', agency_id = null where agency_id = old.id;
  update app.collaborations
  set title = 'Removed', reason = case when cancelled_by = 'client' then 'Removed' else reason end, agency_id = null
  where agency_id = old.id;
  perform app.forget_sender_name(old.user_id);
  return old;
end $$;

create or replace function app.erase_vendor() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.erasures (account, subject_id)
  select old.user_id, id from (select old.id union select id from app.enquiries where sender_user_id = old.user_id) as subjects;
  perform app.forget_sender_name(old.user_id);
  return old;
end $$;

-- Enquiries have the name of the profile at that time. If the account remains, they get its role as a name.
create or replace function app.forget_sender_name(sender uuid) returns void
language sql set search_path = pg_catalog, pg_temp as $$
  update app.enquiries set sender_company = null, sender_name = coalesce((
    select case role when 'agency' then 'An agency' when 'vendor' then 'A vendor' when 'influencer' then 'An influencer' end
    from app.user_roles where user_id = sender limit 1), 'A member')
  where sender_user_id = sender
$$;

-- Before an account is deleted. app.forget_sender() removes its name and texts from enquiries that it sent.
create or replace function app.erase_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.erasures (account, subject_id)
  select old.id, id from (
    select old.id union select id from app.enquiries where sender_user_id = old.id
    union select id from app.collaborations where client_user_id = old.id
    union select id from app.reviews where author_id = old.id) as subjects;
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
  return old;
end $$;

-- The name sorts first: later triggers remove the references that these functions follow.
create or replace trigger collect_copies before delete on app.influencers for each row execute function app.erase_influencer();
create or replace trigger collect_copies before delete on app.agencies for each row execute function app.erase_agency();
create or replace trigger collect_copies before delete on app.vendors for each row execute function app.erase_vendor();
create or replace trigger collect_copies before delete on app.profiles for each row execute function app.erase_account();

-- A soft delete keeps the account's row. The auth service blanks its own columns, this trigger those of imported accounts.
create or replace function app.end_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.erasures (account, subject_id, address, proved)
  values (old.id, old.id, old.email, old.email_confirmed_at is not null and not old.email_unproved);
  if tg_op = 'DELETE' then
    return old;
  end if;
  new.confirmation_token := '';
  new.recovery_token := '';
  new.email_change_token_new := '';
  new.email_change := '';
  new.email_change_token_current := '';
  new.phone_change := '';
  new.phone_change_token := '';
  new.reauthentication_token := '';
  return new;
end $$;

create or replace trigger end_account before delete on auth.users for each row execute function app.end_account();
create or replace trigger end_account_softly before update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.end_account();

-- Erases what others keep of these subjects: notifications, waiting mails and reports.
create or replace function app.erase_copies(erased uuid, subjects uuid[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
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
  update app.mail_outbox set data = app.without_person(data)
  where notice_id = any (of_others) and sent_at is null and given_up_at is null;
  update app.mail_outbox set data = data || jsonb_build_object('items', (
    select jsonb_agg(case when (item ->> 'subject_id')::uuid = any (subjects || reported)
      then item || jsonb_build_object('data', app.without_person(item -> 'data')) else item end order by place)
    from jsonb_array_elements(data -> 'items') with ordinality as items (item, place)))
  where template = 'digest' and sent_at is null and given_up_at is null
    and recipient in (select email from app.profiles join app.notices on user_id = profiles.id where notices.id = any (of_others));
  update app.mail_outbox set data = app.without_person(data)
  where recipient = any (guests) and starts_with(template, 'guest') and sent_at is null and given_up_at is null;
end $$;

-- Locks the accounts whose notifications will change, before anything else is locked: as app.notify() and deletions do.
create or replace function app.lock_readers(batch app.erasures[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  subjects constant uuid[] := array(select subject_id from unnest(batch));
begin
  perform from app.profiles where id in (
    select user_id from app.notices
    where subject_id = any (subjects || array(select id from app.reports where subject_id = any (subjects)))
    union
    select user_id from unnest(batch)
    join app.enquiry_briefs on proved and sender_key = app.address_key(address)
    join app.enquiries on brief_id = enquiry_briefs.id
    join app.influencers on influencers.id = influencer_id)
  order by id for key share;
end $$;

-- Erases a deleted account from the admins' tables, and what was stored under its address before: somebody may have signed up
-- with it again.
create or replace function app.erase_member(erased uuid, address text, proved boolean, at timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  hidden constant uuid := app.pseudonym(erased);
begin
  update app.report_decisions set owner_id = hidden where owner_id = erased;
  update app.report_decisions set taken_by = hidden, taker = 'Former member' where taken_by = erased;
  update app.report_decisions set decided_by = hidden, decider = 'Former member' where decided_by = erased;
  update app.blocked_senders set blocked_by = hidden, blocker = 'Former member' where blocked_by = erased;
  update app.backups set requested_by = hidden where requested_by = erased;
  delete from app.mail_outbox where recipient = address and created_at <= at and (proved or not starts_with(template, 'guest'));
  if proved then
    delete from app.newsletter_subscriptions where email = address and created_at <= at;
    perform app.erase_guest(erased, array(
      select id from app.enquiry_briefs where sender_key = app.address_key(address) and created_at <= at));
  end if;
end $$;

-- What somebody with the account's address sent as a guest.
create or replace function app.erase_guest(erased uuid, briefs uuid[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
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
create or replace function app.erase_from_log(erased uuid, subjects uuid[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('app.changes_log', 'yes', true);
  update app.audit_log
  set subject_id = case subject_id when erased then app.pseudonym(erased) else subject_id end, subject = 'Former member',
    details = details - '{note,profile_id}'::text[] - case action when 'hide_review' then 'reason' else '' end
  where subject_id = any (subjects);
  -- The log says whose profile an admin deleted, as long as the account exists.
  if erased = any (subjects) then
    update app.audit_log set actor_id = app.pseudonym(erased), actor = 'Former member' where actor_id = erased;
  end if;
  perform set_config('app.changes_log', '', true);
end $$;

-- Erases what up to 1,000 rows of the queue ask for.
create or replace function app.tick_erasure() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  batch app.erasures[];
  due record;
begin
  with taken as (
    delete from app.erasures where id in (select id from app.erasures order by created_at limit 1000 for update skip locked)
    returning *)
  select array_agg(taken::app.erasures) into batch from taken;
  perform app.lock_readers(batch);
  for due in
    select account as id, array_agg(subject_id) as subjects, max(address) as address, bool_or(proved) as proved, max(created_at) as at
    from unnest(batch) group by account
  loop
    perform app.erase_copies(due.id, due.subjects);
    perform app.erase_from_log(due.id, due.subjects);
    if due.id = any (due.subjects) then
      perform app.erase_member(due.id, due.address, due.proved, due.at);
    end if;
  end loop;
end $$;
