-- Guest clients have no account. They act with the token from a mailed link (guest_links.sql).

-- Guests get a mail in place of a notification.
create or replace function app.mail_guest(collaboration uuid, kind text, data jsonb) returns void language plpgsql as $$
declare
  address constant text := app.guest_address(collaboration);
begin
  if address is null or kind = 'review_published'
    -- A guest who completed the collaboration already has the link.
    or (kind = 'review_invited' and (select client_completed_at is not null from app.collaborations where id = collaboration)) then
    return;
  end if;
  if kind = 'collaboration_cancelled' then
    insert into serasi.mail_outbox (template, recipient, data)
    values ('guest_collaboration_ended', address, data || '{"path": "/search/influencers"}');
  else
    -- The token is in the fragment, which browsers don't send to servers. It is valid for 22 days: 7 until the collaboration
    -- is completed automatically, 14 to write a review, and one to spare.
    insert into serasi.mail_outbox (template, recipient, data)
    values ('guest_review', address, data || jsonb_build_object('path', format('/review/%s#token=%s', collaboration,
      app.new_guest_link('review', collaboration, interval '22 days'))));
  end if;
end $$;

-- The collaboration that the token belongs to.
create or replace function app.guest_work(token text) returns uuid language plpgsql stable as $$
declare
  work constant uuid := app.guest_link_subject(token, 'review');
begin
  perform app.refuse_if(work is null or not coalesce(app.is_guest(work), false), 'PT404', 'This link is invalid or has expired');
  return work;
end $$;

create or replace function app.guest_collaboration(token text) returns table (
  id uuid, title text, influencer_name text, client_name text, state text, influencer_completed_at timestamptz,
  client_completed_at timestamptz, completed_at timestamptz, review_until timestamptz, reviewed boolean
) language sql stable rows 1 security definer as $$
  select work.id, work.title, app.party_name(work.id, 'influencer'), work.guest_name, work.state, work.influencer_completed_at,
    work.client_completed_at, work.completed_at, work.completed_at + app.review_period(),
    exists (select from app.reviews where collaboration_id = work.id and side = 'client')
  from app.collaborations as work where work.id = app.guest_work(token)
$$;

create or replace function public.guest_collaboration(token text) returns table (
  id uuid, title text, influencer_name text, client_name text, state text, influencer_completed_at timestamptz,
  client_completed_at timestamptz, completed_at timestamptz, review_until timestamptz, reviewed boolean
) language sql stable rows 1 as $$ select * from app.guest_collaboration(token) $$;

create or replace function app.complete_as_guest(token text) returns text
language sql security definer as $$ select app.complete_side(app.guest_work(token), 'client') $$;

create or replace function public.complete_as_guest(token text) returns text language sql as $$ select app.complete_as_guest(token) $$;

create or replace function app.cancel_as_guest(token text, reason text) returns text
language sql security definer as $$ select app.cancel_side(app.guest_work(token), 'client', reason) $$;

create or replace function public.cancel_as_guest(token text, reason text) returns text
language sql as $$ select app.cancel_as_guest(token, reason) $$;

-- A review also completes the collaboration. If an account with the guest's address exists by now, the review counts as
-- that account's.
create or replace function app.review_as_guest(token text, rating integer, text text) returns void language plpgsql security definer as $$
declare
  work constant uuid := app.guest_work(token);
  address constant text := app.guest_address(work);
begin
  perform app.refuse_if(app.is_blocked_address(address), 'PT403', 'This e-mail address can''t write reviews');
  perform app.lock_collaboration(work, rates => true);
  perform app.refuse_if(app.complete_side(work, 'client') <> 'completed', 'PT409', 'The collaboration is accepted but not completed');
  insert into app.reviews (collaboration_id, side, author_key, rating, text)
  values (work, 'client', coalesce(
    (select id::text from app.profiles where serasi.mailbox_of(email) = serasi.mailbox_of(address) order by id limit 1),
    app.address_key(address)), review_as_guest.rating, review_as_guest.text);
end $$;

create or replace function public.review_as_guest(token text, rating integer, text text) returns void
language sql as $$ select app.review_as_guest(token, rating, text) $$;

grant execute on function app.guest_collaboration(text), public.guest_collaboration(text), app.complete_as_guest(text),
  public.complete_as_guest(text), app.cancel_as_guest(text, text), public.cancel_as_guest(text, text), app.review_as_guest(text, integer,
  text), public.review_as_guest(text, integer, text) to anon, authenticated;
