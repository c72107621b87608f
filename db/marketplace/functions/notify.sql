-- Notifications. app.notify() is called in the same transaction as the change that it reports.

-- A token for a link that unsubscribes from this kind of mail. Only its hash is stored.
create or replace function app.new_unsubscribe_token(recipient uuid, kind text) returns text language plpgsql as $$
declare
  token constant text := app.random_token();
begin
  insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at)
  values (sha256(convert_to(token, 'UTF8')), recipient, new_unsubscribe_token.kind, now() + interval '60 days');
  return token;
end $$;

-- Queues the mail of a notification. An unsent mail with different data is replaced, even if a worker is delivering it. A
-- mail with the same data is not sent twice.
create or replace function app.queue_notification(notice uuid, address text, is_repeated boolean) returns void language plpgsql as $$
declare
  told app.notices;
  wanted jsonb;
begin
  select * into told from app.notices where id = notice;
  wanted := (told.data - 'unsubscribe') || jsonb_build_object('subject_id', told.subject_id);
  delete from serasi.mail_outbox
  where notice_id = notice and sent_at is null and given_up_at is null and data - 'unsubscribe' <> wanted;
  if exists (select from serasi.mail_outbox where notice_id = notice and given_up_at is null and (sent_at is null or is_repeated)) then
    return;
  end if;
  if exists (select from serasi.mail_templates where optional_kind = told.kind) then
    wanted := wanted || jsonb_build_object('unsubscribe', app.new_unsubscribe_token(told.user_id, told.kind));
  end if;
  insert into serasi.mail_outbox (template, recipient, data, notice_id) values (told.kind, address, wanted, notice);
end $$;

-- Adds a notification, and queues its mail if the recipient's setting for this kind is 'now'. A notification of the same
-- kind and subject within the last hour is updated instead. Does nothing if the account has been deleted.
create or replace function app.notify(recipient uuid, kind text, subject uuid, data jsonb default '{}') returns void language plpgsql as $$
declare
  address text;
  notice uuid;
  said jsonb;
  delivery constant text := coalesce(
    (select s.delivery from app.notification_settings as s where s.user_id = recipient and s.kind = notify.kind), 'now');
begin
  -- The lock prevents the account from being deleted before the notification is added.
  select email into address from app.profiles where id = recipient for key share;
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'app.notify', recipient, kind, subject), 0));
  select n.id, n.data into notice, said from app.notices as n
  where n.user_id = recipient and n.kind = notify.kind and n.subject_id = subject and n.created_at > now() - interval '1 hour'
  order by n.created_at desc limit 1;
  if found then
    update app.notices as n
    set created_at = greatest(n.created_at, now()), seen_at = null, data = notify.data, in_digest = delivery = 'daily'
    where n.id = notice;
  else
    insert into app.notices (user_id, kind, subject_id, data, in_digest)
    values (recipient, notify.kind, subject, notify.data, delivery = 'daily') returning id into notice;
    perform app.trim_notices(recipient);
  end if;
  if delivery = 'now' and address is not null then
    perform app.queue_notification(notice, address, said = notify.data);
  else
    delete from serasi.mail_outbox where notice_id = notice and sent_at is null and given_up_at is null;
  end if;
end $$;

-- Deletes all but a user's newest 1,000 notifications.
create or replace function app.trim_notices(owner uuid) returns void language sql as $$
  delete from app.notices where id in (
    select id from app.notices where user_id = owner and kind <> 'approved' order by created_at desc, id desc offset 1000 limit 10
    for update skip locked)
$$;

-- How many more people this transaction may notify. A change such as closing a gig can affect thousands: app.tick() notifies
-- the others, so that the change itself is fast.
create or replace function app.notices_left() returns integer language sql stable as $$
  select 50 - coalesce(nullif(current_setting('app.told_at_once', true), ''), '0')::integer
$$;

create or replace function app.count_notices(told integer) returns void language sql as $$
  select set_config('app.told_at_once', (50 - app.notices_left() + told)::text, true)
$$;
