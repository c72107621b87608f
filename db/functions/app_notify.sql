-- Notifications. `app.notify` is called in the transaction of the change that it tells of.

-- Adds a notification, and its mail unless the recipient wants none at once. The same kind and subject within an hour
-- become one notification.
create or replace function app.notify(recipient uuid, kind text, subject uuid, data jsonb default '{}') returns void
language plpgsql security definer set search_path = '' as $$
declare
  address text;
  delivery constant text := coalesce(
    (select s.delivery from app.notification_settings as s where s.user_id = recipient and s.kind = notify.kind), 'now');
begin
  if recipient is null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'app.notify', recipient, kind, subject), 0));
  update app.notices set created_at = now(), seen_at = null, data = notify.data
  where user_id = recipient and notices.kind = notify.kind and subject_id = subject and created_at > now() - interval '1 hour';
  if not found then
    insert into app.notices (user_id, kind, subject_id, data) values (recipient, notify.kind, subject, notify.data);
  end if;
  select email into address from app.profiles where id = recipient;
  if delivery = 'now' and address is not null then
    insert into app.mail_outbox (template, recipient, data)
    values (notify.kind, address, notify.data || jsonb_build_object('subject_id', subject));
  end if;
end $$;
