-- What guests can do with the link from their mail, and what each party learns about the other.

create or replace function app.brief_of_link(token text) returns uuid language plpgsql stable as $$
declare
  brief constant uuid := app.guest_link_subject(token, 'enquiry');
begin
  perform app.refuse_if(brief is null, 'PT404', 'This link is incomplete or has expired');
  return brief;
end $$;

-- Reading changes nothing: a mail program that prefetches links must not confirm an enquiry.
create or replace function app.guest_enquiry(token text) returns jsonb language sql stable security definer as $$
  select jsonb_build_object(
    'sender_name', min(sender_name), 'sender_company', min(sender_company), 'deliverables', min(deliverables), 'message', min(message),
    'budget_from', min(budget_from), 'budget_to', min(budget_to), 'starts_on', min(starts_on), 'ends_on', min(ends_on),
    'created_at', min(enquiries.created_at),
    'enquiries', jsonb_agg(jsonb_build_object(
      'id', enquiries.id, 'state', state, 'answer', answer, 'reason', reason, 'answered_at', answered_at, 'expires_at', expires_at,
      'influencer_id', influencers.id, 'influencer_name', coalesce(influencers.name, 'Former member'),
      'influencer_email', case when state = 'accepted' then profiles.email end) order by influencers.name, enquiries.id))
  from app.enquiries
  left join app.influencers on influencers.id = influencer_id
  left join app.profiles on profiles.id = influencers.user_id
  where brief_id = app.brief_of_link(token)
$$;

-- Idempotent. An influencer who already has an open enquiry from this address doesn't get a second one.
create or replace function app.confirm_enquiry(token text) returns jsonb language plpgsql security definer as $$
declare
  brief constant uuid := app.brief_of_link(token);
  key text;
  address text;
begin
  select sender_key, guest_email into key, address from app.enquiry_briefs where id = brief;
  perform pg_advisory_xact_lock(hashtextextended('app.enquiries sender ' || key, 0));
  perform app.lock_parties(array(select sender_user_id from app.enquiries where brief_id = brief),
    array(select influencer_id from app.enquiries where brief_id = brief), '{}');
  perform from app.enquiries where brief_id = brief order by id for update;
  perform app.expire_enquiries(key);
  perform app.refuse_if(app.is_blocked_address(address) or exists (select from app.enquiries where brief_id = brief and app.is_blocked(sender_user_id)),
    'PT403', 'This e-mail address can''t send enquiries');
  if exists (select from app.enquiries where brief_id = brief and state = 'unconfirmed') then
    update app.enquiries as waiting set state = 'withdrawn'
    where brief_id = brief and state = 'unconfirmed' and exists (
      select from app.enquiries as earlier
      where earlier.sender_key = key and earlier.influencer_id = waiting.influencer_id and earlier.state = 'open');
    update app.enquiries set state = 'open', opened_at = now(), expires_at = now() + interval '7 days'
    where brief_id = brief and state = 'unconfirmed';
    perform app.refuse_if(not found, 'PT409', 'You already have an open enquiry to this influencer');
    perform app.tell_of_brief(brief);
  elsif not exists (select from app.enquiries where brief_id = brief and state in ('open', 'accepted', 'declined')) then
    perform app.refuse_state((select state from app.enquiries where brief_id = brief order by id limit 1));
  end if;
  return app.guest_enquiry(token);
end $$;

create or replace function app.withdraw_guest_enquiry(token text, enquiry_id uuid) returns jsonb language plpgsql security definer as $$
declare
  enquiry constant app.enquiries := app.lock_enquiry(enquiry_id);
begin
  perform app.refuse_if(enquiry.brief_id is distinct from app.brief_of_link(token), 'PT404', 'This enquiry doesn''t exist');
  perform app.withdraw(enquiry);
  return app.guest_enquiry(token);
end $$;

create or replace function public.guest_enquiry(token text) returns jsonb language sql stable as $$ select app.guest_enquiry(token) $$;
create or replace function public.confirm_enquiry(token text) returns jsonb language sql as $$ select app.confirm_enquiry(token) $$;
create or replace function public.withdraw_guest_enquiry(token text, enquiry_id uuid) returns jsonb
language sql as $$ select app.withdraw_guest_enquiry(token, enquiry_id) $$;

-- The other party's e-mail address if the enquiry is accepted; otherwise null.
create or replace function app.enquiry_contact(enquiry_id uuid) returns text language sql stable security definer as $$
  select case app.account_id() when influencers.user_id then sender_email when sender_user_id then profiles.email end
  from app.enquiries
  join app.influencers on influencers.id = influencer_id
  join app.profiles on profiles.id = influencers.user_id
  where enquiries.id = enquiry_id and state = 'accepted'
$$;

create or replace function public.enquiry_contact(enquiry_id uuid) returns text
language sql stable as $$ select app.enquiry_contact(enquiry_id) $$;

-- The address of the guest in a collaboration, for mails about it.
create or replace function app.guest_address(collaboration uuid) returns text language sql stable as $$
  select guest_email from app.enquiries join app.enquiry_briefs on enquiry_briefs.id = brief_id where collaboration_id = collaboration
$$;

-- Accepted enquiries show the sender's current address.
create or replace function app.follow_sender_email() returns trigger language plpgsql security definer as $$
begin
  update app.enquiries set sender_email = new.email where sender_user_id = new.id and sender_email is not null;
  return null;
end $$;

create or replace trigger follow_sender_email after update of email on app.profiles
  for each row when (old.email is distinct from new.email) execute function app.follow_sender_email();

grant execute on function app.guest_enquiry(text), public.guest_enquiry(text), app.confirm_enquiry(text), public.confirm_enquiry(text),
  app.withdraw_guest_enquiry(text, uuid), public.withdraw_guest_enquiry(text, uuid) to anon, authenticated;
grant execute on function app.enquiry_contact(uuid), public.enquiry_contact(uuid) to authenticated;
