-- An influencer and an agency with far more rows than all others, for measurements: 10,000 enquiries received or sent,
-- 10,000 applications made or received for one gig, 10,000 collaborations with reviews, 1,000 notifications and 1,000
-- reports. Running it again changes nothing.
create or replace function pg_temp.busy(n integer) returns uuid language sql immutable as $$
  select ('5e7bad00-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
$$;

insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
values (pg_temp.busy(1), 'admin@bench.serasi.test', now(), '{"marketplace_role": "admin"}', '{}'),
  (pg_temp.busy(11), 'busy.influencer@seed.serasi.test', now(), '{}', '{"user_type": "influencer"}'),
  (pg_temp.busy(12), 'busy.agency@seed.serasi.test', now(), '{}', '{"user_type": "agency"}')
on conflict do nothing;
insert into app.influencers (id, user_id, name, username, category, approved, badge_type)
values (pg_temp.busy(11), pg_temp.busy(11), 'Busy', 'busy.influencer', 'Tech', true, 'gold') on conflict do nothing;
insert into app.agencies (id, user_id, name, email)
values (pg_temp.busy(12), pg_temp.busy(12), 'Busy', 'busy@seed.serasi.test') on conflict do nothing;
insert into app.gigs (id, agency_id, title, description) values (pg_temp.busy(13), pg_temp.busy(12), 'Busy', 'One video') on conflict do nothing;

-- Disables triggers, which would queue a mail for each row.
set session_replication_role = replica;
insert into app.gig_applications (id, gig_id, agency_id, influencer_id, pitch, state, gig_title, created_at, digested_at)
select md5('busy application ' || n)::uuid, case n % 2 when 0 then pg_temp.busy(13) else gig.id end,
  case n % 2 when 0 then pg_temp.busy(12) else gig.agency_id end, case n % 2 when 0 then influencer.id else pg_temp.busy(11) end,
  'I have done this kind of work twice this year.', 'applied', 'Busy', now() - n * interval '1 minute', now()
from generate_series(1, 20000) as n
left join (select id, agency_id, row_number() over (order by id) as place from app.gigs limit 10000) as gig on n % 2 = 1 and place = (n + 1) / 2
left join (select id, row_number() over (order by id) as place from app.influencers limit 10000) as influencer on n % 2 = 0 and influencer.place = n / 2
where coalesce(gig.id, influencer.id) is not null
on conflict do nothing;

insert into app.enquiry_briefs (id, sender_key, created_at)
select md5('busy brief ' || n)::uuid, 'busy', now() - n * interval '1 minute' from generate_series(1, 20000) as n on conflict do nothing;
insert into app.enquiries (id, brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, created_at)
select md5('busy enquiry ' || n)::uuid, md5('busy brief ' || n)::uuid, case n % 2 when 0 then influencer.id else pg_temp.busy(11) end,
  case n % 2 when 0 then pg_temp.busy(12) else agency.user_id end, 'busy ' || n, 'Busy', 'Two reels', 'Would you show our new menu?',
  (array['open', 'declined', 'withdrawn', 'expired'])[n / 2 % 4 + 1], now(), case n / 2 % 4 when 1 then now() end, now() - n * interval '1 minute'
from generate_series(1, 20000) as n
left join (select user_id, row_number() over (order by id) - 1 as place, count(*) over () as all_of_them from app.agencies) as agency on place = n % all_of_them
left join (select id, row_number() over (order by id) as place from app.influencers limit 10000) as influencer on influencer.place = n / 2
on conflict do nothing;

insert into app.collaborations (id, source, title, influencer_id, client_user_id, agency_id, state, influencer_completed_at, completed_at, created_at)
select md5('busy collaboration ' || n)::uuid, 'application', 'Reel', pg_temp.busy(11), pg_temp.busy(12), pg_temp.busy(12), 'completed', now(), now(),
  now() - n * interval '1 minute' from generate_series(1, 10000) as n on conflict do nothing;
insert into app.reviews (id, collaboration_id, influencer_id, agency_id, author_id, author_key, side, rating, text, publish_at, published_at)
select md5('busy review ' || side || n)::uuid, md5('busy collaboration ' || n)::uuid, pg_temp.busy(11), pg_temp.busy(12),
  pg_temp.busy(case side when 'client' then 12 else 11 end), 'busy', side, 4, 'It was good to work together.', now(), now() - n * interval '1 minute'
from generate_series(1, 10000) as n cross join unnest('{client,influencer}'::text[]) as side on conflict do nothing;

insert into app.notices (id, user_id, kind, subject_id, created_at, seen_at)
select md5('busy notice ' || n)::uuid, pg_temp.busy(11), 'gig_closed', md5('busy subject ' || n)::uuid, now() - n * interval '1 hour', case when n > 50 then now() end
from generate_series(1, 1000) as n on conflict do nothing;
insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot, state, created_at, decided_at)
select md5('busy report ' || n)::uuid, 'gig', md5('busy subject ' || n)::uuid, pg_temp.busy(11), 'spam', '{"title": "Busy"}', 'dismissed', now() - n * interval '1 hour', now()
from generate_series(1, 1000) as n on conflict do nothing;
set session_replication_role = origin;
