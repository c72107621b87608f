-- The demo accounts' enquiries, applications, collaborations, reviews and reports. Run it after demo.sql on the same
-- connection, because it uses its functions and temporary tables.

-- Enquiries in each state, to the demo influencer and from the demo agency and vendor. `sender` is the number of an account,
-- or null for a guest.
create temporary table demo_enquiry (
  number integer generated always as identity, sender integer, company text, name text, influencer integer, state text, hours integer,
  budget_from integer, budget_to integer, in_days integer, deliverables text, message text, answer text);
insert into demo_enquiry (sender, company, name, influencer, state, hours, budget_from, budget_to, in_days, deliverables, message, answer) values
(201, null, 'Lumut Studio', 1, 'open', 20, 2500, 4000, 21, 'Two reels and a set of stories from the Penang ferry', 'We are launching a weekend pass for the ferries and would like you to show a day with it, from the first boat to the last laksa. You keep the rights to your pictures.', null),
(null, 'Kopi Seberang', 'Mei Ling Chan', 1, 'open', 75, 800, null, 14, 'One reel about our new cafe', 'We open in Butterworth next month, three minutes from the station. Would you come for a morning and tell people how to get here by train?', null),
(301, null, 'Tandu Sound', 1, 'accepted', 120, 1500, 2000, 9, 'Hosting a travel talk, two hours', 'We run the sound for a small travel festival and look for somebody who can host two talks and keep them on time.', 'Gladly. I am free on both days, and RM 1,800 would be right for me.'),
(202, null, 'Sembang PR', 1, 'declined', 200, 500, 500, 3, 'Ten posts in one week', 'Our client needs ten posts about a power bank within a week. Texts and pictures come from us.', 'I only write about what I have used on a trip myself.'),
(205, null, 'Pukat Digital', 1, 'expired', 300, null, 3000, null, 'A route around Kenyir in four parts', 'Four short films about Lake Kenyir without a car. We have a boat and a place to stay.', null),
(212, null, 'Teh Tarik Labs', 1, 'withdrawn', 260, 1000, 2500, 30, 'A road trip diary', 'A week on the old trunk road with our flask. We would pay fuel and food on top.', null),
(201, null, 'Lumut Studio', 9, 'open', 30, 3000, 6000, 25, 'Three recipe reels with budu', 'Three short recipes that are not fish. Would you cook them in your own kitchen?', null),
(201, null, 'Lumut Studio', 4, 'accepted', 150, 8000, 12000, 40, 'A make-up look for a batik launch', 'One look that lasts through an outdoor show in Kota Bharu, filmed in the morning and again at night.', 'Yes, if I may use my own products and name them.'),
(201, null, 'Lumut Studio', 5, 'declined', 180, 2000, 3000, 12, 'A ride through four states', 'A ride from Ipoh to Kuantan with our tea in the bag, in one take per state.', null),
(201, null, 'Lumut Studio', 10, 'expired', 340, 1500, 2500, null, 'A livestream with our games', 'Two hours of our new co-op game, with your usual crew.', null),
(301, null, 'Tandu Sound', 13, 'open', 50, 1200, 1800, 18, 'A sketch about sound checks', 'One sketch about what goes wrong at a sound check. Everything in it has happened to us.', null),
(301, null, 'Tandu Sound', 8, 'withdrawn', 220, 600, 900, 5, 'A satay evening for our crew', 'We would like to thank our crew, and film it with you.', null);
insert into app.enquiry_briefs (id, created_at, sender_key, guest_email)
select pg_temp.demo_id(31, number), now() - hours * interval '1 hour', coalesce(pg_temp.demo_id(1, sender)::text, 'demo guest ' || number),
  case when sender is null then 'mei@kopiseberang.test' end
from demo_enquiry;
insert into app.collaborations (id, source, title, influencer_id, client_user_id, agency_id, created_at)
select pg_temp.demo_id(33, number), 'enquiry', deliverables, pg_temp.demo_id(2, influencer), pg_temp.demo_id(1, sender),
  case when sender between 201 and 299 then pg_temp.demo_id(3, sender - 200) end, now() - (hours - 20) * interval '1 hour'
from demo_enquiry where state = 'accepted';
insert into app.enquiries (id, brief_id, influencer_id, sender_user_id, sender_key, sender_name, sender_company, sender_email, deliverables, message,
  budget_from, budget_to, starts_on, ends_on, state, answer, reason, created_at, opened_at, reminded_at, answered_at, expires_at, collaboration_id)
select pg_temp.demo_id(32, number), pg_temp.demo_id(31, number), pg_temp.demo_id(2, influencer), pg_temp.demo_id(1, sender),
  coalesce(pg_temp.demo_id(1, sender)::text, 'demo guest ' || number), name, company,
  case state when 'accepted' then (select email from app.profiles where id = pg_temp.demo_id(1, sender)) end,
  deliverables, message, budget_from, budget_to, current_date + in_days, current_date + in_days + 6, state,
  case state when 'accepted' then answer end, case state when 'declined' then answer end,
  now() - hours * interval '1 hour', now() - hours * interval '1 hour', case when hours > 72 then now() - (hours - 72) * interval '1 hour' end,
  case when state in ('accepted', 'declined') then now() - (hours - 20) * interval '1 hour' end,
  now() + (168 - hours) * interval '1 hour', case state when 'accepted' then pg_temp.demo_id(33, number) end
from demo_enquiry;
insert into app.notices (user_id, kind, subject_id, data, created_at)
select pg_temp.demo_id(1, 100 + influencer), 'enquiry_received', pg_temp.demo_id(32, number),
  jsonb_build_object('name', name, 'title', deliverables, 'state', 'open', 'path', '/enquiries/' || pg_temp.demo_id(32, number)), now() - hours * interval '1 hour'
from demo_enquiry where state = 'open' and influencer = 1;
drop table demo_enquiry;

-- Applications. The demo influencer (1) has one in each state. The gigs 1, 7 and 8 belong to the demo agency.
update app.gigs set places = 3, closes_on = current_date + 14 where id = pg_temp.demo_id(5, 1);
update app.gigs set places = 1 where id in (pg_temp.demo_id(5, 5), pg_temp.demo_id(5, 11));
update app.gigs set closes_on = current_date + 3 where id = pg_temp.demo_id(5, 8);
update app.gigs set closes_on = current_date - 2, closed_for = current_date - 2 where id = pg_temp.demo_id(5, 20);

create temporary table demo_application (
  number integer generated always as identity, gig integer, influencer integer, state text, days integer, quote integer, pitch text);
insert into demo_application (gig, influencer, state, days, quote, pitch) values
(8, 1, 'applied', 1, 1400, 'Bazaars are my home ground: I filmed eleven of them last Ramadan, always in one take. I know most stall owners in Kota Bharu by name.'),
(2, 1, 'shortlisted', 4, 1750, 'I hosted orientation week at USM twice, with games and street interviews. The dates fit, and I bring my own microphones.'),
(5, 1, 'accepted', 9, 1900, 'I have taken every ferry on the east coast without a car. I would show the bus from KL, the jetty and the real cost in ninety seconds.'),
(13, 1, 'completed', 30, 2400, 'Two nights in Setiu are on my list anyway. I bring a drone with a licence, and a film of the sunrise by the next day.'),
(9, 1, 'declined', 12, 5000, 'I take the Komuter every day and have a notebook full of queue stories. Four scripts would be with you in a week.'),
(16, 1, 'withdrawn', 6, null, 'A route through George Town before breakfast, with the murals as checkpoints. My runs are slow, and that is the joke.'),
(14, 1, 'cancelled', 20, 3800, 'I followed two festivals backstage last year. Daily stories are ready before midnight, the film within a week.'),
(20, 1, 'applied', 5, 1600, 'I have never had two phones, so a week without one would be honest. I would keep the log on paper and read it out.'),
(1, 5, 'applied', 1, 5500, 'My mother sells kuih in Ipoh, so I know what a good lompat tikam sounds like when it breaks. Six videos in ten days.'),
(1, 9, 'applied', 2, 6200, 'Kitchen videos are most of what I do. I would film with the bakers at 4 a.m., and keep their jokes in.'),
(1, 62, 'shortlisted', 3, 5800, 'Thirty-minute dinners became thirty-second ones: my short videos keep three quarters of their viewers to the end.'),
(1, 27, 'shortlisted', 3, 6000, 'I bake pandan everything and have tested your kuih on two hundred followers already. They want the recipe.'),
(1, 42, 'accepted', 5, 5900, 'I scored forty roti stalls with one scorecard. Give me the bakery for a week, and I give you six honest videos.'),
(1, 58, 'declined', 6, 9000, 'I could do this as part of my songket series, with one costume for each kuih.'),
(1, 31, 'withdrawn', 7, null, 'Sago is my specialty, and two of your kuih are made of it. I would like to compare the versions of both coasts.'),
(7, 27, 'applied', 1, 2600, 'Budu in a cake sounds wrong and is not. I have three recipes ready and a kitchen nearby.'),
(7, 62, 'applied', 2, 2700, 'I come from the west coast and could not stand budu. That is the story: three dinners that changed my mind.'),
(11, 3, 'accepted', 8, 1250, 'I am 158 cm and return most of what I order, so I know what to look for. Twelve pieces in one week are fine.');

insert into app.collaborations (id, source, title, influencer_id, client_user_id, agency_id, state, created_at, influencer_completed_at, client_completed_at, completed_at, cancelled_at, cancelled_by, reason)
select pg_temp.demo_id(7, demo_application.number), 'application', title, pg_temp.demo_id(2, influencer), pg_temp.demo_id(1, 200 + agency), pg_temp.demo_id(3, agency),
  state, now() - days * interval '20 hours', case state when 'completed' then now() - interval '3 days' end, case state when 'completed' then now() - interval '2 days' end,
  case state when 'completed' then now() - interval '2 days' end, case state when 'cancelled' then now() - interval '5 days' end,
  case state when 'cancelled' then 'client' end, case state when 'cancelled' then 'The festival was moved to next year.' end
from demo_application join demo_gig on demo_gig.number = gig where state in ('accepted', 'completed', 'cancelled');

insert into app.gig_applications (id, gig_id, influencer_id, pitch, quote, state, collaboration_id, created_at, decided_at, digested_at)
select pg_temp.demo_id(6, number), pg_temp.demo_id(5, gig), pg_temp.demo_id(2, influencer), pitch, quote, state,
  case when state in ('accepted', 'completed', 'cancelled') then pg_temp.demo_id(7, number) end,
  now() - days * interval '1 day', case when state not in ('applied', 'withdrawn') then now() - days * interval '20 hours' end, now() - days * interval '1 day'
from demo_application;


-- Collaborations of the demo influencer with the demo agency in each state (1 to 4), and with the demo vendor (5 and 6). The
-- others have published reviews, so that influencer 14 and agency 12 have an average rating.
create temporary table demo_work (number integer, influencer integer, agency integer, vendor integer, title text, state text, days integer, client_stars integer,
  client_text text, influencer_stars integer, influencer_text text, paid boolean, reply text);
insert into demo_work values
(1, 1, 1, null, 'Hosts for a food festival', 'accepted', 3, null, null, null, null, null, null),
(2, 1, 1, null, 'Reels for a night market', 'half', 2, null, null, null, null, null, null),
(3, 1, 1, null, 'A weekend in Ipoh by train', 'completed', 4, null, null, 5, 'A clear brief, one round of changes, and the invoice was settled within the week.', true, null),
(4, 1, 1, null, 'Launch of a kopi bar', 'cancelled', 12, null, null, null, null, null, null),
(5, 1, null, 1, 'Stage sound for a village fair', 'accepted', 1, null, null, null, null, null, null),
(6, 1, null, 1, 'Behind the scenes of a concert', 'completed', 6, null, null, null, null, null, null),
(7, 14, 2, null, 'A week with a new power bank', 'completed', 40, 5, 'Tested everything we sent, found two faults before our customers did, and said so politely.', 4, 'Sent the samples on time. The approval took a few days longer than planned.', true, 'Thank you. The second batch is better because of you.'),
(8, 14, 3, null, 'Three phones, one battery', 'completed', 60, 4, 'Honest numbers and a good sense of humor. Delivered one day late, with notice.', 5, 'They knew what they wanted and paid on the day of the upload.', true, null),
(9, 14, 4, null, 'Chargers for the night shift', 'completed', 80, 5, 'Our most watched video this year. We would book him again tomorrow.', 3, 'Nice people, but the second half of the fee came after two reminders.', false, 'We have changed our payment run since. Sorry for the wait.'),
(10, 14, 12, null, 'Unboxing without a script', 'completed', 30, 4, 'He keeps to the facts and to the schedule. The comments were full of good questions.', 5, 'Everything was written down before the first day. Easy to work with.', true, null),
(11, 11, 12, null, 'First ten kilometres', 'completed', 35, 5, 'Brought forty beginners to the start line, and all of them finished.', 4, 'Good organization on the day, and water at every stop.', true, null),
(12, 12, 12, null, 'Raya looks from the bundle shop', 'completed', 45, 4, 'Styled twelve looks in one afternoon and returned everything clean.', 5, 'A small team that answers within the hour, and pays within the week.', true, null);

insert into app.collaborations (id, source, title, influencer_id, client_user_id, agency_id, state, created_at, influencer_completed_at,
  client_completed_at, completed_at, cancelled_at, cancelled_by, reason)
select pg_temp.demo_id(7, 100 + number), case when agency is null then 'enquiry' else 'application' end, title, pg_temp.demo_id(2, influencer),
  pg_temp.demo_id(1, coalesce(200 + agency, 300 + vendor)), case when agency is not null then pg_temp.demo_id(3, agency) end, case state when 'half' then 'accepted' else state end,
  ended - interval '9 days', case when state in ('half', 'completed') then ended end, case state when 'completed' then ended end,
  case state when 'completed' then ended end, case state when 'cancelled' then ended end, case state when 'cancelled' then 'client' end,
  case state when 'cancelled' then 'The opening is postponed, and the budget with it.' end
from demo_work cross join lateral (select now() - days * interval '1 day') as times (ended);

insert into app.reviews (id, collaboration_id, influencer_id, agency_id, author_id, author_key, side, rating, text, paid_on_time, created_at,
  publish_at, published_at, reply, replied_at, counted)
select pg_temp.demo_id(8, 2 * demo_work.number + case side when 'client' then 0 else 1 end), work.id, work.influencer_id, work.agency_id, author, author, side, stars, words,
  case side when 'influencer' then paid end, work.completed_at + interval '1 day', work.completed_at + interval '14 days', published,
  case when side = answered then reply end, case when side = answered and reply is not null then published + interval '1 day' end,
  published is not null
from demo_work
join app.collaborations as work on work.id = pg_temp.demo_id(7, 100 + demo_work.number)
cross join lateral (values ('client', client_stars, client_text, work.client_user_id), ('influencer', influencer_stars, influencer_text, pg_temp.demo_id(1, 100 + influencer)))
  as written (side, stars, words, author)
cross join lateral (select case when client_stars is not null then work.completed_at + interval '2 days' end, case when paid then 'client' else 'influencer' end)
  as times (published, answered)
where stars is not null;

drop table demo_application;

-- Reports in each state. The snapshot of the second one contains words that the gig has since removed.
insert into app.reports (id, kind, subject_id, reporter_id, reason, text, words, snapshot, state, created_at, decided_at)
select
  pg_temp.demo_id(20, number), kind, subject_id, case when reporter is not null then pg_temp.demo_id(1, reporter) end, reason, text, words,
  app.report_subject(kind, subject_id) || coalesce(change, '{}'), state, now() - age, case when state in ('upheld', 'dismissed') then now() - age / 2 end
from (values
  (1, 'gig', pg_temp.demo_id(5, 4), 101, 'scam', 'They answered my e-mail and asked for RM 200 before the briefing.', null::text[], null::jsonb, 'open', interval '50 hours'),
  (2, 'gig', pg_temp.demo_id(5, 6), null, 'words', null, array['deposit', 't.me/serasi_jobs'],
    '{"description": "Write to t.me/serasi_jobs and pay a small deposit to keep your place."}', 'open', interval '27 hours'),
  (3, 'influencer', pg_temp.demo_id(2, 12), 201, 'fake', 'Uses the pictures of another creator.', null, null, 'open', interval '5 hours'),
  (4, 'vendor', pg_temp.demo_id(4, 3), 201, 'spam', null, null, null, 'taken', interval '3 days'),
  (5, 'agency', pg_temp.demo_id(3, 4), 101, 'offensive', 'Rude on the phone, twice.', null, null, 'dismissed', interval '6 days'),
  (6, 'agency', pg_temp.demo_id(3, 5), 301, 'fake', 'This company does not exist at that address.', null, '{"location": "Kuala Lumpur"}', 'upheld', interval '9 days')
) as report (number, kind, subject_id, reporter, reason, text, words, change, state, age);
update app.report_decisions
set taken_by = pg_temp.demo_id(1, 2), taker = 'admin@demo.serasi.test', taken_at = reports.created_at + interval '2 hours',
  decided_by = case when decided_at is not null then pg_temp.demo_id(1, 2) end,
  decider = case when decided_at is not null then 'admin@demo.serasi.test' end,
  note = case state when 'dismissed' then 'No insult in the messages that we were shown.' when 'upheld' then 'The address was wrong. The agency corrected it after we wrote to it.' end
from app.reports where reports.id = report_id and state <> 'open';
insert into app.notices (user_id, kind, subject_id, data, created_at, seen_at)
select reporter_id, 'report_decided', id, jsonb_build_object('kind', kind, 'title', title, 'state', state, 'path', '/agency/' || subject_id), decided_at, decided_at
from app.reports where decided_at is not null;
insert into app.blocked_senders (id, address_hash, name, reason, blocked_by, blocker, created_at)
values (pg_temp.demo_id(21, 1), app.address_key('guest@mail.test'), 'A guest', 'The same advertisement to thirty influencers.',
  pg_temp.demo_id(1, 2), 'admin@demo.serasi.test', now() - interval '8 days');

drop function pg_temp.demo_id, pg_temp.demo_image;
drop table demo_work;
drop table demo_account, demo_influencer, demo_agency, demo_vendor, demo_gig, demo_category;
analyze;
