-- How enquiries change state. Each function locks the row, then checks its state and the caller.

create or replace function app.refuse_state(state text) returns void language plpgsql stable as $$
begin
  perform app.refuse_if(true, 'PT409', case state
    when 'unconfirmed' then 'This enquiry is not confirmed yet' else 'This enquiry is already ' || state end);
end $$;

-- Tells the sender how an enquiry ended: accounts by a notification, guests by a mail with a new link.
create or replace function app.tell_sender(enquiry app.enquiries, kind text, recipient_name text) returns void language plpgsql as $$
declare
  data constant jsonb := jsonb_strip_nulls(jsonb_build_object(
    'name', recipient_name, 'title', app.enquiry_title(enquiry.deliverables), 'state', enquiry.state,
    'text', regexp_replace(coalesce(enquiry.answer, enquiry.reason), '[\x01-\x09\x0b-\x1f\x7f]', ' ', 'g')));
begin
  if enquiry.sender_user_id is not null then
    perform app.notify(enquiry.sender_user_id, kind, enquiry.id, data || jsonb_build_object('path', '/enquiries/' || enquiry.id));
  else
    insert into serasi.mail_outbox (template, recipient, data)
    select 'guest_' || kind, guest_email, data || jsonb_build_object('path', '/enquiry/' || app.new_guest_link('enquiry', id, interval '30 days'))
    from app.enquiry_briefs where id = enquiry.brief_id and guest_email is not null;
  end if;
end $$;

create or replace function app.answer_enquiry(enquiry_id uuid, accept boolean, given_answer text, given_reason text) returns jsonb
language plpgsql security definer as $$
declare
  wanted constant text := case when accept then 'accepted' else 'declined' end;
  own_name text;
  enquiry app.enquiries;
begin
  perform app.refuse_if(accept is null or (accept and given_reason is not null),
    'PT400', 'Say whether you accept. A reason is for declining only');
  perform app.refuse_if(char_length(given_answer) > 1000 or char_length(given_reason) > 500,
    'PT400', 'The answer can have at most 1,000 characters, and the reason 500');
  enquiry := app.lock_enquiry(enquiry_id);
  select name into own_name from app.influencers where id = enquiry.influencer_id and user_id = app.account_id();
  if not found or enquiry.opened_at is null then
    raise sqlstate 'PT404' using message = 'This enquiry doesn''t exist';
  elsif enquiry.state = 'open' and enquiry.expires_at <= now() then
    perform app.refuse_state('expired');
  -- Repeating the same answer, after a double click or a lost response, changes nothing.
  elsif enquiry.state <> 'open' and (enquiry.state, enquiry.answer, enquiry.reason) is distinct from (wanted, given_answer, given_reason) then
    perform app.refuse_state(enquiry.state);
  elsif enquiry.state = 'open' then
    perform app.check_sender(auth.uid(), 'answer enquiries', proved => false)
    where accept or given_answer is not null or given_reason is not null;
    perform app.refuse_if(accept and app.sender_is_blocked(enquiry), 'PT409', 'The sender''s account is blocked');
    update app.enquiries set state = wanted, answer = given_answer, reason = given_reason, answered_at = now(),
      sender_email = case when accept then app.sender_address(enquiries) end,
      collaboration_id = case when accept then app.open_collaboration(
        'enquiry', app.enquiry_title(deliverables), influencer_id, sender_user_id,
        (select id from app.agencies where user_id = sender_user_id), case when sender_user_id is null then sender_name end) end
    where id = enquiry_id returning * into enquiry;
    perform app.tell_sender(enquiry, 'enquiry_answered', own_name);
  end if;
  return jsonb_build_object('id', enquiry.id, 'state', enquiry.state, 'collaboration_id', enquiry.collaboration_id);
end $$;

create or replace function app.sender_address(enquiry app.enquiries) returns text language sql stable as $$
  select coalesce((select email from app.profiles where id = enquiry.sender_user_id),
    (select guest_email from app.enquiry_briefs where id = enquiry.brief_id))
$$;

-- Withdraws an enquiry for its sender. The calling function checks permissions and has locked the row.
create or replace function app.withdraw(enquiry app.enquiries) returns jsonb language plpgsql as $$
begin
  if enquiry.state in ('unconfirmed', 'open') then
    update app.enquiries set state = 'withdrawn' where id = enquiry.id;
    if enquiry.state = 'open' then
      perform app.notify(user_id, 'enquiry_withdrawn', enquiry.id, app.enquiry_notice(enquiry) || '{"state": "withdrawn"}')
      -- The join skips an influencer whose account is deleted by the same statement.
      from app.influencers join app.profiles on profiles.id = user_id where influencers.id = enquiry.influencer_id;
    end if;
  elsif enquiry.state <> 'withdrawn' then
    perform app.refuse_state(enquiry.state);
  end if;
  return jsonb_build_object('id', enquiry.id, 'state', 'withdrawn');
end $$;

create or replace function app.withdraw_enquiry(enquiry_id uuid) returns jsonb language plpgsql security definer as $$
declare
  enquiry constant app.enquiries := app.lock_enquiry(enquiry_id);
begin
  perform app.refuse_if((enquiry.sender_user_id = app.account_id()) is not true, 'PT404', 'This enquiry doesn''t exist');
  return app.withdraw(enquiry);
end $$;

-- Expires enquiries that are due, of one sender or of all, at most 200 per call.
create or replace function app.expire_enquiries(key text default null) returns void language plpgsql set lock_timeout = '1ms' as $$
declare
  due uuid;
begin
  for due in
    select id from app.enquiries
    where state in ('unconfirmed', 'open') and expires_at <= now() and (key is null or sender_key = key)
    order by expires_at limit 200
  loop
    begin
      perform app.end_enquiry(app.lock_enquiry(due), 'expired');
    exception when lock_not_available then
    end;
  end loop;
end $$;

-- Ends an unconfirmed or open enquiry. The sender is only told if it was open: guests who never confirmed get no mail.
create or replace function app.end_enquiry(enquiry app.enquiries, new_state text) returns void language plpgsql as $$
declare
  ended app.enquiries;
begin
  update app.enquiries set state = new_state where id = enquiry.id and state in ('unconfirmed', 'open') returning * into ended;
  if found and enquiry.state = 'open' then
    perform app.tell_sender(ended, 'enquiry_expired', coalesce((select name from app.influencers where id = ended.influencer_id), 'Former member'));
  end if;
end $$;

create or replace function app.remind_of_enquiries() returns void language plpgsql set lock_timeout = '1ms' as $$
declare
  due uuid;
  enquiry app.enquiries;
begin
  for due in
    select id from app.enquiries where state = 'open' and reminded_at is null and opened_at <= now() - interval '72 hours'
    order by opened_at limit 200
  loop
    begin
      perform app.lock_enquiry(due);
      update app.enquiries set reminded_at = now() where id = due and state = 'open' and reminded_at is null returning * into enquiry;
      -- Nobody is reminded of what a blocked sender wrote.
      perform app.notify(user_id, 'enquiry_reminder', due, app.enquiry_notice(enquiry) || jsonb_build_object('expires_at', enquiry.expires_at))
      from app.influencers where id = enquiry.influencer_id
        and not app.sender_is_blocked(enquiry);
    exception when lock_not_available then
    end;
  end loop;
end $$;

-- The data of an influencer's notification.
create or replace function app.enquiry_notice(enquiry app.enquiries) returns jsonb language sql immutable as $$
  select jsonb_build_object('name', coalesce(enquiry.sender_name, 'Former member'), 'title', app.enquiry_title(enquiry.deliverables),
    'state', enquiry.state, 'path', '/enquiries/' || enquiry.id)
$$;

-- Runs every minute: expires enquiries, and sends reminders after 72 hours.
create or replace function app.tick_enquiries() returns void language plpgsql security definer as $$
begin
  perform app.expire_enquiries();
  perform app.remind_of_enquiries();
end $$;

create or replace function public.answer_enquiry(enquiry_id uuid, accept boolean, answer text default null, reason text default null) returns jsonb
language sql as $$
  select app.answer_enquiry(enquiry_id, accept, nullif(btrim(answer, E' \t\r\n'), ''), nullif(btrim(reason, E' \t\r\n'), ''))
$$;

create or replace function public.withdraw_enquiry(enquiry_id uuid) returns jsonb
language sql as $$ select app.withdraw_enquiry(enquiry_id) $$;

grant execute on function app.answer_enquiry(uuid, boolean, text, text), public.answer_enquiry(uuid, boolean, text, text),
  app.withdraw_enquiry(uuid), public.withdraw_enquiry(uuid) to authenticated;

-- A brief ends with its last enquiry.
create or replace function app.end_briefs() returns trigger language plpgsql security definer as $$
begin
  delete from app.enquiry_briefs where id in (select brief_id from gone)
    and not exists (select from app.enquiries where brief_id = enquiry_briefs.id);
  return null;
end $$;

create or replace trigger end_briefs after delete on app.enquiries
  referencing old table as gone for each statement execute function app.end_briefs();
