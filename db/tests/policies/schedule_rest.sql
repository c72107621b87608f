-- Scheduled work changes only rows that are due, and links in mails only the rows that they belong to.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.notices;
  delete from serasi.mail_outbox;
end $$;

-- Expired links, and hashes of client addresses.
do $$ begin
  insert into app.guest_links (token_hash, purpose, subject_id, expires_at) values ('old', 'review', tests.id('nobody'), now());
  update app.enquiry_briefs set client = 'client', created_at = now() - case id when tests.id('brief of agency') then interval '24 hours' else '23 hours' end;
  perform serasi.tick_retention();
end $$;
select is((select count(*) from app.guest_links), 2::bigint, 'SR-1 links that have not expired stay');
select results_eq('select id from app.enquiry_briefs where client is null', 'select tests.id(''brief of agency'')', 'SR-1 and the clients of the last day');

-- Completed and cancelled collaborations don't change.
do $$ begin
  update app.collaborations set influencer_completed_at = now() - interval '9 days', client_completed_at = now() - interval '9 days', completed_at = now() - interval '9 days'
  where state = 'completed';
  perform app.tick_collaborations();
end $$;
select is_empty('select from app.notices where kind = ''review_invited''', 'SR-2 nobody is invited again');

-- Two gigs, one of which has closed.
do $$ begin
  update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date + case id when tests.id('gig of agency') then -1 else 30 end;
  perform app.tell_closed_gigs();
end $$;
select is((select count(*) from app.gigs where closed_for is not null), 1::bigint, 'SR-3 the other gig closes later');

-- More postponed notifications than are sent at a time.
do $$ begin
  perform set_config('session_replication_role', 'replica', true);
  insert into app.collaborations (source, title, state, cancelled_at, cancelled_by, untold)
  select 'application', 'T', 'cancelled', now(), 'deletion', 'client' from generate_series(1, 501);
  perform set_config('session_replication_role', 'origin', true);
  perform app.tell_waiting_parties();
end $$;
select is((select count(*) from app.collaborations where untold is not null), 1::bigint, 'SR-4 the rest waits for the next minute');

-- Digests contain the user's own notifications, are sent once a day, and omit kinds that were turned off.
do $$ begin
  delete from app.notices;
  delete from serasi.mail_outbox;
  insert into app.notices (user_id, kind, subject_id, in_digest, created_at)
  select tests.id(person), 'gig_closed', tests.id('gig of agency'), true, now() - interval '2 days' from unnest('{agency,vendor,verified}'::text[]) as person;
  insert into app.digests (user_id, sent_for) values (tests.id('agency'), current_date + 1);
  insert into app.notification_settings (user_id, kind, delivery) values (tests.id('approved'), 'gig_closed', 'off'), (tests.id('verified'), 'gig_closing', 'off');
  perform app.tick_notifications();
end $$;
select results_eq('select recipient from serasi.mail_outbox where template = ''digest'' order by 1', $$values ('vendor@example.test'), ('verified@example.test')$$, 'SR-5 those who got none today, whatever others want');
do $$ begin
  insert into app.notices (user_id, kind, subject_id, in_digest, created_at) values (tests.id('vendor'), 'gig_closed', tests.id('nobody'), true, now() - interval '2 days');
end $$;
select is(app.send_digest(tests.id('vendor'), (select sent_for from app.digests where user_id = tests.id('vendor')), now()), false, 'SR-5 not twice a day');

-- A full list of notifications.
do $$ begin
  delete from app.notices;
  insert into app.notices (user_id, kind, created_at) select tests.id('vendor'), 'gig_closed', now() - interval '9 days' from generate_series(1, 3);
  insert into app.notices (user_id, kind, created_at) select tests.id('agency'), 'gig_closed', now() - n * interval '1 minute' from generate_series(1, 1001) as n;
  perform app.trim_notices(tests.id('agency'));
end $$;
select results_eq('select count(*) from app.notices group by user_id order by 1', $$values (3::bigint), (1000)$$, 'SR-6 only this account''s oldest are removed');

-- One-click unsubscribe.
do $$ begin
  delete from app.notices;
  delete from serasi.mail_outbox;
  delete from app.notification_settings;
  insert into app.notification_settings (user_id, kind, delivery) values (tests.id('agency'), 'gig_closing', 'daily'), (tests.id('vendor'), 'gig_closing', 'daily');
  insert into app.notices (id, user_id, kind) select tests.id('notice of ' || person), tests.id(person), 'gig_closed' from unnest('{agency,vendor}'::text[]) as person;
  insert into serasi.mail_outbox (template, recipient, data, notice_id, sent_at, given_up_at)
  select 'gig_closed', person || '@example.test', '{}', tests.id('notice of ' || person), sent, given_up
  from (values ('agency', null::timestamptz, null::timestamptz), ('agency', now(), null), ('agency', null, now()), ('vendor', null, null)) as mail (person, sent, given_up);
end $$;
select is(app.unsubscribe(app.new_unsubscribe_token(tests.id('agency'), 'gig_closed')), 'gig_closed', 'SR-7 from a kind');
select is((select count(*) from serasi.mail_outbox), 3::bigint, 'SR-7 its queued mail is taken back, not one that left, nor another''s');
select is(app.unsubscribe(app.new_unsubscribe_token(tests.id('agency'), 'digest')), 'digest', 'SR-7 from the digest');
select results_eq('select user_id, delivery from app.notification_settings where kind = ''gig_closing'' order by delivery', format('values (%L::uuid, ''daily''), (%L, ''off'')', tests.id('vendor'), tests.id('agency')), 'SR-7 others get theirs');

-- Notifications that were seen before.
do $$ begin
  update app.notices set created_at = now() - interval '2 days', seen_at = now() - interval '1 day' where user_id = tests.id('agency');
  perform tests.become('agency');
end $$;
select mark_notifications_seen() \g /dev/null
select tests.step_down() \g /dev/null
select is(seen_at, now() - interval '1 day', 'SR-8 what was seen keeps its time') from app.notices where user_id = tests.id('agency');

-- Sending briefs.
delete from app.notices;
delete from app.blocked_senders;
select is(public.send_enquiries(tests.id('other vendor'), '203.0.113.9', array[null, tests.id('profile of verified')]::uuid[], 'A reel', 'Would you show our new menu?', company => 'Kopi') -> 'enquiries' -> 0 ->> 'state', 'open', 'SR-9 a recipient that is null is left out');
select results_eq('select user_id from app.notices where kind = ''enquiry_received''', format('values (%L::uuid)', tests.id('verified')), 'SR-9 only the recipient of this brief is told');
select throws_ok(format('select public.send_enquiries(%L, ''203.0.113.9'', array[%L]::uuid[], ''A reel'', ''Would you show our new menu?'', company => E''A\nB'')', tests.id('vendor'), tests.id('profile of verified')),
  'PT400', 'Name and company can have at most 100 characters, on one line', 'SR-9 a company on two lines');
select throws_ok(format('select app.withdraw_enquiry(%L)', tests.id('enquiry of guest')), 'PT404', 'This enquiry doesn''t exist', 'SR-10 nobody withdraws a guest''s without its link');
do $$ begin
  delete from serasi.mail_outbox;
  perform app.tell_sender(jsonb_populate_record(enquiries, '{"sender_user_id": null}'), 'enquiry_expired', 'Approved') from app.enquiries where id = tests.id('enquiry of vendor');
end $$;
select is_empty('select from serasi.mail_outbox', 'SR-10 a sender without an account and an address gets no mail');

-- Withdrawing an application.
do $$ begin
  delete from app.notices;
  perform app.tell_agency_of_withdrawal(tests.id('application of approved'));
end $$;
select is((select count(*) from app.notices), 1::bigint, 'SR-11 the agency is told of this application');
\ir ../finish.sql
