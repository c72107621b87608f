-- A notification doesn't affect other notifications and their mails.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.notices;
  delete from serasi.mail_outbox;
  perform app.notify(tests.id('agency'), 'gig_closed', tests.id('gig of agency'), '{"name": "A"}');
  perform app.notify(tests.id('agency'), 'gig_closed', tests.id('nobody'), '{"name": "B"}');
  perform app.notify(tests.id('vendor'), 'gig_closed', tests.id('nobody'), '{"name": "C"}');
  update app.notices set seen_at = now();
  perform app.notify(tests.id('agency'), 'gig_closed', tests.id('nobody'), '{"name": "D"}');
end $$;
create function pg_temp.names() returns text language sql as $$
  select string_agg(data ->> 'name' || case when seen_at is null then ' new' else '' end, ', ' order by data ->> 'name') from app.notices
$$;
create function pg_temp.mails() returns text language sql as $$
  select string_agg(data ->> 'name', ', ' order by data ->> 'name') from serasi.mail_outbox
$$;
select is(pg_temp.names(), 'A, C, D new', 'NO-20 a repeated one replaces itself only');
select is(pg_temp.mails(), 'A, C, D', 'NO-20 and its mail');

-- Turning off a kind of mail removes queued mails at the next notification. Sent and failed ones stay.
do $$ begin
  insert into app.notification_settings (user_id, kind, delivery) values (tests.id('agency'), 'gig_closed', 'off');
  perform app.notify(tests.id('agency'), 'gig_closed', tests.id('nobody'), '{"name": "E"}');
end $$;
select is(pg_temp.mails(), 'A, C', 'NO-21 its own mail only');
update serasi.mail_outbox set sent_at = now(), data = '{}' where data ->> 'name' = 'A';
select app.notify(tests.id('agency'), 'gig_closed', tests.id('gig of agency'), '{"name": "F"}') \g /dev/null
select is((select count(*) from serasi.mail_outbox), 2::bigint, 'NO-21 not one that was sent');
update serasi.mail_outbox set sent_at = null, given_up_at = now() where sent_at is not null;
select app.notify(tests.id('agency'), 'gig_closed', tests.id('gig of agency'), '{"name": "G"}') \g /dev/null
select is((select count(*) from serasi.mail_outbox), 2::bigint, 'NO-21 nor one that was given up');

update serasi.mail_outbox set given_up_at = now(), data = '{}' where data ->> 'name' = 'C';
select app.notify(tests.id('vendor'), 'gig_closed', tests.id('nobody'), '{"name": "H"}') \g /dev/null
select is((select count(*) from serasi.mail_outbox), 3::bigint, 'NO-21 a mail that was given up is not replaced');

-- Guests get no mail when reviews are published.
do $$ begin
  delete from serasi.mail_outbox;
  update app.collaborations set state = 'completed', completed_at = now() where id = tests.id('guest work');
  insert into app.enquiry_briefs (id, sender_key, guest_email) values (tests.id('mei'), 'mei', 'mei@example.test');
  insert into app.enquiries (brief_id, influencer_id, sender_key, deliverables, message, state, opened_at, answered_at, collaboration_id)
  values (tests.id('mei'), tests.id('profile of other influencer'), 'mei', 'A reel', 'A message of twenty.', 'accepted', now(), now(), tests.id('guest work'));
  perform tests.review('of the guest', 'guest work', 'influencer', 4, true);
  perform app.publish_reviews(tests.id('guest work'));
end $$;
select isnt((select published_at from app.reviews where id = tests.id('of the guest')), null, 'NO-22 a review of a guest is published');
select is_empty('select from serasi.mail_outbox', 'NO-22 without a mail');
\ir ../finish.sql
