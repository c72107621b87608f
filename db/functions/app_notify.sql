-- Notifications. `app.notify` is called in the transaction of the change that it tells of.

-- A link that ends mails of this kind. The token is returned once; only its hash is stored.
create or replace function app.new_unsubscribe_token(recipient uuid, kind text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  token constant text := app.random_token();
begin
  insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at)
  values (sha256(convert_to(token, 'UTF8')), recipient, new_unsubscribe_token.kind, now() + interval '60 days');
  return token;
end $$;

-- Queues the mail of a notification. A queued mail with other data is replaced, also while it is being delivered. With
-- the same data, nobody gets it twice.
create or replace function app.queue_notification(notice uuid, address text, is_repeated boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  told app.notices;
  wanted jsonb;
begin
  select * into told from app.notices where id = notice;
  wanted := (told.data - 'unsubscribe') || jsonb_build_object('subject_id', told.subject_id);
  delete from app.mail_outbox
  where notice_id = notice and sent_at is null and given_up_at is null and data - 'unsubscribe' <> wanted;
  if exists (select from app.mail_outbox where notice_id = notice and given_up_at is null and (sent_at is null or is_repeated)) then
    return;
  end if;
  -- Everybody must get decisions of admins.
  if told.kind not in ('report_decided', 'content_moderated') then
    wanted := wanted || jsonb_build_object('unsubscribe', app.new_unsubscribe_token(told.user_id, told.kind));
  end if;
  insert into app.mail_outbox (template, recipient, data, notice_id) values (told.kind, address, wanted, notice);
end $$;

-- Adds a notification, and its mail unless the recipient wants none at once. The same kind and subject within an hour
-- become one notification. A recipient whose account is gone gets none.
create or replace function app.notify(recipient uuid, kind text, subject uuid, data jsonb default '{}') returns void
language plpgsql security definer set search_path = '' as $$
declare
  address text;
  notice uuid;
  said jsonb;
  delivery constant text := coalesce(
    (select s.delivery from app.notification_settings as s where s.user_id = recipient and s.kind = notify.kind), 'now');
begin
  -- Locked, so that the account is not deleted before the notification is added.
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
    delete from app.mail_outbox where notice_id = notice and sent_at is null and given_up_at is null;
  end if;
end $$;

-- Keeps somebody's newest 1,000 notifications.
create or replace function app.trim_notices(owner uuid) returns void
language sql security definer set search_path = '' as $$
  delete from app.notices where id in (
    select id from app.notices where user_id = owner and kind <> 'approved' order by created_at desc, id desc offset 1000 limit 10)
$$;

-- A change such as closing a gig can concern thousands of people. This is how many more of them the transaction may tell;
-- app.tick() tells the others, so that the change itself stays fast.
create or replace function app.notices_left() returns integer
language sql stable set search_path = '' as $$
  select 50 - coalesce(nullif(current_setting('app.told_at_once', true), ''), '0')::integer
$$;

create or replace function app.count_notices(told integer) returns void
language sql set search_path = '' as $$
  select set_config('app.told_at_once', (50 - app.notices_left() + told)::text, true)
$$;
