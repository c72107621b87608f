-- Marks the caller's notifications as seen (all of them if `ids` is null), and returns how many are unread. Notifications
-- that were added or changed since the transaction began stay unread, because the caller has not seen them.
create or replace function public.mark_notifications_seen(ids uuid[] default null) returns integer language sql as $$
  update app.notices set seen_at = now() where id in (
    select id from app.notices
    where user_id = (select auth.uid()) and seen_at is null and created_at <= now() and (ids is null or id = any (ids))
    order by id for update);
  select count(*)::integer from app.notices where user_id = (select auth.uid()) and seen_at is null
$$;

grant execute on function public.mark_notifications_seen(uuid[]) to authenticated;

create or replace function app.check_optional() returns trigger language plpgsql security definer as $$
begin
  perform app.refuse_if(not exists (select from serasi.mail_templates where kind = new.kind and is_optional),
    '23514', format('There is no setting for "%s"', new.kind), 'notification_settings', 'notification_settings_kind_known');
  return new;
end $$;

create or replace trigger check_optional before insert or update of kind on app.notification_settings
  for each row when (new.kind is not null) execute function app.check_optional();

-- Sets how the caller receives notifications of these kinds by e-mail. A function, because an upsert through the API would
-- require the privilege to update the key columns.
create or replace function public.set_notification_delivery(kinds text[], delivery text) returns void language sql as $$
  insert into app.notification_settings as s (user_id, kind, delivery)
  select distinct auth.uid(), kind, set_notification_delivery.delivery from unnest(kinds) as kind
  on conflict (user_id, kind) do update set delivery = excluded.delivery where s.delivery <> excluded.delivery
$$;

grant execute on function public.set_notification_delivery(text[], text) to authenticated;
