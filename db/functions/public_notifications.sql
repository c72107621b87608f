-- Marks the caller's notifications as seen, or all of them without ids, and returns how many are unread. One that
-- was added or changed after the call began stays unread: the caller has not seen it.
create or replace function public.mark_notifications_seen(ids uuid[] default null) returns integer
language sql set search_path = '' as $$
  update app.notices set seen_at = now()
  where user_id = (select auth.uid()) and seen_at is null and created_at <= now() and (ids is null or id = any (ids));
  select count(*)::integer from app.notices where user_id = (select auth.uid()) and seen_at is null
$$;

grant execute on function public.mark_notifications_seen(uuid[]) to authenticated;

-- How the caller wants to get notifications of these kinds by e-mail. As a function, because an upsert would need the
-- right to change keys.
create or replace function public.set_notification_delivery(kinds text[], delivery text) returns void
language sql set search_path = '' as $$
  insert into app.notification_settings as s (user_id, kind, delivery)
  select distinct auth.uid(), kind, set_notification_delivery.delivery from unnest(kinds) as kind
  on conflict (user_id, kind) do update set delivery = excluded.delivery where s.delivery <> excluded.delivery
$$;

grant execute on function public.set_notification_delivery(text[], text) to authenticated;
