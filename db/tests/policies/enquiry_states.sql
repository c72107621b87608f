-- Enquiries: sending, confirming, answering, withdrawing, expiry and deletions, with their error messages.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.enquiry_briefs;
  delete from app.guest_links;
  update auth.users set email_unproved = true where email = 'vendor@example.test';
end $$;

-- Sends a brief as the functions service does, with some fields changed. Returns the states and the number of briefs left.
create function pg_temp.send(sender text, recipients text, changed jsonb default '{}', client text default '203.0.113.1') returns text
language plpgsql as $$
declare
  brief constant jsonb := '{"deliverables": "Two reels", "message": "Would you show our new menu?"}' || changed;
  answer jsonb;
  said text;
  details text;
begin
  perform tests.become('service');
  answer := public.send_enquiries(case when sender <> 'guest' then tests.id(sender) end, client,
    array(select tests.id('profile of ' || name) from unnest(string_to_array(recipients, ',')) as name),
    brief ->> 'deliverables', brief ->> 'message', (brief ->> 'budget_from')::integer, (brief ->> 'budget_to')::integer,
    (brief ->> 'starts_on')::date, (brief ->> 'ends_on')::date, brief ->> 'name', brief ->> 'company', brief ->> 'email');
  perform tests.step_down();
  return concat_ws(' ', (select string_agg(sent ->> 'state', ' ') from jsonb_array_elements(answer -> 'enquiries') as sent), answer ->> 'remaining');
exception when others then
  get stacked diagnostics said = message_text, details = pg_exception_detail;
  perform tests.step_down();
  return concat_ws(' ', sqlstate, said, nullif(details, ''));
end $$;
create function pg_temp.call(person text, call text) returns text language plpgsql as $$
declare
  answer jsonb;
begin
  perform tests.become(person);
  execute 'select ' || call into answer;
  perform tests.step_down();
  return answer ->> 'state';
exception when others then
  perform tests.step_down();
  return sqlstate || ' ' || sqlerrm;
end $$;
create function pg_temp.states() returns text language sql as $$
  select string_agg(state, ' ' order by enquiries.created_at, influencers.name) from app.enquiries left join app.influencers on influencers.id = influencer_id
$$;
create function pg_temp.pass(period interval) returns void language sql as $$
  update app.enquiry_briefs set created_at = created_at - period;
  update app.enquiries set created_at = created_at - period, opened_at = opened_at - period, answered_at = answered_at - period, expires_at = expires_at - period;
  update app.guest_links set expires_at = expires_at - period;
  update app.notices set created_at = created_at - period;
$$;
-- Templates and recipients of the mails since the last call.
create function pg_temp.mails() returns text language sql as $$
  with taken as (delete from serasi.mail_outbox where template not in ('approved', 'collaboration_cancelled') returning template, recipient)
  select string_agg(template || ' ' || recipient, ', ' order by template, recipient) from taken
$$;
create function pg_temp.token() returns text language sql as $$
  select substr(data ->> 'path', 10) from serasi.mail_outbox where template like 'guest%' order by created_at desc limit 1
$$;

-- Invalid briefs.
select is(pg_temp.send('agency', recipients, changed), 'PT400 ' || wanted, 'ES-1 ' || wanted) from (values
  ('', '{}'::jsonb, 'Choose 1 to 10 profiles'),
  ('1,2,3,4,5,6,7,8,9,10,11', '{}', 'Choose 1 to 10 profiles'),
  ('verified', '{"deliverables": " \n"}', 'Enter the deliverables'),
  ('verified', jsonb_build_object('deliverables', repeat('x', 501)), 'The deliverables can have at most 500 characters'),
  ('verified', '{"message": "  Nineteen characters  "}', 'The message needs at least 20 characters'),
  ('verified', '{"message": null}', 'The message needs at least 20 characters'),
  ('verified', jsonb_build_object('message', repeat('x', 2001)), 'The message can have at most 2,000 characters'),
  ('verified', '{"budget_from": -1}', 'The budget must be between RM 0 and RM 100,000,000'),
  ('verified', '{"budget_to": 100000001}', 'The budget must be between RM 0 and RM 100,000,000'),
  ('verified', '{"budget_from": 2, "budget_to": 1}', 'The highest budget can''t be below the lowest'),
  ('verified', '{"starts_on": "2020-01-01"}', 'The dates can''t be in the past'),
  ('verified', '{"ends_on": "9999-01-01"}', 'The dates can''t be more than three years ahead'),
  ('verified', jsonb_build_object('starts_on', current_date + 9, 'ends_on', current_date + 8), 'The last day can''t be before the first'),
  ('verified', jsonb_build_object('company', repeat('x', 101)), 'Name and company can have at most 100 characters, on one line'),
  ('verified', '{"name": "A\nB"}', 'Name and company can have at most 100 characters, on one line')
) as wrong (recipients, changed, wanted);
select is(pg_temp.send('guest', 'verified', changed), 'PT400 ' || wanted, 'ES-1 a guest: ' || wanted) from (values
  ('{"email": "guest@example.test"}'::jsonb, 'Enter your name'), ('{"name": "Mei"}', 'Enter a valid e-mail address'),
  ('{"name": "Mei", "email": "nowhere"}', 'Enter a valid e-mail address')) as wrong (changed, wanted);
select is(pg_temp.send('agency', 'verified,unapproved'), 'PT404 One of these profiles doesn''t exist', 'ES-2 an unapproved one among them');
select is(pg_temp.send('agency', 'nobody'), 'PT404 This profile doesn''t exist', 'ES-2 one that doesn''t exist');
select is(pg_temp.send('nobody', 'verified'), 'PT404 This account doesn''t exist', 'ES-2 an account that doesn''t exist');
select is(pg_temp.send('verified', 'verified'), 'PT422 You can''t send an enquiry to your own profile', 'ES-2 oneself');
select is((select count(*) from app.enquiry_briefs), 0::bigint, 'ES-2 nothing was written');

-- The largest valid brief.
select is(pg_temp.send('agency', 'verified,approved', jsonb_build_object('deliverables', repeat('x', 500), 'message', repeat('x', 2000),
  'budget_from', 0, 'budget_to', 100000000, 'starts_on', (now() at time zone 'Asia/Kuala_Lumpur')::date, 'ends_on', current_date + 1000)),
  'open open 4', 'ES-3 two at once; four more can be sent today');
select is(pg_temp.mails(), 'enquiry_received approved@example.test, enquiry_received verified@example.test', 'ES-3 both are told');
select is((select string_agg(sender_name, ',') from app.enquiries), 'Agency,Agency', 'ES-3 named as the profile');
select is(pg_temp.send('agency', 'other influencer,verified'), 'PT409 You already have an open enquiry to Verified', 'ES-4 one open per pair');
select is(pg_temp.states(), 'open open', 'ES-4 all or nothing');
select is(pg_temp.send('admin', 'verified', '{"name": "  Serasi  "}'), 'open 4', 'ES-4 another sender');
select is(app.sender_name(tests.id(person), null), wanted, 'ES-4 a sender without a profile: ' || person)
from (values ('new agency', 'An agency'), ('new vendor', 'A vendor'), ('new influencer', 'An influencer'), ('admin', 'A member'), ('vendor', 'Vendor')) as named (person, wanted);

-- Five briefs per day and sender, twenty per hour and client.
do $$ begin
  for n in 1 .. 4 loop
    perform pg_temp.call('agency', format('withdraw_enquiry(%L)', id)) from app.enquiries where sender_user_id = tests.id('agency') and state = 'open';
    assert pg_temp.send('agency', 'verified') = 'open ' || 4 - n, n;
    perform pg_temp.pass('1 hour');
  end loop;
end $$;
select is(pg_temp.send('agency', 'other influencer'),
  'PGRST {"code" : "PT429", "message" : "You can send 5 enquiries in 24 hours. Please try again later."} {"status" : 429, "headers" : {"Retry-After" : "72000"}}', 'ES-5 five a day');
select is(tests.reads('agency', 'select enquiries_left()'), '0', 'ES-5 none is left');
select pg_temp.pass('20 hours') \g /dev/null
select is(tests.reads('agency', 'select enquiries_left()'), '2', 'ES-5 a day after the first two, two are');
select is(pg_temp.send('agency', 'other influencer'), 'open 1', 'ES-5 and can be sent');
do $$ begin
  for n in 1 .. 20 loop
    assert pg_temp.send('guest', 'verified', jsonb_build_object('name', 'Mei', 'email', n || '@example.test'), '2001:db8::' || n) = 'unconfirmed', n;
  end loop;
end $$;
select is(pg_temp.send('guest', 'verified', '{"name": "Mei", "email": "x@example.test"}', '2001:db8::ffff'),
  'PGRST {"code" : "PT429", "message" : "Too many enquiries were sent from your network. Please try again later."} {"status" : 429, "headers" : {"Retry-After" : "3600"}}',
  'ES-6 twenty an hour from one network');
select is(pg_temp.send('guest', 'verified', '{"name": "Mei", "email": "x@example.test"}', '203.0.113.2'), 'unconfirmed', 'ES-6 not from another');

-- Guests confirm by mail. The response is the same whether or not the address belongs to an account.
do $$ begin perform pg_temp.mails(); delete from app.enquiry_briefs; end $$;
select is(pg_temp.send('agency', 'verified'), 'open 4', 'ES-7 an account''s enquiry');
select is(pg_temp.send('guest', 'verified,approved', '{"name": "Mei", "email": " Agency@example.test "}'), 'unconfirmed unconfirmed', 'ES-7 a guest with its address: as any other');
select is(pg_temp.send('guest', 'verified', '{"name": "Mei", "email": "agency@example.test"}'), 'PT409 You already have an open enquiry to Verified', 'ES-7 the same guest again');
select is(pg_temp.send('guest', 'verified', '{"name": "X", "email": "agency@example.test"}', '203.0.113.9'), 'unconfirmed', 'ES-7 someone else does not find out');
select is(pg_temp.mails(), 'enquiry_received verified@example.test, guest_enquiry_confirm agency@example.test, guest_enquiry_confirm agency@example.test', 'ES-7 nobody else is told');
do $$ begin delete from app.enquiry_briefs; delete from serasi.mail_outbox; end $$;
select is(pg_temp.send('vendor', 'verified'), 'unconfirmed 4', 'ES-7 an account whose address is not confirmed');
select app.block_sender(tests.id('vendor'), null, 'Vendor', 'Spam') \g /dev/null
select is(pg_temp.call('visitor', format('confirm_enquiry(%L)', pg_temp.token())), 'PT403 This e-mail address can''t send enquiries', 'ES-7 can''t confirm once it is blocked');
do $$ begin delete from app.blocked_senders; delete from serasi.mail_outbox; end $$;
delete from app.enquiry_briefs;
select is(pg_temp.send('guest', 'verified,approved', '{"name": "Mei", "company": "Kopi", "email": "mei@example.test"}'), 'unconfirmed unconfirmed', 'ES-8 sent');
select is((select data - 'path' from serasi.mail_outbox where template like 'guest%'), '{"name": "Approved", "others": 1}', 'ES-8 the mail has nothing that a stranger could have typed');
select pg_temp.token() as token \gset
select is(tests.reads('visitor', format('select guest_enquiry(%L) -> ''enquiries'' -> 0 ->> ''state''', :'token')), 'unconfirmed', 'ES-8 opening the link shows it');
select is(pg_temp.states(), 'unconfirmed unconfirmed', 'ES-8 and changes nothing');
select app.block_sender(null, 'mei@example.test', 'Mei', 'Spam') \g /dev/null
select is(pg_temp.call('visitor', format('confirm_enquiry(%L)', :'token')), 'PT403 This e-mail address can''t send enquiries', 'ES-8 a blocked guest can''t confirm');
select is(pg_temp.states(), 'unconfirmed unconfirmed', 'ES-8 nothing is sent');
delete from app.blocked_senders;
select is(pg_temp.call('visitor', format('confirm_enquiry(%L) -> ''enquiries'' -> 0', :'token')), 'open', 'ES-8 confirmed');
select is(pg_temp.call('visitor', format('confirm_enquiry(%L) -> ''enquiries'' -> 0', :'token')), 'open', 'ES-8 twice is the same');
select is(pg_temp.mails(), 'enquiry_received approved@example.test, enquiry_received verified@example.test, guest_enquiry_confirm mei@example.test', 'ES-8 each is told once');
select is(pg_temp.send('guest', 'verified', '{"name": "Mei", "email": "mei@example.test"}', '203.0.113.9'), 'unconfirmed', 'ES-9 a second one of the address');
select is(pg_temp.call('visitor', format('confirm_enquiry(%L)', pg_temp.token())), 'PT409 You already have an open enquiry to this influencer', 'ES-9 can''t be confirmed while one is open');
select is(tests.reads('approved', 'select count(*) from enquiries'), '1', 'ES-9 the influencer reads it');
select is(tests.reads('approved', 'select sender_name || coalesce(sender_email, '' without'') from enquiries'), 'Mei without', 'ES-9 without the address');
select is(tests.reads('visitor', format('select guest_enquiry(%L) -> ''enquiries'' -> 0 ->> ''influencer_email''', :'token')), null, 'ES-9 and the guest without the influencer''s');

-- An account whose address is not confirmed must confirm, too.
select is(pg_temp.send('vendor', 'approved'), 'unconfirmed 4', 'ES-10 an unconfirmed account');
select matches(pg_temp.mails(), 'guest_enquiry_confirm vendor@example.test$', 'ES-10 is asked');

-- Answers.
select id as enquiry from app.enquiries where influencer_id = tests.id('profile of approved') and state = 'open' \gset
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, reason => ''No'')', :'enquiry')), 'PT400 Say whether you accept. A reason is for declining only', 'ES-11 a reason with a yes');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, repeat(''x'', 1001))', :'enquiry')), 'PT400 The answer can have at most 1,000 characters, and the reason 500', 'ES-11 a long answer');
select is(pg_temp.call('approved', format('answer_enquiry(%L, null)', :'enquiry')), 'PT400 Say whether you accept. A reason is for declining only', 'ES-11 neither');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, '' Gladly '')', :'enquiry')), 'accepted', 'ES-11 accepted');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, ''Gladly'')', :'enquiry')), 'accepted', 'ES-11 again, after a lost response');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, ''Rather not'')', :'enquiry')), 'PT409 This enquiry is already accepted', 'ES-11 with another text');
select is(pg_temp.call('approved', format('answer_enquiry(%L, false)', :'enquiry')), 'PT409 This enquiry is already accepted', 'ES-11 declined afterwards');
select results_eq($$select source, title, client_user_id, guest_name, influencer_id from app.collaborations where title = 'Two reels'$$,
  $$select 'enquiry', 'Two reels', null::uuid, 'Mei', tests.id('profile of approved')$$, 'ES-11 one collaboration begins');
select is(app.guest_address((select collaboration_id from app.enquiries where id = :'enquiry')), 'mei@example.test', 'ES-11 whose guest can be mailed');
select is(pg_temp.mails(), 'guest_enquiry_answered mei@example.test', 'ES-11 the guest is told once');
select is(tests.reads('approved', format('select sender_email from enquiries where id = %L', :'enquiry')), 'mei@example.test', 'ES-11 the influencer reads the address');
select is(tests.reads('visitor', format('select guest_enquiry(%L) -> ''enquiries'' -> 0 ->> ''influencer_email''', :'token')), 'approved@example.test', 'ES-11 and the guest the influencer''s');
select is(pg_temp.call('visitor', format('withdraw_guest_enquiry(%L, %L)', :'token', :'enquiry')), 'PT409 This enquiry is already accepted', 'ES-11 too late to withdraw');
select throws_ok(format('update app.enquiries set sender_email = ''x@example.test'' where id = %L', id), '23514', null, 'ES-12 not even a superuser shows an address of what is ' || state)
from app.enquiries where state <> 'accepted';
select is(pg_temp.call('verified', format('answer_enquiry(%L, false, reason => ''No time'')', id)), 'declined', 'ES-13 declined') from app.enquiries where influencer_id = tests.id('profile of verified') and state = 'open';
select is(pg_temp.send('agency', 'verified'), 'open 4', 'ES-14 an agency');
select is(pg_temp.call('verified', format('answer_enquiry(%L, true)', id)), 'accepted', 'ES-14 accepted') from app.enquiries where sender_user_id = tests.id('agency');
select is((select (client_user_id, agency_id, guest_name)::text from app.collaborations where source = 'enquiry' and client_user_id is not null),
  (tests.id('agency'), tests.id('profile of agency'), null::text)::text, 'ES-14 the agency is the client');
select is(tests.reads('agency', format('select enquiry_contact(%L)', id)), 'verified@example.test', 'ES-14 who reads the address') from app.enquiries where sender_user_id = tests.id('agency');
update app.profiles set email = 'new@example.test' where id = tests.id('agency');
select is(tests.reads('verified', format('select sender_email from enquiries where sender_user_id = %L', tests.id('agency'))), 'new@example.test', 'ES-14 and the influencer the current one');
do $$ begin perform pg_temp.mails(); end $$;

-- Reminders and expiry.
select is(pg_temp.send('other agency', 'approved,verified'), 'open open 4', 'ES-15 two');
select pg_temp.mails() \g /dev/null
select pg_temp.pass('71 hours') \g /dev/null
select app.tick_enquiries() \g /dev/null
select is(pg_temp.mails(), null, 'ES-15 no reminder yet');
select pg_temp.pass('1 hour') \g /dev/null
select app.tick_enquiries(), app.tick_enquiries(), serasi.tick_retention() \g /dev/null
select is(pg_temp.mails(), 'enquiry_reminder approved@example.test, enquiry_reminder verified@example.test', 'ES-15 one reminder after 72 hours');
select is((select count(*) from app.enquiry_briefs where client is not null), 0::bigint, 'ES-15 the client''s hash is gone after a day');
select pg_temp.pass('96 hours') \g /dev/null
select is(pg_temp.call('verified', format('answer_enquiry(%L, true)', id)), 'PT409 This enquiry is already expired', 'ES-16 too late') from app.enquiries where sender_user_id = tests.id('other agency') and influencer_id = tests.id('profile of verified');
select is(pg_temp.send('other agency', 'verified'), 'open 4', 'ES-16 what has expired doesn''t refuse another');
select app.tick(), app.tick() \g /dev/null
select is(pg_temp.mails(), 'enquiry_expired other.agency@example.test, enquiry_expired other.agency@example.test, enquiry_received verified@example.test', 'ES-16 the sender is told once');
select is((select string_agg(state, ' ' order by state) from app.enquiries where sender_key = 'guest' or sender_user_id = tests.id('vendor')), 'expired', 'ES-16 also what was never confirmed, without a mail');
select pg_temp.pass('14 days') \g /dev/null
select is(tests.refusal('visitor', format('select guest_enquiry(%L)', :'token')), 'This link is incomplete or has expired', 'ES-17 the link expires');
select tests.step_down() \g /dev/null
select serasi.tick_retention() \g /dev/null
select is((select count(*) from app.guest_links where expires_at < now()), 0::bigint, 'ES-17 and is removed');

-- Deletions.
do $$ begin delete from app.enquiry_briefs; perform pg_temp.mails(); end $$;
select is(pg_temp.send('other agency', 'approved,other influencer'), 'open open 4', 'ES-18 a sender');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true)', id)), 'accepted', 'ES-18 accepted by one') from app.enquiries where influencer_id = tests.id('profile of approved');
select pg_temp.mails() \g /dev/null
delete from auth.users where id = tests.id('other agency');
select app.tick_erasure() \g /dev/null
select is(tests.reads('other influencer', 'select concat_ws('' '', state, sender_name, sender_user_id) from enquiries'), 'withdrawn Former member', 'ES-18 who leaves has withdrawn');
select is(tests.reads('approved', 'select concat_ws('' '', state, sender_name, sender_email) from enquiries'), 'accepted Former member', 'ES-18 history stays, without name and address');
select is((select string_agg(distinct data ->> 'name', ',') from app.notices where user_id in (tests.id('approved'), tests.id('other influencer')) and kind in ('enquiry_received', 'enquiry_withdrawn')
  and subject_id in (select id from app.enquiries)), 'Former member', 'ES-18 notifications, too');
select is(pg_temp.mails(), 'enquiry_withdrawn other.influencer@example.test', 'ES-18 the influencer is told');
select is(pg_temp.send('admin', 'approved,verified'), 'open open 4', 'ES-19 an influencer');
update auth.users set deleted_at = now() where id = tests.id('admin');
select is((select string_agg(state || coalesce(sender_name, ' nobody'), ' ' order by state) from app.enquiries where sender_key = app.pseudonym(tests.id('admin'))::text and sender_user_id is null), 'withdrawn nobody withdrawn nobody', 'ES-19 a soft delete is one, too');
select is(pg_temp.send('agency', 'verified,approved'), 'open open 4', 'ES-20 to two');
select is(pg_temp.call('verified', format('answer_enquiry(%L, true)', id)), 'accepted', 'ES-20 accepted') from app.enquiries where influencer_id = tests.id('profile of verified') and state = 'open';
select pg_temp.mails() \g /dev/null
delete from app.influencers where user_id in (tests.id('verified'), tests.id('approved'));
select is(tests.reads('agency', 'select string_agg(concat_ws('' '', state, influencer_id), '','' order by state) from enquiries'), 'accepted,expired', 'ES-20 the sender''s history stays');
select is(pg_temp.mails(), 'enquiry_expired new@example.test', 'ES-20 the sender of the open one is told');

\ir ../finish.sql
