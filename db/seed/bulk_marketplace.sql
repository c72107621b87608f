-- Generates enquiries, applications, reviews, notifications and reports. Run it after bulk.sql on the same connection,
-- because it uses its functions.

-- Enquiries from agencies to approved influencers, each with its own brief. Without agencies or influencers, none are
-- created.
create or replace function pg_temp.seed_enquiries(first bigint, rows integer) returns void language plpgsql as $$
declare
  senders constant uuid[] := array(select user_id from app.agencies order by id);
  names constant text[] := array(select name from app.agencies order by id);
  influencers constant uuid[] := array(select id from app.influencers where approved order by id);
  wants constant text[] := array['Two reels and three stories', 'One video and the right to use it for a year', 'A livestream of two hours', 'Hosting for one evening'];
  messages constant text[] := array['We open a second shop and would like you to show the first week.', 'Our new range fits what you show. Would you try it on camera?',
    'A festival of three days, and we still need somebody for the stage.'];
begin
  if cardinality(senders) = 0 or cardinality(influencers) = 0 then
    return;
  end if;
  insert into app.enquiry_briefs (id, sender_key, created_at)
  select pg_temp.seed_id('briefs', n), senders[1 + n % cardinality(senders)], now() - n * interval '2 minutes' from generate_series(first, first + rows - 1) as n;
  insert into app.enquiries (brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, budget_from, state, created_at, opened_at,
    answered_at, expires_at)
  -- Open enquiries have unique sender keys, because a sender can have only one open enquiry to an influencer.
  select pg_temp.seed_id('briefs', n), influencers[1 + n * 7919 % cardinality(influencers)], senders[1 + n % cardinality(senders)],
    case state when 'open' then 'seed ' || n else senders[1 + n % cardinality(senders)]::text end, names[1 + n % cardinality(senders)],
    pg_temp.pick(wants), pg_temp.pick(messages), 100 * (5 + n % 60)::integer, state, made, made,
    case when state in ('accepted', 'declined') then made + interval '1 day' end,
    case state when 'open' then now() + interval '7 days' else made + interval '7 days' end
  from (
    select n, now() - n * interval '2 minutes' as made, pg_temp.pick(array['open', 'accepted', 'declined', 'declined', 'withdrawn', 'expired', 'expired']) as state
    from generate_series(first, first + rows - 1) as n offset 0) as enquiry;
end $$;

-- Applications for all gigs by all approved influencers, at most one per pair.
create or replace function pg_temp.seed_applications(first bigint, rows integer) returns void language plpgsql as $$
declare
  gigs constant uuid[] := array(select id from app.gigs order by id);
  influencers constant uuid[] := array(select id from app.influencers where approved order by id);
  pitches constant text[] := array['I have done this kind of work twice this year, and my audience is in your region.',
    'My followers ask for exactly this. I can start next week and deliver within ten days.', 'I live nearby, own my equipment, and answer messages on the same day.'];
begin
  if cardinality(gigs) = 0 or cardinality(influencers) = 0 then
    return;
  end if;
  insert into app.gig_applications (gig_id, influencer_id, pitch, quote, state, created_at, decided_at, digested_at)
  select gig, influencer, pg_temp.pick(pitches), 500 + 100 * floor(random() * 90)::integer, state, made_at,
    case when state not in ('applied', 'withdrawn') then made_at + interval '2 days' end, made_at
  from (
    select gigs[1 + n % cardinality(gigs)] as gig, influencers[1 + (n + n / cardinality(gigs)) % cardinality(influencers)] as influencer,
      pg_temp.pick(array['applied', 'applied', 'applied', 'shortlisted', 'accepted', 'declined', 'declined', 'withdrawn', 'completed']) as state,
      now() - random() * interval '180 days' as made_at
    from generate_series(first, first + rows - 1) as n offset 0) as application
  on conflict do nothing;
end $$;

-- Completed collaborations of agencies and influencers, one per pair, with both reviews. Triggers are disabled, because they
-- would update a profile for each review: the sums of ratings are updated at the end.
create or replace function pg_temp.seed_reviews(first bigint, rows integer) returns void language plpgsql as $$
declare
  agencies constant uuid[] := array(select id from app.agencies order by id);
  influencers constant uuid[] := array(select id from app.influencers where approved order by created_at desc, id desc limit 10000);
  praises constant text[] := array['Delivered what was agreed, on the day that was agreed.', 'Friendly, well prepared and easy to reach.', 'Good work, after one round of changes.',
    'The numbers were lower than promised, the effort was not.', 'We would work together again at any time.'];
begin
  if cardinality(agencies) = 0 or cardinality(influencers) = 0 then
    return;
  end if;
  perform set_config('session_replication_role', 'replica', true);
  with work as (
    insert into app.collaborations (source, title, influencer_id, client_user_id, agency_id, state, created_at, influencer_completed_at, client_completed_at, completed_at)
    select 'application', 'Work ' || n, influencers[1 + (n / cardinality(agencies) + n % cardinality(agencies) * 7919) % cardinality(influencers)],
      agency.user_id, agency.id, 'completed', ended - interval '10 days', ended, ended, ended
    from (select n, now() - random() * interval '700 days' - interval '20 days' as ended
      from generate_series(first, first + rows - 1) as n offset 0) as drawn
    join app.agencies as agency on agency.id = agencies[1 + n % cardinality(agencies)]
    returning *
  ), made as (
    insert into app.reviews (collaboration_id, influencer_id, agency_id, author_id, author_key, side, rating, text, paid_on_time, created_at, publish_at, published_at, counted)
    select work.id, work.influencer_id, work.agency_id, author, author, side, 1 + floor(5 * sqrt(random())), pg_temp.pick(praises),
      case side when 'influencer' then random() < 0.9 end, completed_at + interval '1 day', completed_at + interval '14 days', completed_at + interval '3 days',
      -- Only the first collaboration of a pair counts.
      substr(title, 6)::bigint < cardinality(agencies)::bigint * cardinality(influencers)
    from work
    join app.influencers as influencer on influencer.id = work.influencer_id
    cross join lateral (values ('client', work.client_user_id), ('influencer', influencer.user_id)) as written (side, author)
    on conflict do nothing
    returning *
  ), of_influencers as (
    update app.influencers set review_count = review_count + number, rating_sum = rating_sum + total
    from (select influencer_id, count(*) as number, sum(rating) as total from made where counted and side = 'client' group by 1) as added
    where id = influencer_id
  )
  update app.agencies set review_count = review_count + number, rating_sum = rating_sum + total
  from (select agency_id, count(*) as number, sum(rating) as total from made where counted and side = 'influencer' group by 1) as added
  where id = agency_id;
  perform set_config('session_replication_role', 'origin', true);
end $$;

-- Notifications of all accounts; every tenth is unread. Without accounts, none are created.
create or replace function pg_temp.seed_notifications(first bigint, rows integer) returns void language plpgsql as $$
declare
  accounts constant uuid[] := array(select id from app.profiles order by id limit 50000);
begin
  if cardinality(accounts) = 0 then
    return;
  end if;
  insert into app.notices (user_id, kind, subject_id, data, created_at, seen_at)
  select accounts[1 + n % cardinality(accounts)], pg_temp.pick(array['enquiry_answered', 'application_decided', 'gig_closed', 'review_published']), gen_random_uuid(),
    jsonb_build_object('name', 'Seed', 'title', 'Work ' || n, 'path', '/notifications'), moment, case when n % 10 > 0 then moment end
  from (select n, now() - random() * interval '150 days' as moment from generate_series(first, first + rows - 1) as n offset 0) as notice;
end $$;

-- Reports about gigs by all accounts; most are decided. Without gigs, none are created.
create or replace function pg_temp.seed_reports(first bigint, rows integer) returns void language plpgsql as $$
declare
  accounts constant uuid[] := array(select id from app.profiles order by id limit 5000);
  gigs constant uuid[] := array(select id from app.gigs order by id limit 5000);
begin
  if cardinality(accounts) = 0 or cardinality(gigs) = 0 then
    return;
  end if;
  insert into app.reports (kind, subject_id, reporter_id, reason, snapshot, state, created_at, decided_at)
  select 'gig', gigs[1 + n % cardinality(gigs)], accounts[1 + (n / cardinality(gigs)) % cardinality(accounts)],
    pg_temp.pick(array['scam', 'fake', 'spam', 'offensive', 'illegal']), jsonb_build_object('title', 'Gig ' || n),
    case when n % 100 = 0 then 'open' else 'dismissed' end, moment, case when n % 100 <> 0 then moment end
  from (select n, now() - random() * interval '180 days' as moment from generate_series(first, first + rows - 1) as n offset 0) as report
  on conflict do nothing;
end $$;
