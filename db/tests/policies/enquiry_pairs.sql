-- Changing an enquiry doesn't affect other enquiries.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.enquiry_briefs;
  delete from app.guest_links;
  delete from serasi.mail_outbox;
end $$;
create function pg_temp.send(sender text, recipients text, address text default null, client text default '203.0.113.1') returns text
language plpgsql as $$
declare
  answer jsonb;
begin
  perform tests.become('service');
  answer := public.send_enquiries(case when address is null then tests.id(sender) end, client,
    array(select tests.id('profile of ' || name) from unnest(string_to_array(recipients, ',')) as name),
    'Two reels', 'Would you show our new menu?', name => sender, email => address);
  perform tests.step_down();
  return (select string_agg(sent ->> 'state', ' ') from jsonb_array_elements(answer -> 'enquiries') as sent);
exception when others then
  perform tests.step_down();
  return sqlstate || ' ' || sqlerrm;
end $$;
create function pg_temp.call(person text, call text) returns text language plpgsql as $$
declare
  answer jsonb;
begin
  perform tests.become(person);
  execute 'select ' || call into answer;
  perform tests.step_down();
  return coalesce(answer ->> 'state', answer -> 'enquiries' -> 0 ->> 'state');
exception when others then
  perform tests.step_down();
  return sqlstate || ' ' || sqlerrm;
end $$;
create function pg_temp.confirm(token text) returns text language sql as $$
  select pg_temp.call('visitor', format('confirm_enquiry(%L)', token))
$$;
create function pg_temp.token() returns text language plpgsql as $$
declare
  token text;
begin
  delete from serasi.mail_outbox where template like 'guest%' returning substr(data ->> 'path', 10) into token;
  return token;
end $$;
create function pg_temp.state(person text, influencer text) returns text language sql as $$
  select string_agg(state, ' ' order by state) from app.enquiries
  where influencer_id = tests.id('profile of ' || influencer) and coalesce(sender_user_id = tests.id(person), sender_name = person)
$$;

select is(pg_temp.send('verified', 'approved'), 'open', 'EP-1 an influencer writes to another one');
select is(pg_temp.send('agency', 'verified'), 'open', 'EP-1 an agency');
select is(pg_temp.send('agency', 'verified', null, '198.51.100.7'), 'PT409 You already have an open enquiry to Verified', 'EP-1 an account''s open enquiry counts for each client');
select is(pg_temp.send('agency', 'approved'), 'open', 'EP-1 and for its recipient only');

-- Two briefs by the same guest.
select is(pg_temp.send('Mei', 'verified', 'mei@example.test'), 'unconfirmed', 'EP-2 a guest');
select is((select data - 'path' from serasi.mail_outbox where template like 'guest%'), '{"name": "Verified", "others": 0}', 'EP-2 the mail names the recipients of this brief');
select pg_temp.token() as first \gset
select is(pg_temp.send('Mei', 'approved,other influencer', 'mei@example.test'), 'unconfirmed unconfirmed', 'EP-2 and once more');
select pg_temp.token() as second \gset
do $$ begin perform app.block_sender(tests.id('agency'), null, 'Agency', 'Spam'); end $$;
select is(pg_temp.confirm(:'first'), 'open', 'EP-2 confirmed, although another sender is blocked');
select is(pg_temp.state('Mei', 'approved'), 'unconfirmed', 'EP-2 the other brief is not');
select is(pg_temp.confirm(:'first'), 'open', 'EP-2 again, while the other brief waits');
select is(pg_temp.confirm(:'second'), 'open', 'EP-2 the other one, while the first is open');
select is(pg_temp.state('Mei', 'approved') || ' ' || pg_temp.state('Mei', 'other influencer'), 'open open', 'EP-2 for both');
delete from app.blocked_senders;

-- Several briefs by a guest to the same influencers: only the one that is confirmed first is sent.
select is(pg_temp.send('Ana', 'verified,approved', 'ana@example.test', '198.51.100.1'), 'unconfirmed unconfirmed', 'EP-3 another guest');
select pg_temp.token() as third \gset
select is(pg_temp.send('Ana', 'verified,approved', 'ana@example.test', '198.51.100.2'), 'unconfirmed unconfirmed', 'EP-3 from somewhere else');
select pg_temp.token() as fourth \gset
select is(pg_temp.send('Ana', 'verified,approved', 'ana@example.test', '198.51.100.3'), 'unconfirmed unconfirmed', 'EP-3 and once more');
select pg_temp.token() as fifth \gset
update app.enquiries set state = 'cancelled' where influencer_id = tests.id('profile of approved')
  and brief_id = (select subject_id from app.guest_links where token_hash = encode(sha256(convert_to(:'fourth', 'UTF8')), 'hex'));
select is(pg_temp.confirm(:'third'), 'open', 'EP-3 the first is confirmed');
select is(pg_temp.state('Ana', 'verified'), 'open unconfirmed unconfirmed', 'EP-3 the others wait');
select is(pg_temp.confirm(:'fourth'), 'PT409 You already have an open enquiry to this influencer', 'EP-3 the second can''t be');
select is(pg_temp.state('Ana', 'approved'), 'cancelled open unconfirmed', 'EP-3 what was cancelled stays cancelled');
select is(pg_temp.state('Ana', 'verified'), 'open unconfirmed unconfirmed', 'EP-3 and nothing is changed');

select is(pg_temp.send('Ana', 'other influencer,approved', 'ana@example.test', '198.51.100.9'), 'unconfirmed unconfirmed', 'EP-3 a brief to one more');
select pg_temp.token() as more \gset
update app.enquiries set state = 'cancelled' where influencer_id = tests.id('profile of approved')
  and brief_id = (select subject_id from app.guest_links where token_hash = encode(sha256(convert_to(:'more', 'UTF8')), 'hex'));
select is(pg_temp.confirm(:'more'), 'cancelled', 'EP-3 is confirmed');
select is(pg_temp.state('Ana', 'other influencer') || ', ' || pg_temp.state('Ana', 'approved') || ', ' || pg_temp.state('Ana', 'verified'),
  'open, cancelled cancelled open unconfirmed, open unconfirmed unconfirmed', 'EP-3 and changes no other');
select is_empty('select from app.notices where subject_id in (select id from app.enquiries where state = ''cancelled'')', 'EP-3 nobody is told of what was cancelled');

-- At most twenty briefs per hour from one network.
insert into app.enquiry_briefs (sender_key, client, created_at) select n, app.client_digest('203.0.113.50'), now() - interval '61 minutes' from generate_series(1, 20) as n;
select is(pg_temp.send('vendor', 'verified', null, '203.0.113.50'), 'open', 'EP-3 those of the hour before don''t count');
delete from app.enquiries where sender_user_id = tests.id('vendor');

-- Answers.
select id as enquiry from app.enquiries where sender_user_id = tests.id('verified') \gset
select is(pg_temp.call('approved', format('answer_enquiry(%L, false, null, repeat(''x'', 501))', :'enquiry')), 'PT400 The answer can have at most 1,000 characters, and the reason 500', 'EP-4 a long reason');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, ''Gladly'')', :'enquiry')), 'accepted', 'EP-4 accepted');
update app.enquiries set expires_at = now() - interval '1 day' where id = :'enquiry';
select is(pg_temp.call('approved', format('answer_enquiry(%L, true, ''Gladly'')', :'enquiry')), 'accepted', 'EP-4 again, after the time for an answer');

-- A withdrawn brief can't be confirmed while others are open or unconfirmed.
update app.enquiries set state = 'withdrawn' where brief_id = (select subject_id from app.guest_links where token_hash = encode(sha256(convert_to(:'fifth', 'UTF8')), 'hex'));
update app.enquiries set id = '00000000-0000-4000-8000-000000000001' where sender_name = 'Mei' and influencer_id = tests.id('profile of verified');
select is(pg_temp.confirm(:'fifth'), 'PT409 This enquiry is already withdrawn', 'EP-5 it can''t be confirmed any more');

-- An open enquiry that is due to expire, before the schedule has ended it.
select is(pg_temp.send('Lim', 'verified', 'lim@example.test', '198.51.100.4'), 'unconfirmed', 'EP-6 a guest');
select pg_temp.token() as sixth \gset
select is(pg_temp.send('Lim', 'verified', 'lim@example.test', '198.51.100.5'), 'unconfirmed', 'EP-6 twice');
select pg_temp.token() as seventh \gset
select is(pg_temp.confirm(:'sixth'), 'open', 'EP-6 the first is confirmed');
update app.enquiries set expires_at = now() where sender_name = 'Lim' and state = 'open';
select is(pg_temp.confirm(:'seventh'), 'open', 'EP-6 when its time is over, the second is');
select is(pg_temp.state('Lim', 'verified'), 'expired open', 'EP-6 the first has expired');

-- app.expire_enquiries() with the key of one sender.
update app.enquiries set expires_at = now() where sender_name in ('Lim', 'Ana') and state = 'open';
select app.expire_enquiries((select sender_key from app.enquiries where sender_name = 'Lim' limit 1)) \g /dev/null
select is(pg_temp.state('Lim', 'verified') || ' ' || pg_temp.state('Ana', 'verified'), 'expired expired open unconfirmed withdrawn', 'EP-6 one sender''s end');

-- app.end_enquiry() with an enquiry that has changed since it was read.
do $$
declare
  stale app.enquiries;
begin
  select * into stale from app.enquiries where state = 'open' and sender_name = 'Mei' limit 1;
  update app.enquiries set state = 'withdrawn' where id = stale.id;
  delete from serasi.mail_outbox;
  perform app.end_enquiry(stale, 'expired');
  assert (select state from app.enquiries where id = stale.id) = 'withdrawn';
end $$;
select is_empty('select from serasi.mail_outbox', 'EP-7 nobody is told that it expired');

-- Deleting an influencer, and deleting a sender: notifications about its enquiries lose the name.
create temporary table before as select id, state, expires_at, sender_name from app.enquiries
where (influencer_id <> tests.id('profile of verified') or state not in ('unconfirmed', 'open')) and sender_user_id is distinct from tests.id('agency');
select is((select count(*) > 5 from before), true, 'EP-8 others have enquiries, too');
delete from app.influencers where user_id = tests.id('verified');
select is_empty('select id, state, expires_at from before except select id, state, expires_at from app.enquiries', 'EP-8 an influencer who leaves ends no other enquiry');
select is(sender_name, 'An influencer', 'EP-8 but what its account sent has no name') from app.enquiries where sender_user_id = tests.id('verified');
update before set sender_name = 'An influencer' where id in (select id from app.enquiries where sender_user_id = tests.id('verified'));
select app.tick_erasure() \g /dev/null
do $$ begin
  update app.profiles set email = 'new.agency@example.test' where id = tests.id('agency');
  delete from app.notices;
  insert into app.notices (user_id, kind, subject_id, data)
  select tests.id('approved'), kind, id, '{"name": "Somebody"}' from app.enquiries cross join unnest('{enquiry_received,report_decided}'::text[]) as kind
  where influencer_id = tests.id('profile of approved');
  insert into app.notices (user_id, kind, subject_id, data) select tests.id('vendor'), 'enquiry_received', id, '{"name": "Somebody"}' from app.enquiries
  where influencer_id = tests.id('profile of approved') and sender_user_id = tests.id('agency');
end $$;
delete from auth.users where id = tests.id('agency');
select app.tick_erasure() \g /dev/null
select is_empty('select id, state, expires_at, sender_name from before except select id, state, expires_at, sender_name from app.enquiries', 'EP-8 nor does a sender, who takes only its own name away');
select is((select count(*) from app.notices where user_id = tests.id('approved') and data ->> 'name' <> 'Somebody' and kind in ('enquiry_received', 'report_decided')), 2::bigint, 'EP-8 in notifications about its enquiry');
select is((select data ->> 'name' from app.notices where user_id = tests.id('vendor') and kind = 'enquiry_received'), 'Former member', 'EP-8 whoever has them');

-- Changing the address of an account changes it in that account's accepted enquiries only.
do $$ begin
  delete from app.enquiry_briefs;
end $$;
select is(pg_temp.send('other agency', 'approved'), 'open', 'EP-9 an agency');
select is(pg_temp.send('vendor', 'approved'), 'open', 'EP-9 and a vendor');
select is(pg_temp.send('vendor', 'other influencer'), 'open', 'EP-9 who writes to two');
select is(pg_temp.call('approved', format('answer_enquiry(%L, true)', id)), 'accepted', 'EP-9 accepted') from app.enquiries where influencer_id = tests.id('profile of approved');
update app.profiles set email = 'changed@example.test' where id = tests.id('vendor');
select results_eq('select sender_email from app.enquiries order by sender_email nulls last', $$values ('changed@example.test'), ('other.agency@example.test'), (null)$$, 'EP-9 the address of one changes, where it is shown');

-- Accounts that can't receive an answer.
update auth.users set deleted_at = now() where id = tests.id('new vendor');
select is(pg_temp.send('new vendor', 'approved'), 'PT404 This account doesn''t exist', 'EP-10 a deleted account');
update auth.users set email = null, phone = '60123456789' where id = tests.id('other vendor');
select is(pg_temp.send('other vendor', 'approved'), 'PT422 Add an e-mail address to your account first', 'EP-10 an account without an address');
\ir ../finish.sql
