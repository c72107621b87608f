-- Favorites (FA), which only their owner sees, and the newsletter (NL), which accepts addresses but reveals none. The
-- specification's matrix doesn't contain them.
\ir ../setup.sql
select tests.people() \gset

-- The agency has one favorite.
copy act (line) from stdin;
FA-1 all
  sql: select * from favorites
  request: GET favorites
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-1 an agency's
  sql: select * from favorites where user_id = {agency}
  request: GET favorites?user_id=eq.{agency}
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-1 of an influencer
  sql: select * from favorites where influencer_id = {profile of approved}
  request: GET favorites?influencer_id=eq.{profile of approved}
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-1 counted
  sql: select * from favorites
  request: HEAD favorites ; Prefer: count=exact
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-1 with influencers
  sql: select * from favorites join influencers on influencers.id = influencer_id
  request: GET favorites?select=*,influencers!inner(name)
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-1 on the table
  sql: select * from app.favorites
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-2 add an influencer
  sql: insert into favorites (influencer_id) values ({profile of verified})
  request: POST favorites
  body: {"influencer_id": "{profile of verified}"}
  42501: visitor
  1: unapproved, approved, verified, agency, vendor, admin, superadmin
FA-2 add an unapproved one
  sql: insert into favorites (influencer_id) values ({profile of other unapproved})
  request: POST favorites
  body: {"influencer_id": "{profile of other unapproved}"}
  42501: visitor, unapproved, approved, verified, agency, vendor
  1: admin, superadmin
FA-2 add self
  sql: insert into favorites (influencer_id) values ({my profile})
  request: POST favorites
  body: {"influencer_id": "{my profile}"}
  42501: visitor, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
FA-2 add a nonexistent one
  sql: insert into favorites (influencer_id) values ({nobody})
  request: POST favorites
  body: {"influencer_id": "{nobody}"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
FA-2 add an existing favorite
  sql: insert into favorites (influencer_id) values ({profile of approved})
  request: POST favorites
  body: {"influencer_id": "{profile of approved}"}
  23505: agency
FA-2 add, ignoring duplicates
  sql: insert into favorites (influencer_id) values ({profile of approved}) on conflict (user_id, influencer_id) do nothing
  request: POST favorites?on_conflict=user_id,influencer_id ; Prefer: resolution=ignore-duplicates
  body: {"influencer_id": "{profile of approved}"}
  42501: visitor
  1: unapproved, approved, verified, vendor, admin, superadmin
  0: agency
FA-2 upsert
  sql: insert into favorites (influencer_id) values ({profile of approved}) on conflict (user_id, influencer_id) do update set created_at = now()
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
FA-3 add for another
  sql: insert into favorites (user_id, influencer_id) values ({agency}, {profile of verified})
  request: POST favorites
  body: {"user_id": "{agency}", "influencer_id": "{profile of verified}"}
  42501: visitor, unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-3 with a past date
  sql: insert into favorites (user_id, influencer_id, created_at) values ({agency}, {profile of verified}, '2020-01-01')
  request: POST favorites
  body: {"user_id": "{agency}", "influencer_id": "{profile of verified}", "created_at": "2020-01-01"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
FA-4 delete one
  sql: delete from favorites where influencer_id = {profile of approved}
  request: DELETE favorites?influencer_id=eq.{profile of approved}
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-4 delete an agency's
  sql: delete from favorites where user_id = {agency}
  request: DELETE favorites?user_id=eq.{agency}
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-4 delete everything on the table
  sql: delete from app.favorites
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, service
FA-4 delete without a condition
  request: DELETE favorites
  /401: visitor
  /400: unapproved, approved, verified, agency, vendor, admin, superadmin, service
FA-5 another date
  sql: update favorites set created_at = '2020-01-01' where user_id = {agency}
  request: PATCH favorites?user_id=eq.{agency}
  body: {"created_at": "2020-01-01"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
FA-5 another influencer
  sql: update favorites set influencer_id = {profile of verified} where user_id = {agency}
  request: PATCH favorites?user_id=eq.{agency}
  body: {"influencer_id": "{profile of verified}"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
\.

-- One address is subscribed.
copy act (line) from stdin;
NL-1 subscribe
  sql: insert into newsletter_subscriptions (email) values ('new@example.test')
  request: POST newsletter_subscriptions
  body: {"email": "new@example.test"}
  1: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-1 on the table
  sql: insert into app.newsletter_subscriptions (email) values ('new@example.test')
  1: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-1 with a date
  sql: insert into app.newsletter_subscriptions (email, created_at) values ('new@example.test', '2020-01-01')
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-2 an invalid address
  sql: insert into newsletter_subscriptions (email) values ('nobody')
  request: POST newsletter_subscriptions
  body: {"email": "nobody"}
  23514: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-2 two addresses
  sql: insert into newsletter_subscriptions (email) values ('a@example.test,b@example.test')
  request: POST newsletter_subscriptions
  body: {"email": "a@example.test,b@example.test"}
  23514: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-2 a mail header
  sql: insert into newsletter_subscriptions (email) values (concat('a@example.test', chr(10), 'Bcc: b@example.test'))
  23514: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-2 no address
  sql: insert into newsletter_subscriptions (email) values (null)
  request: POST newsletter_subscriptions
  body: {"email": null}
  23502: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-2 an address
  sql: insert into newsletter_subscriptions (email) values ('one@example.test')
  request: POST newsletter_subscriptions
  body: {"email": "one@example.test"}
  1: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
NL-3 read
  sql: select * from newsletter_subscriptions
  request: GET newsletter_subscriptions
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-3 filter by address
  sql: select * from newsletter_subscriptions where email = 'reader@example.test'
  request: GET newsletter_subscriptions?email=eq.reader@example.test
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-3 on the table
  sql: select * from app.newsletter_subscriptions
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-3 by returning the row
  sql: insert into newsletter_subscriptions (email) values ('new@example.test') returning email
  request: POST newsletter_subscriptions ; Prefer: return=representation
  body: {"email": "new@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-4 remove
  sql: delete from newsletter_subscriptions where email = 'reader@example.test'
  request: DELETE newsletter_subscriptions?email=eq.reader@example.test
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-4 change
  sql: update newsletter_subscriptions set email = 'x@example.test' where email = 'reader@example.test'
  request: PATCH newsletter_subscriptions?email=eq.reader@example.test
  body: {"email": "x@example.test"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
NL-4 change on the table
  sql: update app.newsletter_subscriptions set email = 'x@example.test'
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
\.

select * from tests.matrix();

-- Subscribing again gives the same response as the first time, so that nobody can find out who has subscribed.
select tests.become('visitor') \gset
select lives_ok('insert into newsletter_subscriptions (email) values ('' Reader@Example.test'')', 'NL-5 a subscribed address');
reset role;
select results_eq('select email from app.newsletter_subscriptions', 'values (''reader@example.test'')', 'NL-5 it is stored once');

-- Limits per client and for all clients together. Each call counts as a request, with a transaction of its own.
create function pg_temp.subscribe(client text, address text, who text default 'visitor') returns text language plpgsql as $$
declare
  said text;
begin
  perform set_config('app.has_subscribed', '', true), set_config('request.client_address', client, true);
  perform tests.become(who);
  execute format('insert into newsletter_subscriptions (email) values (%L)', address);
  perform tests.step_down();
  return 'ok';
exception when others then
  get stacked diagnostics said = pg_exception_detail;
  return sqlstate || ' ' || said;
end $$;
create function pg_temp.limited(seconds integer) returns text language sql as $$
  select 'PGRST ' || json_build_object('status', 429, 'headers', json_build_object('Retry-After', seconds::text))
$$;
select is(tests.refusal(who, $$insert into newsletter_subscriptions (email) values ('a@example.test'), ('b@example.test')$$), 'Subscribe one address at a time', 'NL-6 two in one request, as ' || who)
from unnest(array['visitor', 'agency', 'admin']) as who;
select is(tests.outcome('visitor', $$insert into app.newsletter_subscriptions (email) values ('a@example.test'), ('b@example.test')$$), 'PT400', 'NL-6 two, directly on the table');
select is(tests.outcome('service', $$insert into newsletter_subscriptions (email) values ('a@example.test'), ('b@example.test')$$), '2', 'NL-6 any number with the service key');
select is_empty('select from app.newsletter_allowances where source <> ''all'' and source <> ''unknown''', 'NL-6 the service key''s rows are not counted');

truncate app.newsletter_allowances;
select is(pg_temp.subscribe('198.51.100.7', format('n%s@example.test', n)), case when n <= 5 then 'ok' else pg_temp.limited(720) end, format('NL-7 %s in an hour', n))
from generate_series(1, 6) as n;
select is(tests.refusal('visitor', $$insert into newsletter_subscriptions (email) select 'n6@example.test' from set_config('app.has_subscribed', '', true)$$)::json ->> 'message',
  'Too many subscriptions, please try again later', 'NL-7 the message');
select is(pg_temp.subscribe('198.51.100.7', 'n1@example.test', 'agency'), pg_temp.limited(720), 'NL-7 also for a signed-in account');
select is(pg_temp.subscribe('198.51.100.8', 'n1@example.test'), 'ok', 'NL-7 another client, with a subscribed address');
select is(pg_temp.subscribe('2001:db8::' || n, 'n1@example.test'), case when n <= 5 then 'ok' else pg_temp.limited(720) end, format('NL-7 %s of one IPv6 network', n))
from generate_series(1, 6) as n;
select is(pg_temp.subscribe('2001:db8:0:1::1', 'n1@example.test'), 'ok', 'NL-7 another network');
select is_empty($$select from app.newsletter_allowances where source ~ '[.:]'$$, 'NL-7 no address is stored in clear text');
select is(count(*), 5::bigint, 'NL-7 a row for each client, and one for all') from app.newsletter_allowances;
update app.newsletter_allowances set hour_used_until = hour_used_until - interval '12 minutes' where source = app.client_digest('198.51.100.7');
select is(pg_temp.subscribe('198.51.100.7', 'n7@example.test'), 'ok', 'NL-7 refilled by one');
select is(pg_temp.subscribe('198.51.100.7', 'n8@example.test'), pg_temp.limited(720), 'NL-7 but not by two');
update app.newsletter_allowances set hour_used_until = now() - interval '5 hours' where source = app.client_digest('198.51.100.7');
select is(pg_temp.subscribe('198.51.100.7', 'n9@example.test'), case when n <= 5 then 'ok' else pg_temp.limited(720) end, 'NL-7 unused allowance does not accumulate: ' || n)
from generate_series(1, 6) as n;

-- The daily limit.
update app.newsletter_allowances set hour_used_until = now(), day_used_until = now() + interval '24 hours' - interval '72 minutes' where source = app.client_digest('198.51.100.7');
select is(pg_temp.subscribe('198.51.100.7', 'n9@example.test'), case n when 1 then 'ok' else pg_temp.limited(4320) end, 'NL-7 the last of the daily allowance, and one more: ' || n)
from generate_series(1, 2) as n;
update app.newsletter_allowances set day_used_until = now() - interval '2 days' where source = app.client_digest('198.51.100.7');
select is(pg_temp.subscribe('198.51.100.7', 'n9@example.test'), 'ok', 'NL-7 another day');
select is(day_used_until, now() + interval '72 minutes', 'NL-7 it has used one of the day''s allowance') from app.newsletter_allowances where source = app.client_digest('198.51.100.7');

-- Clients without a usable address, and the limit for all clients together.
select is(app.client_digest(address), 'unknown', format('NL-8 not a client address: %L', address)) from unnest(array['', 'nonsense', null, '127.0.0.1', '127.9.9.9', '::1']) as address;
select isnt(app.client_digest(address), 'unknown', 'NL-8 a client address: ' || address) from unnest(array['198.51.100.7', '10.0.0.1', '::2']) as address;
create function pg_temp.nearly_used_up(who text, hourly interval, daily interval) returns void language sql as $$
  insert into app.newsletter_allowances values (who, now() + interval '1 hour' - hourly, now() + interval '24 hours' - daily)
  on conflict (source) do update set hour_used_until = excluded.hour_used_until, day_used_until = excluded.day_used_until
$$;
select pg_temp.nearly_used_up('unknown', '36 seconds', '22 hours') \gset
select is(pg_temp.subscribe('nonsense', 'n9@example.test'), case n when 1 then 'ok' else pg_temp.limited(36) end, 'NL-8 clients without an address have 100 in an hour: ' || n) from generate_series(1, 2) as n;
select pg_temp.nearly_used_up('unknown', '1 hour', '86.4 seconds') \gset
select is(pg_temp.subscribe(null, 'n9@example.test'), case n when 1 then 'ok' else pg_temp.limited(87) end, 'NL-8 and 1000 in a day: ' || n) from generate_series(1, 2) as n;
select pg_temp.nearly_used_up('all', '3.6 seconds', '22 hours') \gset
select is(pg_temp.subscribe('198.51.100.9', 'n9@example.test'), case n when 1 then 'ok' else pg_temp.limited(4) end, 'NL-8 all clients together have 1000 in an hour: ' || n) from generate_series(1, 2) as n;
select pg_temp.nearly_used_up('all', '1 hour', '17.28 seconds') \gset
select is(pg_temp.subscribe('198.51.100.9', 'n9@example.test'), case n when 1 then 'ok' else pg_temp.limited(18) end, 'NL-8 and 5000 in a day: ' || n) from generate_series(1, 2) as n;

-- Expired allowances are deleted, ten at a time.
truncate app.newsletter_allowances;
insert into app.newsletter_allowances select 'old ' || n, now() - interval '1 day', now() - interval '1 minute' * n from generate_series(0, 11) as n;
insert into app.newsletter_allowances values ('today', now() - interval '1 hour', now() + interval '1 minute');
select is(pg_temp.subscribe('198.51.100.7', 'n1@example.test'), 'ok', 'NL-9 a subscription');
select set_eq('select source from app.newsletter_allowances', $$values ('old 0'), ('old 1'), ('today'), ('all'), (app.client_digest('198.51.100.7'))$$, 'NL-9 deletes the ten oldest');
select is(pg_temp.subscribe('198.51.100.7', 'n1@example.test'), 'ok', 'NL-9 another subscription');
select set_eq('select source from app.newsletter_allowances', $$values ('today'), ('all'), (app.client_digest('198.51.100.7'))$$, 'NL-9 deletes the rest');

-- Expired allowances that still exist have no effect.
insert into app.newsletter_allowances select 'older ' || n, now() - interval '3 days', now() - interval '3 days' from generate_series(1, 10) as n;
select pg_temp.nearly_used_up(app.client_digest('198.51.100.20'), '3 hours', '48 hours') \gset
select is(pg_temp.subscribe('198.51.100.20', 'n1@example.test'), 'ok', 'NL-9 a client last seen two days ago');
select is(day_used_until, now() + interval '72 minutes', 'NL-9 it has used one of the day''s allowance') from app.newsletter_allowances where source = app.client_digest('198.51.100.20');

-- Limits on favorites and gigs per account.
set local session_replication_role = replica;
insert into app.favorites (user_id, influencer_id) select tests.id('vendor'), gen_random_uuid() from generate_series(1, 999);
insert into app.favorites (user_id, influencer_id) select tests.id('other vendor'), gen_random_uuid() from generate_series(1, 1000);
insert into app.gigs (agency_id, title, description) select tests.id('profile of agency'), 'T', 'D' from generate_series(1, 498);
insert into app.gigs (agency_id, title, description) select tests.id('profile of other agency'), 'T', 'D' from generate_series(1, 499);
set local session_replication_role = origin;
select is(tests.outcome('vendor', format('insert into favorites (influencer_id) select id from influencers limit %s', number)), wanted, format('FA-6 999 favorites and %s more', number))
from (values (1, '1'), (2, '23514')) as given (number, wanted);
select is(tests.refusal('other vendor', format('insert into favorites (influencer_id) values (%L)', tests.id('profile of approved'))), 'An account can keep at most 1000 favorites', 'FA-6 the message');
select is(tests.outcome('service', format('insert into favorites (user_id, influencer_id) values (%L, %L)', tests.id('other vendor'), tests.id('profile of approved'))), '1', 'FA-6 no limit for the service key');
select is(tests.outcome('agency', format('insert into gigs (agency_id, title, description) select %L, ''T'', ''D'' from generate_series(1, %s)', tests.id('profile of agency'), number)), wanted,
  format('GI-14 499 gigs and %s more', number))
from (values (1, '1'), (2, '23514')) as given (number, wanted);
select is(tests.refusal('other agency', format('insert into gigs (agency_id, title, description) values (%L, ''T'', ''D'')', tests.id('profile of other agency'))), 'An agency can post at most 500 gigs', 'GI-14 the message');
select is(tests.outcome('service', format('insert into gigs (agency_id, title, description) values (%L, ''T'', ''D'')', tests.id('profile of other agency'))), '1', 'GI-14 no limit for the service key');
\ir ../finish.sql
