-- Limits on how much one client or account can add. The triggers fire only for callers without the privileges of service_role, so
-- the service key and superusers are not limited.

-- The keyed hash of a client address. For IPv6 it is the hash of the /64 network, because a single customer has 2^64 addresses.
-- A loopback address belongs to a proxy that is not configured as trusted, so it identifies no client.
create or replace function app.client_digest(address text) returns text language plpgsql stable as $$
declare
  client inet;
begin
  client := nullif(address, '')::inet;
  if client <<= '127.0.0.0/8' or client = '::1' then
    return 'unknown';
  end if;
  if family(client) = 6 then
    client := network(set_masklen(client, 64));
  end if;
  return coalesce(app.keyed_hash(client::text), 'unknown');
exception when invalid_text_representation then
  return 'unknown';
end $$;

-- Takes one subscription from an allowance that refills continuously. A positive result is the time to wait: the
-- subscription must be refused.
create or replace function app.take_subscription(who text, per_hour integer, per_day integer) returns interval language plpgsql as $$
declare
  taken app.newsletter_allowances;
begin
  insert into app.newsletter_allowances as used (source, hour_used_until, day_used_until)
  values (who, now() + interval '1 hour' / per_hour, now() + interval '24 hours' / per_day)
  on conflict (source) do update set
    hour_used_until = greatest(used.hour_used_until, now()) + interval '1 hour' / per_hour,
    day_used_until = greatest(used.day_used_until, now()) + interval '24 hours' / per_day
  returning * into taken;
  return greatest(taken.hour_used_until - interval '1 hour', taken.day_used_until - interval '24 hours') - now();
end $$;

create or replace function app.limit_subscriptions() returns trigger language plpgsql security definer as $$
declare
  client constant text := app.client_digest(current_setting('request.client_address', true));
  wait interval;
begin
  if current_setting('app.has_subscribed', true) = 'yes' then
    raise sqlstate 'PT400' using message = 'Subscribe one address at a time', hint = 'Send one row per request.';
  end if;
  perform set_config('app.has_subscribed', 'yes', true);

  -- Deletes a few rows at a time, so that no request waits for a long cleanup.
  delete from app.newsletter_allowances where source in (
    select source from app.newsletter_allowances where day_used_until <= now()
    order by day_used_until limit 10 for update skip locked);

  -- The row 'all' is shared by all clients, so it is locked last and for the shortest time.
  wait := case client when 'unknown' then app.take_subscription(client, 100, 1000) else app.take_subscription(client, 5, 20) end;
  if wait <= '0' then
    wait := app.take_subscription('all', 1000, 5000);
  end if;
  perform app.refuse_too_many('Too many subscriptions, please try again later', now() + wait) where wait > '0';
  return new;
end $$;

create or replace trigger limit_subscriptions before insert on app.newsletter_subscriptions
  for each row when (not pg_has_role('service_role', 'usage'))
  execute function app.limit_subscriptions();

-- Runs as the caller, who can read its own rows. The lock serializes the account's requests, so that each counts the rows
-- that the previous one added.
create or replace function app.limit_favorites() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('app.favorites ' || auth.uid(), 0));
  perform app.refuse_if(exists (select from app.favorites where user_id = auth.uid() offset 1000),
    '23514', 'An account can keep at most 1000 favorites', 'favorites', 'favorites_max_1000');
  return null;
end $$;

create or replace trigger limit_favorites after insert on app.favorites
  for each statement when (not pg_has_role('service_role', 'usage'))
  execute function app.limit_favorites();

create or replace function app.limit_gigs() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('app.gigs ' || auth.uid(), 0));
  perform app.refuse_if(exists (select from app.gigs where agency_id = app.own_agency_id() offset 500),
    '23514', 'An agency can post at most 500 gigs', 'gigs', 'gigs_max_500');
  return null;
end $$;

-- For the service key, too.
create or replace function app.check_gig() returns trigger language plpgsql security definer as $$
begin
  perform app.refuse_if(tg_op = 'UPDATE' and old.closed_at is not null, 'PT409', 'This gig was closed by an admin and can''t be changed');
  perform app.check_sender(coalesce(auth.uid(), (select user_id from app.agencies where id = new.agency_id)), 'post gigs', proved => false);
  return new;
end $$;

create or replace trigger check_gig
  before insert or update of agency_id, title, description, budget, duration, requirements, closes_on, places on app.gigs
  for each row when (current_user in ('authenticated', 'service_role')) execute function app.check_gig();

create or replace trigger limit_gigs after insert on app.gigs
  for each statement when (not pg_has_role('service_role', 'usage'))
  execute function app.limit_gigs();
