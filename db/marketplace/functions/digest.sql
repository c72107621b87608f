-- The daily digest, and unsubscribing from it and from other mails. The digest is one mail at 08:00 in Kuala Lumpur with the
-- notifications whose delivery is set to 'daily'.

-- Queues the digest of a day, and returns whether there was one to send. `due` is the day's 08:00; later notifications wait
-- for the next digest. The row in app.digests ensures that a person gets at most one per day.
create or replace function app.send_digest(person uuid, day date, due timestamptz) returns boolean language plpgsql as $$
declare
  address text;
  items jsonb;
  total bigint;
begin
  -- An account that is being deleted is skipped.
  select email into address from app.profiles where id = person for key share skip locked;
  if not found then
    return false;
  end if;
  insert into app.digests (user_id, sent_for) values (person, day)
  on conflict (user_id) do update set sent_for = excluded.sent_for where digests.sent_for < excluded.sent_for;
  if not found then
    return false;
  end if;
  with taken as (
    update app.notices set in_digest = false where user_id = person and in_digest and created_at < due
    returning id, kind, subject_id, data, created_at, seen_at
  ), unread as (
    select taken.*, row_number() over (order by created_at desc, id desc) as place from taken
    where seen_at is null and not exists (
      select from app.notification_settings as s where s.user_id = person and s.kind = taken.kind and s.delivery = 'off')
  )
  select jsonb_agg(jsonb_build_object('kind', kind, 'subject_id', subject_id, 'data', data) order by place) filter (where place <= 20), count(*)
  into items, total from unread;
  if total = 0 or address is null then
    return false;
  end if;
  insert into serasi.mail_outbox (template, recipient, data) values ('digest', address, jsonb_build_object(
    'items', items, 'more', greatest(total - 20, 0), 'unsubscribe', app.new_unsubscribe_token(person, 'digest')));
  return true;
end $$;

-- Runs every minute: queues digests for up to 3 seconds, which is thousands.
create or replace function app.tick_notifications(at timestamptz default now()) returns void language plpgsql security definer as $$
declare
  day constant date := (at at time zone 'Asia/Kuala_Lumpur' - interval '8 hours')::date;
  due constant timestamptz := (day + time '08:00') at time zone 'Asia/Kuala_Lumpur';
  until constant timestamptz := clock_timestamp() + interval '3 seconds';
  person uuid;
begin
  for person in
    select distinct user_id from app.notices
    where in_digest and created_at < due
      and not exists (select from app.digests where digests.user_id = notices.user_id and sent_for >= day)
    limit 10000
  loop
    exit when clock_timestamp() > until;
    perform app.send_digest(person, day, due);
  end loop;
end $$;

-- Turns off the kind of mail that the token belongs to, and returns that kind. The token can be used again until it expires.
create or replace function app.unsubscribe(token text) returns text language plpgsql security definer as $$
declare
  found_token app.unsubscribe_tokens;
begin
  select * into found_token from app.unsubscribe_tokens as t
  where t.token_hash = sha256(convert_to(unsubscribe.token, 'UTF8')) and t.expires_at > now();
  perform app.refuse_if(not found, 'PT404', 'This link has expired. Sign in to choose your e-mails.');
  if found_token.kind = 'digest' then
    update app.notification_settings set delivery = 'off' where user_id = found_token.user_id and delivery = 'daily';
  else
    insert into app.notification_settings (user_id, kind, delivery) values (found_token.user_id, found_token.kind, 'off')
    on conflict (user_id, kind) do update set delivery = 'off';
    delete from serasi.mail_outbox
    where sent_at is null and given_up_at is null and notice_id in (
      select id from app.notices where user_id = found_token.user_id and notices.kind = found_token.kind);
  end if;
  return found_token.kind;
end $$;

-- For POST /functions/v1/unsubscribe, which uses the service key.
create or replace function public.unsubscribe(token text) returns text language sql as $$ select app.unsubscribe(token) $$;

grant execute on function app.unsubscribe(text), public.unsubscribe(text) to service_role;
