-- app.notify(), the digest, unsubscribing and the schedule. notifications.sql tests who may call them.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

create function pg_temp.tell(data jsonb default '{"name": "A"}', person text default 'verified', kind text default 'enquiry_received', subject text default 'enquiry') returns void
language sql as $$ select app.notify(tests.id(person), kind, tests.id(subject), data) $$;
create function pg_temp.notices() returns text language sql as $$
  select coalesce(string_agg(concat_ws(' ', kind, data ->> 'name', case when seen_at is null then 'unread' else 'seen' end, case when in_digest then 'for the digest' end), ', ' order by created_at, kind), 'none')
  from app.notices
$$;
create function pg_temp.mails() returns text language sql as $$
  select coalesce(string_agg(concat_ws(' ', template, split_part(recipient, '@', 1), data ->> 'name',
    case when sent_at is not null then 'sent' when given_up_at is not null then 'given up' when attempts > 0 then 'in delivery' end), ', ' order by created_at, sent_at, template), 'none')
  from serasi.mail_outbox
$$;
create function pg_temp.deliver() returns void language sql as $$
  update serasi.mail_outbox set sent_at = now(), data = '{}', attempts = 1 where sent_at is null and given_up_at is null
$$;
create function pg_temp.pass(period interval) returns void language sql as $$
  update app.notices set created_at = created_at - period, seen_at = seen_at - period;
  update app.unsubscribe_tokens set expires_at = expires_at - period;
$$;
create function pg_temp.empty() returns void language sql as $$
  delete from serasi.mail_outbox; delete from app.notices; delete from app.notification_settings; delete from app.digests; delete from app.unsubscribe_tokens
$$;

-- One notification, one mail.
select pg_temp.tell() \g /dev/null
select is(pg_temp.notices(), 'enquiry_received A unread', 'NF-1 a notification');
select is(pg_temp.mails(), 'enquiry_received verified A', 'NF-1 its mail, at once');
select is(data - 'unsubscribe', jsonb_build_object('name', 'A', 'subject_id', tests.id('enquiry')), 'NF-1 what the mail says') from serasi.mail_outbox;
select is(notice_id, (select id from app.notices), 'NF-1 it belongs to the notification') from serasi.mail_outbox;
select matches(data ->> 'unsubscribe', '^[0-9a-f]{64}$', 'NF-1 with a token') from serasi.mail_outbox;
select pg_temp.tell(subject => 'other enquiry') \g /dev/null
select pg_temp.tell(kind => 'enquiry_withdrawn') \g /dev/null
select pg_temp.tell(person => 'agency') \g /dev/null
select is((select count(*) from app.notices) || ' ' || (select count(*) from serasi.mail_outbox), '4 4', 'NF-1 another subject, kind or recipient is another notification');
select pg_temp.empty() \g /dev/null

-- Notifications of the same kind and subject within an hour are merged.
select pg_temp.tell() \g /dev/null
update app.notices set seen_at = now();
select pg_temp.pass('50 minutes') \g /dev/null
select pg_temp.tell('{"name": "B"}') \g /dev/null
select is(pg_temp.notices(), 'enquiry_received B unread', 'NF-2 within an hour they become one, unread again');
select is((select created_at from app.notices), now(), 'NF-2 as new as the second');
select is(pg_temp.mails(), 'enquiry_received verified B', 'NF-2 a mail that is not sent yet is replaced');
select pg_temp.tell('{"name": "B"}') \g /dev/null
select is(pg_temp.mails(), 'enquiry_received verified B', 'NF-2 the same again adds none');
select is((select count(*) from app.unsubscribe_tokens), 2::bigint, 'NF-2 nor a token');
select pg_temp.deliver() \g /dev/null
select pg_temp.tell('{"name": "B"}') \g /dev/null
select is(pg_temp.mails(), 'enquiry_received verified sent', 'NF-2 a sent mail is not repeated');
select pg_temp.tell('{"name": "C"}') \g /dev/null
select is(pg_temp.mails(), 'enquiry_received verified sent, enquiry_received verified C', 'NF-2 unless the data differ');
update serasi.mail_outbox set attempts = 1 where sent_at is null;
select pg_temp.tell('{"name": "D"}') \g /dev/null
select is(pg_temp.mails(), 'enquiry_received verified sent, enquiry_received verified D', 'NF-2 one in delivery with other data is replaced by another mail');
update serasi.mail_outbox set given_up_at = now(), data = '{}' where sent_at is null;
delete from serasi.mail_outbox where sent_at is not null;
select pg_temp.tell('{"name": "D"}') \g /dev/null
select is((select count(*) from serasi.mail_outbox where given_up_at is null), 1::bigint, 'NF-2 one that was given up was not sent');
select pg_temp.pass('61 minutes') \g /dev/null
select pg_temp.tell('{"name": "D"}') \g /dev/null
select is((select count(*) from app.notices), 2::bigint, 'NF-2 after an hour it is another notification');
select pg_temp.empty() \g /dev/null

-- Delivery settings.
insert into app.notification_settings (user_id, kind, delivery)
values (tests.id('verified'), 'enquiry_received', 'off'), (tests.id('verified'), 'gig_closed', 'daily'), (tests.id('agency'), 'enquiry_answered', 'off');
select pg_temp.tell() \g /dev/null
select pg_temp.tell(kind => 'gig_closed') \g /dev/null
select pg_temp.tell(kind => 'enquiry_answered') \g /dev/null
select is(pg_temp.notices(), 'enquiry_answered A unread, enquiry_received A unread, gig_closed A unread for the digest', 'NF-3 all are listed');
select is(pg_temp.mails(), 'enquiry_answered verified A', 'NF-3 only one is mailed at once');
update app.notification_settings set delivery = 'off';
insert into app.notification_settings (user_id, kind, delivery) values (tests.id('verified'), 'enquiry_answered', 'daily');
select pg_temp.tell(kind => 'enquiry_answered') \g /dev/null
select is(pg_temp.mails(), 'none', 'NF-3 a mail that is not sent yet follows a changed setting');
select pg_temp.empty() \g /dev/null

-- Accounts that get no notification or no mail.
select lives_ok($$select pg_temp.tell(person => 'nobody')$$, 'NF-4 an account that is gone is no error');
select lives_ok($$select app.notify(null, 'gig_closed', tests.id('gig of agency'))$$, 'NF-4 nor is no account');
select is(pg_temp.notices(), 'none', 'NF-4 no notification');
update app.profiles set email = null where id = tests.id('vendor');
select pg_temp.tell(person => 'vendor') \g /dev/null
select is(pg_temp.notices() || '; ' || pg_temp.mails(), 'enquiry_received A unread; none', 'NF-4 without an address no mail');
select throws_ok($$select pg_temp.tell(kind => 'rumour')$$, '23503', null, 'NF-4 an unknown kind');
select pg_temp.empty() \g /dev/null
select pg_temp.tell('{"unsubscribe": "x", "name": "A"}', kind => 'report_decided') \g /dev/null
select pg_temp.tell(kind => 'content_moderated') \g /dev/null
select is(string_agg(template || ' ' || (data ? 'unsubscribe'), ', ' order by template), 'content_moderated false, report_decided false', 'NF-4 nobody unsubscribes from decisions of admins') from serasi.mail_outbox;
select is((select count(*) from app.unsubscribe_tokens), 0::bigint, 'NF-4 no token');

-- Deleting an account deletes its unsent mails. Enquiries and collaborations would notify the other party, so they go first.
delete from app.enquiry_briefs;
delete from app.collaborations;
delete from auth.users where id = tests.id('verified');
select is(pg_temp.notices() || '; ' || pg_temp.mails(), 'none; none', 'NF-5 a deleted account gets no mail');

-- How long notifications are kept.
insert into app.notices (user_id, kind, created_at) select tests.id('agency'), 'gig_closed', now() - interval '2 days' - n * interval '1 minute' from generate_series(1, 1005) as n;
insert into app.notices (user_id, kind, created_at) values (tests.id('agency'), 'approved', now() - interval '300 days');
select pg_temp.tell(person => 'agency') \g /dev/null
select is((select count(*) from app.notices where kind <> 'approved'), 1000::bigint, 'NF-6 the newest 1,000');
select is((select min(created_at) from app.notices where kind <> 'approved'), now() - interval '2 days' - interval '999 minutes', 'NF-6 the oldest go first');
update app.notices set created_at = now() - interval '181 days' where kind = 'gig_closed';
insert into app.notices (user_id, kind, created_at) values (tests.id('agency'), 'gig_closed', now() - interval '179 days');
select serasi.tick_retention() \g /dev/null
select is((select string_agg(kind, ' ' order by kind) from app.notices), 'approved enquiry_received gig_closed', 'NF-6 half a year; approvals stay');
select pg_temp.empty() \g /dev/null

-- The digest.
create function pg_temp.digest(at text) returns text language plpgsql as $$
begin
  perform app.tick_notifications(at::timestamptz);
  return pg_temp.mails();
end $$;
insert into app.notification_settings (user_id, kind, delivery)
select tests.id(person), kind, 'daily' from unnest('{approved,agency,vendor}'::text[]) as person cross join unnest('{enquiry_received,gig_closed,gig_closing}'::text[]) as kind;
insert into app.notices (user_id, kind, data, in_digest, created_at, seen_at) values
  (tests.id('approved'), 'enquiry_received', '{"name": "B"}', true, '2026-03-02 23:30+00', null),
  (tests.id('approved'), 'gig_closed', '{"name": "A"}', true, '2026-03-02 23:00+00', null),
  (tests.id('approved'), 'gig_closing', '{"name": "seen"}', true, '2026-03-02 23:00+00', '2026-03-02 23:10+00'),
  (tests.id('approved'), 'gig_closed', '{"name": "later"}', true, '2026-03-03 00:00+00', null),
  (tests.id('approved'), 'gig_closed', '{"name": "not daily"}', false, '2026-03-02 23:00+00', null),
  (tests.id('agency'), 'gig_closed', '{"name": "seen"}', true, '2026-03-02 23:00+00', '2026-03-02 23:10+00'),
  (tests.id('vendor'), 'gig_closed', '{"name": "no address"}', true, '2026-03-02 23:00+00', null);
select is(pg_temp.digest('2026-03-02 23:59+00'), 'none', 'NF-7 nothing before 08:00 in Kuala Lumpur');
select is(pg_temp.digest('2026-03-03 00:00+00'), 'digest approved', 'NF-7 one mail at 08:00, and none for what was seen or without an address');
select is(data - 'unsubscribe', '{"items": [{"kind": "enquiry_received", "subject_id": null, "data": {"name": "B"}}, {"kind": "gig_closed", "subject_id": null, "data": {"name": "A"}}], "more": 0}', 'NF-7 the newest first') from serasi.mail_outbox;
select is((select kind from app.unsubscribe_tokens), 'digest', 'NF-7 with a link to end it');
insert into app.notices (user_id, kind, in_digest, created_at) values (tests.id('approved'), 'gig_closing', true, '2026-03-02 22:00+00');
select is(pg_temp.digest('2026-03-03 00:01+00'), 'digest approved', 'NF-7 once a day, also for what was written late');
select is(pg_temp.digest('2026-03-03 23:59+00'), 'digest approved', 'NF-7 until the next 08:00');
select is(pg_temp.digest('2026-03-04 05:00+00'), 'digest approved, digest approved', 'NF-7 the next day, also when the service starts late');
select is((select string_agg((data #>> '{items,0,kind}') || ' ' || jsonb_array_length(data -> 'items'), ', ' order by data ->> 'more', data #>> '{items,0,kind}') from serasi.mail_outbox), 'enquiry_received 2, gig_closed 2', 'NF-7 with what was left');
select is(pg_temp.digest('2026-03-05 00:00+00'), 'digest approved, digest approved', 'NF-7 nothing when there is nothing');
delete from serasi.mail_outbox;
insert into app.notices (user_id, kind, in_digest, created_at)
select tests.id('approved'), 'gig_closed', true, timestamptz '2026-03-05 01:00+00' + n * interval '1 s' from generate_series(1, 25) as n;
select is(pg_temp.digest('2026-03-06 00:00+00'), 'digest approved', 'NF-7 many in one mail');
select is(jsonb_array_length(data -> 'items') || ' and ' || (data ->> 'more'), '20 and 5', 'NF-7 at most 20 are listed') from serasi.mail_outbox;
delete from serasi.mail_outbox;
insert into app.notices (user_id, kind, in_digest, created_at) values (tests.id('approved'), 'gig_closed', true, '2026-03-06 01:00+00');
update app.notification_settings set delivery = 'off' where user_id = tests.id('approved');
select is(pg_temp.digest('2026-03-07 00:00+00'), 'none', 'NF-7 nothing for whom it was turned off');
select pg_temp.empty() \g /dev/null

-- Unsubscribing.
create function pg_temp.unsubscribed(token text) returns text language plpgsql as $$
begin
  return tests.reads('service', format('select unsubscribe(%L)', token));
exception when others then
  perform tests.step_down();
  return sqlstate || ' ' || sqlerrm;
end $$;
create function pg_temp.settings() returns text language sql as $$
  select coalesce(string_agg(concat_ws(' ', kind, delivery), ', ' order by kind), 'none') from app.notification_settings where user_id = tests.id('approved')
$$;
select pg_temp.tell(person => 'approved') \g /dev/null
select pg_temp.tell(person => 'approved', kind => 'gig_closed') \g /dev/null
select data ->> 'unsubscribe' as token from serasi.mail_outbox where template = 'enquiry_received' \gset
select is((select count(*) from app.unsubscribe_tokens where token_hash::text like '%' || :'token' || '%'), 0::bigint, 'NF-8 the token is not stored');
select is(pg_temp.unsubscribed('x' || :'token'), 'PT404 This link has expired. Sign in to choose your e-mails.', 'NF-8 another token');
select is(pg_temp.settings(), 'none', 'NF-8 nothing changed');
select is(pg_temp.unsubscribed(:'token'), 'enquiry_received', 'NF-8 the kind of the mail');
select is(pg_temp.settings(), 'enquiry_received off', 'NF-8 it is off');
select is(pg_temp.mails(), 'gig_closed approved A', 'NF-8 and its mails that are not sent yet are removed');
select is(pg_temp.unsubscribed(:'token'), 'enquiry_received', 'NF-8 following the link again is no error');
select tests.become('approved');
select set_notification_delivery('{enquiry_received,gig_closed}', 'daily');
select set_notification_delivery('{gig_closing}', 'now');
select tests.step_down();
select app.new_unsubscribe_token(tests.id('approved'), 'digest') as digest_token \gset
select is(pg_temp.unsubscribed(:'digest_token'), 'digest', 'NF-8 the digest');
select is(pg_temp.settings(), 'enquiry_received off, gig_closed off, gig_closing now', 'NF-8 all that was in the digest is off');
select pg_temp.pass('60 days') \g /dev/null
select is(left(pg_temp.unsubscribed(:'token'), 5), 'PT404', 'NF-8 it expires');
select serasi.tick_retention() \g /dev/null
select is((select count(*) from app.unsubscribe_tokens), 0::bigint, 'NF-8 and is removed');

-- The schedule.
select is(tests.reads('functions', 'select app.tick()'), '{}', 'NF-9 the functions call it, and nothing fails');
create or replace function app.tick_notifications(at timestamptz default now()) returns void language plpgsql as $$
begin
  update app.profiles set email = 'changed@example.test' where id = tests.id('agency');
  raise exception 'out of paper';
end $$;
select is(tests.reads('functions', 'select app.tick()'), '{"tick_notifications: out of paper"}', 'NF-9 a failure is named');
select is((select email from app.profiles where id = tests.id('agency')), 'agency@example.test', 'NF-9 and undone');

\ir ../finish.sql
