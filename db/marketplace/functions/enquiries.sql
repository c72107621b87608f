-- Sending enquiries. The functions service calls public.send_enquiries() with the service key, because only it knows
-- the client's address.

-- Raises an error with a message for the sender if a brief is invalid.
create or replace function app.check_brief(
  influencers uuid[], deliverables text, message text, budget_from integer, budget_to integer, starts_on date, ends_on date
) returns void language plpgsql stable as $$
declare
  today constant date := (now() at time zone 'Asia/Kuala_Lumpur')::date;
  problem constant text := case
    when coalesce(cardinality(influencers), 0) not between 1 and 10 then 'Choose 1 to 10 profiles'
    when coalesce(deliverables, '') = '' then 'Enter the deliverables'
    when char_length(deliverables) > 500 then 'The deliverables can have at most 500 characters'
    when char_length(coalesce(message, '')) < 20 then 'The message needs at least 20 characters'
    when char_length(message) > 2000 then 'The message can have at most 2,000 characters'
    when least(budget_from, budget_to) < 0 or greatest(budget_from, budget_to) > 100000000
      then 'The budget must be between RM 0 and RM 100,000,000'
    when budget_to < budget_from then 'The highest budget can''t be below the lowest'
    when least(starts_on, ends_on) < today then 'The dates can''t be in the past'
    when greatest(starts_on, ends_on) > today + 1100 then 'The dates can''t be more than three years ahead'
    when ends_on < starts_on then 'The last day can''t be before the first'
  end;
begin
  perform app.refuse_if(problem is not null, 'PT400', problem);
end $$;

-- The name that the influencer sees: the profile's, or else the given one, or else a generic one. Never the e-mail address.
create or replace function app.sender_name(sender uuid, given text) returns text language sql stable as $$
  select coalesce(
    (select name from app.agencies where user_id = sender), (select name from app.vendors where user_id = sender),
    (select name from app.influencers where user_id = sender), given,
    (select case role when 'agency' then 'An agency' when 'vendor' then 'A vendor' when 'influencer' then 'An influencer' end
      from app.user_roles where user_id = sender limit 1), 'A member')
$$;

-- How many more briefs a sender can send: 5 within 24 hours.
create or replace function app.enquiries_left(key text) returns integer language sql stable as $$
  select 5 - count(*)::integer from (
    select from app.enquiry_briefs where sender_key = key and created_at > now() - interval '24 hours' limit 5) as sent
$$;

-- Limits briefs per sender and per client. The calling function has locked the sender, and this one locks the client, so
-- that concurrent requests are counted one after the other.
create or replace function app.limit_briefs(key text, client_hash text) returns void language plpgsql as $$
begin
  perform app.refuse_too_many('You can send 5 enquiries in 24 hours. Please try again later.', (
    select created_at + interval '24 hours' from app.enquiry_briefs
    where sender_key = key and created_at > now() - interval '24 hours' order by created_at desc offset 4 limit 1));
  perform pg_advisory_xact_lock(hashtextextended('app.enquiries client ' || client_hash, 0));
  -- Clients behind a proxy that is not configured as trusted share one larger allowance.
  perform app.refuse_too_many('Too many enquiries were sent from your network. Please try again later.', (
    select created_at + interval '1 hour' from app.enquiry_briefs
    where client = client_hash and created_at > now() - interval '1 hour'
    order by created_at desc offset case client_hash when 'unknown' then 399 else 19 end limit 1));
end $$;

-- Limits guests' briefs for all clients together: the owner of an IPv6 network has thousands of clients. Called twice: before
-- anything is written, and with the new brief at the end of the transaction. The second call takes the lock that all guests
-- share, so that each counts the briefs of those before it.
create or replace function app.limit_guests(added uuid default null) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('app.enquiry_briefs of guests', 0)) where added is not null;
  perform app.refuse_too_many('Too many people are sending enquiries without an account. Please sign in, or try again later.', (
    select created_at + interval '1 hour' from app.enquiry_briefs
    where guest_email is not null and created_at > now() - interval '1 hour' and id is distinct from added
    order by created_at desc offset 999 limit 1));
end $$;

-- Raises an error if the sender can't write to one of the recipients.
create or replace function app.check_recipients(recipients uuid[], sender uuid, key text, client_hash text) returns void
language plpgsql as $$
declare
  waiting text;
begin
  perform app.refuse_if(cardinality(recipients) <> (select count(*) from app.influencers where id = any (recipients) and approved),
    'PT404', case cardinality(recipients) when 1 then 'This profile doesn''t exist' else 'One of these profiles doesn''t exist' end);
  perform app.refuse_if(exists (select from app.influencers where id = any (recipients) and user_id = sender),
    'PT422', 'You can''t send an enquiry to your own profile');
  perform app.refuse_if(app.is_blocked(sender), 'PT403', 'Your account can''t send enquiries');
  perform app.expire_enquiries(key);
  -- A guest's earlier enquiry counts only if the same client sent it. Otherwise anyone could find out whom the owner of an
  -- address has written to.
  select influencers.name into waiting
  from app.enquiries
  join app.influencers on influencers.id = enquiries.influencer_id
  join app.enquiry_briefs on enquiry_briefs.id = brief_id
  where enquiries.sender_key = key and influencer_id = any (recipients) and state in ('unconfirmed', 'open')
    and (sender is not null or enquiry_briefs.client = client_hash)
  order by influencers.name limit 1;
  perform app.refuse_if(found, 'PT409', 'You already have an open enquiry to ' || waiting);
end $$;

-- Notifies the influencers of a brief's open enquiries.
create or replace function app.tell_of_brief(brief uuid) returns void language plpgsql as $$
begin
  perform app.notify(influencers.user_id, 'enquiry_received', enquiries.id, app.enquiry_notice(enquiries))
  from app.enquiries
  join app.influencers on influencers.id = influencer_id
  where brief_id = brief and state = 'open'
  order by enquiries.influencer_id;
end $$;

-- The deliverables as a title: one line of visible text, at most 200 characters.
create or replace function app.enquiry_title(deliverables text) returns text language sql immutable as $$
  select app.one_line(left(regexp_replace(deliverables, '[\s[:cntrl:]]+', ' ', 'g'), 200))
$$;

-- The sender's `key` for limits, its `address`, and whether the address is confirmed.
create or replace function app.enquiry_sender(
  sender uuid, given_name text, given_email text, out key text, out address text, out confirmed boolean
) language plpgsql stable as $$
begin
  if sender is null then
    perform app.refuse_if(given_name is null, 'PT400', 'Enter your name');
    perform app.refuse_if(given_email is null or not app.is_email(given_email), 'PT400', 'Enter a valid e-mail address');
    address := given_email;
    confirmed := false;
  else
    select email, app.is_proved(sender) into address, confirmed from auth.users where id = sender and app.is_active(sender);
    perform app.refuse_if(not found, 'PT404', 'This account doesn''t exist');
    perform app.refuse_if(address is null, 'PT422', 'Add an e-mail address to your account first');
  end if;
  -- A guest's key differs from that of an account with the same address, so that the response doesn't reveal whether such an
  -- account exists.
  key := coalesce(sender::text, app.address_key(address));
end $$;

-- Sends one brief to up to ten influencers, all or none. `client` is the client's network address. Guests learn from
-- app.confirm_enquiry() whether their e-mail address is blocked: here, anyone could test anyone's address.
create or replace function app.send_enquiries(
  sender uuid, client text, influencer_ids uuid[], deliverables text, message text, budget_from integer, budget_to integer,
  starts_on date, ends_on date, name text, company text, email text
) returns jsonb language plpgsql security definer as $$
declare
  recipients constant uuid[] := array(select distinct id from unnest(influencer_ids) as id where id is not null order by id);
  wanted constant text := app.trimmed(deliverables);
  told constant text := app.trimmed(message);
  given_name constant text := app.trimmed(name);
  given_company constant text := app.trimmed(company);
  client_hash constant text := app.client_digest(client);
  who record;
  brief uuid;
begin
  perform app.check_brief(recipients, wanted, told, budget_from, budget_to, starts_on, ends_on);
  perform app.refuse_if(not app.is_one_line(given_name, given_company) or greatest(char_length(given_name), char_length(given_company)) > 100,
    'PT400', 'Name and company can have at most 100 characters, on one line');
  select * into who from app.enquiry_sender(sender, given_name, lower(app.trimmed(email)));
  perform pg_advisory_xact_lock(hashtextextended('app.enquiries sender ' || who.key, 0));
  perform app.lock_parties(array[sender], recipients, '{}');
  perform app.check_recipients(recipients, sender, who.key, client_hash);
  perform app.limit_briefs(who.key, client_hash);
  perform app.limit_guests() where sender is null;
  insert into app.enquiry_briefs (sender_key, client, guest_email)
  values (who.key, client_hash, case when sender is null then who.address end) returning id into brief;
  insert into app.enquiries (brief_id, influencer_id, sender_user_id, sender_key, sender_name, sender_company,
    deliverables, message, budget_from, budget_to, starts_on, ends_on, state, opened_at)
  select brief, id, sender, who.key, case when sender is null then given_name else app.sender_name(sender, given_name) end, given_company,
    wanted, told, send_enquiries.budget_from, send_enquiries.budget_to, send_enquiries.starts_on, send_enquiries.ends_on,
    case when who.confirmed then 'open' else 'unconfirmed' end, case when who.confirmed then now() end
  from unnest(recipients) as id;
  if who.confirmed then
    perform app.tell_of_brief(brief);
  else
    -- The mail contains no text from the sender, because the address may belong to someone else.
    insert into serasi.mail_outbox (template, recipient, data)
    select 'guest_enquiry_confirm', who.address, jsonb_build_object(
      'path', '/enquiry/' || app.new_guest_link('enquiry', brief, interval '14 days'),
      'name', min(influencers.name), 'others', count(*) - 1)
    from app.enquiries join app.influencers on influencers.id = influencer_id where brief_id = brief;
  end if;
  perform app.limit_guests(brief) where sender is null;
  return jsonb_build_object('enquiries', (
    select jsonb_agg(jsonb_build_object('id', id, 'influencer_id', influencer_id, 'state', state)
      order by array_position(influencer_ids, influencer_id)) from app.enquiries where brief_id = brief))
    || case when sender is null then '{}' else jsonb_build_object('remaining', app.enquiries_left(who.key)) end;
end $$;

-- Trims whitespace; null if nothing is left.
create or replace function app.trimmed(given text) returns text language sql immutable as $$
  select nullif(btrim(given, E' \t\r\n'), '')
$$;

create or replace function public.send_enquiries(
  sender uuid, client text, influencer_ids uuid[], deliverables text, message text, budget_from integer default null,
  budget_to integer default null, starts_on date default null, ends_on date default null, name text default null,
  company text default null, email text default null
) returns jsonb language sql as $$
  select app.send_enquiries(sender, client, influencer_ids, deliverables, message, budget_from, budget_to, starts_on, ends_on, name, company, email)
$$;

-- How many more briefs the caller can send now.
create or replace function app.own_enquiries_left() returns integer
language sql stable security definer as $$ select app.enquiries_left(app.account_id()::text) $$;

create or replace function public.enquiries_left() returns integer language sql stable as $$ select app.own_enquiries_left() $$;

grant execute on function app.send_enquiries(uuid, text, uuid[], text, text, integer, integer, date, date, text, text, text),
  public.send_enquiries(uuid, text, uuid[], text, text, integer, integer, date, date, text, text, text) to service_role;
grant execute on function app.own_enquiries_left(), public.enquiries_left() to authenticated;
