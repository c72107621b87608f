-- Anyone can subscribe an address. Only the service key can read addresses.
select serasi.reset_access('app.newsletter_subscriptions');
select serasi.on_deletion('app.newsletter_subscriptions', 'removed by the account''s address');

create policy "anybody subscribes" on app.newsletter_subscriptions for insert to anon, authenticated
  with check (created_at = now());

grant insert (email) on app.newsletter_subscriptions to anon, authenticated;

-- Users can only insert. Subscribing again gives the same response as the first time, so that nobody can find out who has
-- subscribed. Without the trigger, the response would be 409.
create or replace view public.newsletter_subscriptions with (security_invoker = true) as
select email from app.newsletter_subscriptions;

create or replace function app.subscribe() returns trigger language plpgsql as $$
begin
  new.email := lower(btrim(new.email));
  insert into app.newsletter_subscriptions (email) values (new.email) on conflict do nothing;
  return new;
end $$;

create or replace trigger subscribe instead of insert on public.newsletter_subscriptions
  for each row execute function app.subscribe();

grant insert on public.newsletter_subscriptions to anon, authenticated;
grant select, insert, update, delete on app.newsletter_subscriptions, public.newsletter_subscriptions to service_role;
