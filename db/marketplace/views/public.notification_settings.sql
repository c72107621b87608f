-- How a user receives each kind of notification by e-mail.
create or replace view public.notification_settings with (security_invoker = true) as
select user_id, kind, delivery from app.notification_settings;

select app.reset_access('public.notification_settings');

alter view public.notification_settings alter column user_id set default auth.uid();
grant select, delete on public.notification_settings to authenticated;
grant insert (user_id, kind, delivery) on public.notification_settings to authenticated;
grant update (delivery) on public.notification_settings to authenticated;
grant select, insert, update, delete on public.notification_settings to service_role;
