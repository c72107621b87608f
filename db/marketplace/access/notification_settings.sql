-- Users read and change their own settings.
select serasi.reset_access('app.notification_settings');

create policy "people have their own" on app.notification_settings to authenticated
  using (user_id = (select app.account_id())) with check (user_id = (select app.account_id()));

-- How a user receives each kind of notification by e-mail.
create or replace view public.notification_settings with (security_invoker = true) as
select user_id, kind, delivery from app.notification_settings;

alter view public.notification_settings alter column user_id set default auth.uid();
grant select, delete on app.notification_settings, public.notification_settings to authenticated;
grant insert (user_id, kind, delivery) on app.notification_settings, public.notification_settings to authenticated;
grant update (delivery) on app.notification_settings, public.notification_settings to authenticated;
grant select, insert, update, delete on app.notification_settings, public.notification_settings to service_role;
