-- Limits, blocks and reviews know a mailbox by each spelling of its address. Reviews: guest_reviews.sql.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

select is(serasi.mailbox_of(address), mailbox, 'MB-1 ' || address) from (values
  ('Victim+1@Example.Test', 'victim@example.test'), (' victim+a+b@example.test ', 'victim@example.test'), ('vic.tim@example.test', 'vic.tim@example.test'),
  ('V.i.ctim+x@GoogleMail.com', 'victim@gmail.com'), ('victim@gmail.com.example.test', 'victim@gmail.com.example.test'),
  ('+a@example.test', '+a@example.test'), ('+a+b@example.test', '+a@example.test'), ('a+@example.test', 'a@example.test'),
  (U&'\FF56ictim@example.test', 'victim@example.test'), ('me@localhost', 'me@localhost'), ('Nobody', 'nobody')) as spelling (address, mailbox);

create function pg_temp.send(address text, n integer) returns text language plpgsql as $$
declare
  answer jsonb;
begin
  perform tests.become('service');
  answer := public.send_enquiries(null, '203.0.113.' || n, array[tests.id('profile of ' || case n % 2 when 0 then 'verified' else 'approved' end)],
    'Two reels', 'Would you show our new menu?', name => 'Ana', email => address);
  perform tests.step_down();
  return answer -> 'enquiries' -> 0 ->> 'state';
exception when others then
  perform tests.step_down();
  return sqlerrm::json ->> 'message';
end $$;
create function pg_temp.confirm(address text) returns text language plpgsql as $$
declare
  answer jsonb;
  link constant text := (select data ->> 'path' from serasi.mail_outbox where recipient = address and template = 'guest_enquiry_confirm' limit 1);
begin
  perform tests.become('visitor');
  answer := public.confirm_enquiry(replace(link, '/enquiry/', ''));
  perform tests.step_down();
  return 'confirmed';
exception when others then
  perform tests.step_down();
  return sqlerrm;
end $$;

-- However many clients send them.
select is((select count(*)::integer from generate_series(1, 12) as n where pg_temp.send(format('Vic.tim+%s@gmail.com', n), n) = 'unconfirmed'), 5, 'MB-2 five enquiries for a mailbox');
select is((select count(*)::integer from serasi.mail_outbox where recipient like 'vic.tim+%'), 5, 'MB-2 and five mails, to the addresses as given');

select app.block_sender(null, 'victim@googlemail.com', 'Ana', 'Spam') \g /dev/null
select is(pg_temp.confirm((select min(recipient) from serasi.mail_outbox where recipient like 'vic.tim+%')), 'This e-mail address can''t send enquiries', 'MB-3 a blocked guest');
select app.block_sender(tests.id('agency'), null, 'Agency', 'Spam') \g /dev/null
select is(pg_temp.send('agency+1@example.test', 100), 'unconfirmed', 'MB-4 the owner of a blocked account');
select is(pg_temp.confirm('agency+1@example.test'), 'This e-mail address can''t send enquiries', 'MB-4 can''t write as a guest');
update auth.users set email = 'agency+2@example.test' where id = tests.id('vendor');
select is(app.is_blocked(tests.id('vendor')), true, 'MB-4 nor with another account');
update auth.users set email = 'new@example.test' where id = tests.id('agency');
select is(app.is_blocked_address('New+1@example.test'), true, 'MB-4 nor with a new address');

\ir ../finish.sql
