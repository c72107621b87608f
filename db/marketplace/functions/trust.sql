-- Blocked senders, and detection of texts that look like advance-fee fraud.

-- Whether admins blocked the account or its address. Blocked accounts can't post gigs or send anything.
create or replace function app.is_blocked(account uuid) returns boolean language sql stable as $$
  select exists (select from app.blocked_senders where user_id = account)
    or exists (
      select from app.profiles
      join app.blocked_senders on blocked_senders.address_hash = app.address_key(profiles.email)
      where profiles.id = account
    )
$$;

-- Also true for the address of a blocked account, whose owner could otherwise write as a guest.
create or replace function app.is_blocked_address(address text) returns boolean language sql stable as $$
  select exists (select from app.blocked_senders where address_hash = app.address_key(address))
    or exists (
      select from app.profiles
      join app.blocked_senders on blocked_senders.user_id = profiles.id
      where serasi.mailbox_of(profiles.email) = serasi.mailbox_of(address)
    )
$$;

-- Whether the caller's address is proved. The dashboards ask.
create or replace function app.own_address_proved() returns boolean
language sql stable security definer as $$ select app.is_proved(app.account_id()) $$;

create or replace function public.address_proved() returns boolean language sql stable as $$ select app.own_address_proved() $$;

-- Raises an error unless the account may do this: it is not blocked, and its address is proved.
create or replace function app.check_sender(account uuid, act text, proved boolean default true) returns void
language plpgsql stable security definer as $$
begin
  if app.is_blocked(account) then
    raise sqlstate 'PT403' using message = format('Your account can''t %s', act);
  elsif proved and not app.is_proved(account) then
    raise sqlstate 'PT403' using message = format('Confirm your e-mail address to %s', act),
      hint = 'Request the e-mail with the link on your dashboard.';
  end if;
end $$;

create or replace function app.sender_is_blocked(enquiry app.enquiries) returns boolean language sql stable as $$
  select app.is_blocked(enquiry.sender_user_id) or app.is_blocked_address(app.sender_address(enquiry))
$$;

-- Does nothing if the account or address is already blocked. An account's name is not stored: admins read its address.
create or replace function app.block_sender(account uuid, address text, name text, reason text) returns void language plpgsql as $$
declare
  block uuid;
  known constant text := coalesce(address, (select email from app.profiles where id = account));
begin
  insert into app.blocked_senders (user_id, address_hash, name, reason, blocked_by, blocker)
  values (account, app.address_key(known), case when account is null then name else 'Former member' end, reason, auth.uid(), app.actor_name(auth.uid()))
  on conflict do nothing
  returning id into block;
  if block is not null then
    perform app.audit(auth.uid(), 'block_sender', case when account is null then 'guest' else 'account' end,
      coalesce(account, block), name, jsonb_build_object('note', reason));
  end if;
end $$;

create or replace function app.unblock_sender(block_id uuid) returns void language plpgsql security definer as $$
declare
  block app.blocked_senders;
begin
  perform app.refuse_if(not app.is_admin(), '42501', 'Only admins can unblock a sender');
  delete from app.blocked_senders where id = block_id returning * into block;
  perform app.refuse_if(not found, 'PT404', 'This sender is not blocked');
  perform app.audit(auth.uid(), 'unblock_sender', case when block.user_id is null then 'guest' else 'account' end,
    coalesce(block.user_id, block.id), coalesce((select email from app.profiles where id = block.user_id), block.name));
end $$;

create or replace function public.unblock_sender(block_id uuid) returns void language sql as $$ select app.unblock_sender(block_id) $$;

-- Up to 10 phrases of a text, in lower case, that ask for money in advance or link to a chat where someone might.
create or replace function app.suspicious_words(body text) returns text[] language sql immutable as $$
  select array(
    select distinct left(regexp_replace(found[1], '\s+', ' ', 'g'), 60)
    from (
      -- Normalizes compatibility characters and removes invisible ones, which could hide a word from the search.
      select lower(case when octet_length(body) = char_length(body) then left(body, 20000)
        else translate(normalize(left(body, 20000), nfkc), U&'\00AD\200B\200C\200D\2060\FEFF', '') end) as plain
      offset 0
    ) as text
    cross join lateral regexp_matches(plain,
      '(\mdeposits?\M'
      || '|\m(?:bayaran|wang|duit)\s+pendahuluan\M'
      || '|\m(?:yuran|bayaran|wang|duit)\s+(?:pendaftaran|pemprosesan)\M'
      || '|\mbayar\s+(?:dulu|dahulu)\M'
      || '|\m(?:registration|processing|activation|admin|starter)\s+fees?\M'
      || '|\madvance\s+(?:fees?|payments?)\M'
      || '|\mup-?\s?front\s+(?:fees?|payments?)\M'
      || '|\m(?:pay|payment)\s+(?:first|up-?\s?front)\M'
      || '|\mgift\s+cards?\M'
      || '|\mwestern\s+union\M'
      || '|\m(?:t|telegram)\.me/[\w+/-]+)', 'g') as found
    -- Most texts match none of these patterns, and the regular expression takes ten times as long to check.
    where plain like any (array['%deposit%', '%pendahuluan%', '%pendaftaran%', '%pemprosesan%', '%bayar%', '%fee%',
      '%payment%', '%pay%first%', '%front%', '%gift%', '%western%', '%.me/%'])
    order by 1 limit 10)
$$;

-- Reports a text with suspicious words to the admins. The text stays visible. Words that an earlier report about the same
-- subject contains are not reported again.
create or replace function app.queue_suspicious(kind text, subject_id uuid, body text) returns void language plpgsql as $$
declare
  suspicious constant text[] := app.suspicious_words(body);
begin
  if cardinality(suspicious) = 0 or exists (
    select from app.reports
    where reports.subject_id = queue_suspicious.subject_id and reports.kind = queue_suspicious.kind and words @> suspicious
  ) then
    return;
  end if;
  insert into app.reports (kind, subject_id, reason, words, snapshot)
  select queue_suspicious.kind, queue_suspicious.subject_id, 'words', suspicious, snapshot
  from app.report_subject(queue_suspicious.kind, queue_suspicious.subject_id) as snapshot
  where snapshot is not null
  on conflict do nothing;
end $$;

-- Arguments: the kind of subject, then the columns with text.
create or replace function app.queue_suspicious_text() returns trigger language plpgsql security definer as $$
begin
  perform app.queue_suspicious(tg_argv[0], new.id, (
    select string_agg(to_jsonb(new) ->> field, E'\n') from unnest(tg_argv[1:]) as field));
  return null;
end $$;

create or replace trigger queue_suspicious after insert or update of title, description, budget, duration, requirements
  on app.gigs for each row
  execute function app.queue_suspicious_text('gig', 'title', 'description', 'budget', 'duration', 'requirements');

-- Enquiries of guests are checked when they are confirmed.
create or replace trigger queue_suspicious after insert or update of state on app.enquiries
  for each row when (new.state = 'open') execute function app.queue_suspicious_text('enquiry', 'deliverables', 'message');
create or replace trigger queue_suspicious after insert or update of pitch on app.gig_applications
  for each row execute function app.queue_suspicious_text('application', 'pitch');
create or replace trigger queue_suspicious after insert or update of text, reply on app.reviews
  for each row execute function app.queue_suspicious_text('review', 'text', 'reply');

grant execute on function app.unblock_sender(uuid), public.unblock_sender(uuid), app.check_sender(uuid, text, boolean),
  app.own_address_proved(), public.address_proved() to authenticated;
