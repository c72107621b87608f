-- Anyone can subscribe an address. Only the service key can read addresses.
select app.reset_access('app.newsletter_subscriptions');

create policy "anybody subscribes" on app.newsletter_subscriptions for insert to anon, authenticated
  with check (created_at = now());

grant insert (email) on app.newsletter_subscriptions to anon, authenticated;
grant select, insert, update, delete on app.newsletter_subscriptions to service_role;
