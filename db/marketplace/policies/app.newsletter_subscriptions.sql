-- Anyone can subscribe an address. Only the service key can read addresses.
select app.reset_access('app.newsletter_subscriptions');

create policy "anybody subscribes" on app.newsletter_subscriptions for insert to anon, authenticated
  with check (created_at = now());
-- For app.erase_member().
create policy "the owner of the schema finds" on app.newsletter_subscriptions for select to serasi_owner using (true);
create policy "the owner of the schema erases" on app.newsletter_subscriptions for delete to serasi_owner using (true);

grant insert (email) on app.newsletter_subscriptions to anon, authenticated;
grant select, insert, update, delete on app.newsletter_subscriptions to service_role;
