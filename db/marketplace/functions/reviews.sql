-- Reviews are written within 14 days after a collaboration, and published when both sides have written one or the 14 days
-- are over.

create or replace function app.review_period() returns interval language sql immutable as $$ select interval '14 days' $$;

-- Why a side can't write a review now, or null if it can. The calling function has locked the collaboration.
create or replace function app.review_refusal(work app.collaborations, by_side text) returns text language sql stable as $$
  select case
    when work.state = 'accepted' then 'The collaboration is accepted but not completed'
    when work.state = 'cancelled' then 'The collaboration is cancelled'
    when now() >= work.completed_at + app.review_period() then 'The collaboration is completed, and the 14 days to review it are over'
    when exists (select from app.reviews where collaboration_id = work.id and side = by_side)
      then 'The collaboration is completed, and you have already reviewed it'
    when app.party_account(work.id, app.other_side(by_side)) is null and not (by_side = 'influencer' and app.is_guest(work.id))
      then 'The collaboration is completed, and the other side no longer has an account'
  end
$$;

-- API callers are accounts and don't set `side`. app.review_as_guest() does.
create or replace function app.prepare_review() returns trigger language plpgsql security definer as $$
declare
  work app.collaborations;
  refusal text;
begin
  if new.side is null then
    new.side := app.required_side(new.collaboration_id);
    new.author_id := auth.uid();
    new.author_key := auth.uid();
    perform app.check_sender(auth.uid(), 'write reviews');
  end if;
  work := app.lock_collaboration(new.collaboration_id, rates => true);
  -- The author's account was deleted in the meantime.
  perform app.refuse_if(not exists (select from app.profiles where id = new.author_id) and new.author_id is not null,
    'PT404', 'This collaboration doesn''t exist, or you have no part in it');
  refusal := app.review_refusal(work, new.side);
  perform app.refuse_if(refusal is not null, 'PT409', refusal);
  perform app.refuse_if(serasi.mailbox_of(app.party_address(work.id, 'influencer')) = serasi.mailbox_of(app.party_address(work.id, 'client')),
    'PT403', 'You can''t review yourself');
  new.influencer_id := work.influencer_id;
  new.agency_id := work.agency_id;
  new.publish_at := work.completed_at + app.review_period();
  return new;
end $$;

create or replace function app.publish_complete_pair() returns trigger language plpgsql security definer as $$
begin
  perform app.publish_reviews(new.collaboration_id)
  where (select count(*) from app.reviews where collaboration_id = new.collaboration_id) = 2;
  return null;
end $$;

-- Seed data and restored backups contain complete rows and are written without row security.
create or replace trigger prepare_review before insert on app.reviews
  for each row when (not pg_has_role('service_role', 'usage')) execute function app.prepare_review();
create or replace trigger publish_complete_pair after insert on app.reviews
  for each row when (not pg_has_role('service_role', 'usage')) execute function app.publish_complete_pair();

-- The calling function has locked the reviewed profiles.
create or replace function app.publish_reviews(collaboration uuid) returns void language plpgsql as $$
declare
  review app.reviews;
begin
  for review in
    select * from app.reviews where collaboration_id = collaboration and published_at is null order by side for update
  loop
    update app.reviews set published_at = now() where id = review.id;
    perform app.count_review(review);
    perform app.tell_party(collaboration, app.other_side(review.side), 'review_published', jsonb_build_object(
      'rating', review.rating, 'path', case
        when review.side = 'client' then '/profile/' || review.influencer_id || '?tab=review'
        when review.agency_id is not null then '/agency/' || review.agency_id
        else '/collaborations' end));
  end loop;
end $$;

create or replace function app.publish_due_reviews() returns void language plpgsql as $$
declare
  due uuid;
begin
  for due in
    select collaboration_id from app.reviews where published_at is null and publish_at <= now() order by publish_at limit 50
  loop
    begin
      perform app.publish_reviews((app.lock_collaboration(due, rates => true)).id);
    exception when lock_not_available then
    end;
  end loop;
end $$;

-- Whether a review can count toward an average: the work lasted at least a day and the author's address is proved, so that
-- nobody makes up a rating within minutes.
create or replace function app.review_counts(review app.reviews) returns boolean language sql stable as $$
  select (review.author_id is null or app.is_proved(review.author_id)) and exists (
    select from app.collaborations where id = review.collaboration_id and completed_at >= created_at + interval '1 day')
$$;

-- Only an author's newest review of a profile counts toward its average: this one replaces the previous one.
create or replace function app.count_review(review app.reviews) returns void language plpgsql as $$
begin
  if not app.review_counts(review) then
    return;
  end if;
  if review.side = 'client' then
    update app.reviews set counted = false
    where influencer_id = review.influencer_id and author_key = review.author_key and counted and side = 'client';
  else
    update app.reviews set counted = false
    where agency_id = review.agency_id and author_key = review.author_key and counted and side = 'influencer';
  end if;
  update app.reviews set counted = true
  where id = review.id and case side when 'client' then influencer_id else agency_id end is not null;
end $$;

-- Updates the number and sum of ratings in the reviewed profile whenever a review begins or ceases to count.
create or replace function app.sum_ratings() returns trigger language plpgsql security definer as $$
declare
  review constant app.reviews := case tg_op when 'DELETE' then old else new end;
  change constant integer := coalesce(new.counted, false)::integer - coalesce(old.counted, false)::integer;
begin
  if change <> 0 and review.side = 'client' then
    update app.influencers set review_count = review_count + change, rating_sum = rating_sum + change * review.rating
    where id = review.influencer_id;
  elsif change <> 0 then
    update app.agencies set review_count = review_count + change, rating_sum = rating_sum + change * review.rating
    where id = review.agency_id;
  end if;
  return null;
end $$;

create or replace trigger sum_ratings after insert or update of counted or delete on app.reviews
  for each row execute function app.sum_ratings();

-- A review of a deleted profile remains in its author's history: hidden from others, and without the reply. Those that the
-- profile's owner wrote remain visible.
create or replace function app.keep_received_review() returns trigger language plpgsql as $$
begin
  new.counted := false;
  new.published_at := coalesce(new.published_at, now());
  new.hidden_at := coalesce(new.hidden_at, now());
  new.reply := null;
  new.replied_at := null;
  return new;
end $$;

create or replace trigger keep_received_review before update of influencer_id, agency_id on app.reviews
  for each row when (
    (new.side = 'client' and old.influencer_id is not null and new.influencer_id is null)
    or (new.side = 'influencer' and old.agency_id is not null and new.agency_id is null))
  execute function app.keep_received_review();

-- Repeating the call with the same text changes nothing.
create or replace function app.reply_to_review(review_id uuid, text text) returns void language plpgsql security definer as $$
declare
  review app.reviews;
begin
  perform app.lock_collaboration(collaboration_id) from app.reviews where id = review_id;
  select * into review from app.reviews where id = review_id and published_at is not null and hidden_at is null for update;
  perform app.refuse_if((app.party_account(review.collaboration_id, app.other_side(review.side)) = app.account_id()) is not true,
    'PT404', 'This review doesn''t exist, or you have not received it');
  if review.reply = reply_to_review.text then
    return;
  end if;
  perform app.check_sender(auth.uid(), 'reply to reviews', proved => false);
  perform app.refuse_if(review.reply is not null, 'PT409', 'You have already replied to this review');
  perform app.refuse_if(now() >= review.published_at + interval '28 days',
    'PT409', 'The review was published more than 28 days ago, so you can''t reply to it any more');
  perform app.refuse_if(coalesce(btrim(reply_to_review.text, E' \t\r\n'), '') = '', '23514', 'Enter a reply', 'reviews', 'reviews_reply_required');
  update app.reviews set reply = reply_to_review.text, replied_at = now() where id = review_id;
  perform app.notify(review.author_id, 'review_replied', review_id, jsonb_strip_nulls(jsonb_build_object(
    'name', app.party_name(review.collaboration_id, app.other_side(review.side)),
    'title', (select title from app.collaborations where id = review.collaboration_id),
    'path', case
      when review.side = 'client' then '/profile/' || review.influencer_id || '?tab=review'
      when review.agency_id is not null then '/agency/' || review.agency_id
      else '/collaborations' end)));
end $$;

create or replace function public.reply_to_review(review_id uuid, text text) returns void
language sql as $$ select app.reply_to_review(review_id, text) $$;

-- Hides a review, for admins. The reason is recorded in the audit log. The author's previous review of the same profile
-- counts again.
create or replace function app.hide_review(review_id uuid, reason text) returns void language plpgsql security definer as $$
declare
  review app.reviews;
begin
  perform app.refuse_if(not app.is_admin(), '42501', 'Only admins can hide a review');
  perform app.refuse_if(coalesce(btrim(reason, E' \t\r\n'), '') = '' or char_length(reason) > 500,
    '23514', 'Give a reason of at most 500 characters', 'reviews', 'reviews_hidden_with_reason');
  perform app.lock_collaboration(collaboration_id, rates => true) from app.reviews where id = review_id;
  select * into review from app.reviews where id = review_id and published_at is not null for update;
  perform app.refuse_if(not found, 'PT404', 'This review doesn''t exist or is not published');
  perform app.refuse_if(review.hidden_at is not null, 'PT409', 'The review is already hidden');
  update app.reviews set hidden_at = now(), counted = false where id = review_id;
  if review.counted then
    perform app.count_review(earlier) from (
      select * from app.reviews
      where case review.side when 'client' then influencer_id = review.influencer_id else agency_id = review.agency_id end
        and side = review.side and author_key = review.author_key and published_at is not null and hidden_at is null
        and app.review_counts(reviews)
      order by published_at desc, id desc limit 1) as earlier;
  end if;
  perform app.audit(auth.uid(), 'hide_review', 'review', review_id,
    app.party_name(review.collaboration_id, app.other_side(review.side)), jsonb_build_object('reason', reason));
  perform app.notify(review.author_id, 'content_moderated', review_id, jsonb_strip_nulls(jsonb_build_object(
    'kind', 'review', 'state', 'hidden', 'reason', reason, 'path', '/collaborations',
    'title', (select title from app.collaborations where id = review.collaboration_id))));
end $$;

create or replace function public.hide_review(review_id uuid, reason text) returns void
language sql as $$ select app.hide_review(review_id, reason) $$;

grant execute on function app.reply_to_review(uuid, text), public.reply_to_review(uuid, text), app.hide_review(uuid, text),
  public.hide_review(uuid, text) to authenticated;
