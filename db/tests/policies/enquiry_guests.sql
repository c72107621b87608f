-- Guests of all clients together can send 1,000 enquiries in an hour. Accounts are not affected.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.enquiry_briefs;
end $$;

create function pg_temp.send(sender text, client text, address text default null) returns text language plpgsql as $$
declare
  answer jsonb;
  details text;
begin
  perform tests.become('service');
  answer := public.send_enquiries(case when address is null then tests.id(sender) end, client, array[tests.id('profile of verified')],
    'Two reels', 'Would you show our new menu?', name => sender, email => address);
  perform tests.step_down();
  return answer -> 'enquiries' -> 0 ->> 'state';
exception when others then
  get stacked diagnostics details = pg_exception_detail;
  perform tests.step_down();
  return concat_ws(' ', sqlstate, sqlerrm, details);
end $$;
create function pg_temp.briefs(number integer, age interval, guests boolean) returns void language sql as $$
  insert into app.enquiry_briefs (sender_key, client, guest_email, created_at)
  select 'sender ' || n, 'client ' || n, case when guests then n || '@example.test' end, now() - age from generate_series(1, number) as n
$$;
create function pg_temp.holds_lock() returns boolean language sql as $$
  select exists (select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'
    and (classid::bigint << 32 | objid::bigint) = hashtextextended('app.enquiry_briefs of guests', 0))
$$;
create temporary table refusal as
select 'PGRST {"code" : "PT429", "message" : "Too many people are sending enquiries without an account. Please sign in, or try again later."} '
  || '{"status" : 429, "headers" : {"Retry-After" : "1800"}}' as text;

select pg_temp.briefs(998, '30 minutes', true), pg_temp.briefs(1000, '1 hour', true), pg_temp.briefs(1000, '10 minutes', false);
select is(pg_temp.send('agency', '203.0.113.1'), 'open', 'EG-1 an account sends');
select is(pg_temp.holds_lock(), false, 'EG-1 without waiting for guests');
select is(pg_temp.send('Ana', '203.0.113.2', 'ana@example.test'), 'unconfirmed', 'EG-1 the 999th guest: older briefs and those of accounts don''t count');
select is(pg_temp.holds_lock(), true, 'EG-1 until the transaction ends, other guests wait');
select is(pg_temp.send('Bo', '203.0.113.3', 'bo@example.test'), 'unconfirmed', 'EG-1 the 1,000th');

select pg_stat_get_xact_tuples_inserted('app.enquiry_briefs'::regclass) as inserted \gset
select is(pg_temp.send('Cy', '203.0.113.4', 'cy@example.test'), text, 'EG-2 the next one must wait until the first of them is an hour old') from refusal;
select is(pg_stat_get_xact_tuples_inserted('app.enquiry_briefs'::regclass), :inserted::bigint, 'EG-2 and nothing is written');
select is(pg_temp.send('vendor', '203.0.113.5'), 'open', 'EG-2 accounts still send');

-- Two guests whose first check found room: the second one to get the lock is refused.
insert into app.enquiry_briefs (id, sender_key, guest_email) values (tests.id('late'), 'late', 'late@example.test');
select throws_ok(format('select app.limit_guests(%L)', tests.id('late')), 'PGRST', null, 'EG-3 a brief that others have overtaken');
delete from app.enquiry_briefs where id = (select id from app.enquiry_briefs where guest_email is not null and created_at < now() - interval '20 minutes'
  and created_at > now() - interval '1 hour' limit 1);
select lives_ok(format('select app.limit_guests(%L)', tests.id('late')), 'EG-3 the last one allowed doesn''t count itself');

\ir ../finish.sql
