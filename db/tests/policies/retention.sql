-- What is kept for a period ends with it, in batches.
\ir ../setup.sql
\ir ../one_row_each.sql
do $$ begin
  update app.reports set state = 'dismissed', decided_at = now();
  perform set_config('session_replication_role', 'replica', true);
  update app.enquiries set sender_user_id = null, influencer_id = null where id = tests.id('enquiry of vendor');
  update app.enquiries set opened_at = null, state = 'unconfirmed' where sender_name = 'Guest';
  update app.collaborations set influencer_id = null, client_user_id = null, agency_id = null where id = tests.id('done');
  update app.gig_applications set influencer_id = null, agency_id = null;
  update app.enquiry_briefs set client = 'client';
  insert into app.notices (user_id, kind) values (tests.id('agency'), 'gig_closed'), (tests.id('verified'), 'approved');
  insert into app.blocked_senders (name, address_hash, reason, blocker) values ('Guest', 'x', 'Spam', 'admin');
  insert into app.audit_log (actor, action, subject_type, subject_id) values ('admin', 'approve', 'influencer', tests.id('verified'));
  insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at) values ('other', tests.id('agency'), 'digest', now());
  perform set_config('session_replication_role', 'origin', true);
end $$;

-- How many rows each rule ends when its rows are that old: none a second before the period is over, and some after it.
create function pg_temp.ended(rule serasi.retention, age interval) returns bigint language plpgsql as $$
declare
  touched bigint;
  kept constant text := format('select count(*) from %s where %s', rule.relation, rule.only_if);
  before bigint;
  after bigint;
begin
  perform set_config('session_replication_role', 'replica', true);
  execute format('update %s set %I = now() - %L::interval where %s', rule.relation, rule.moment, age, rule.only_if);
  perform set_config('session_replication_role', 'origin', true);
  execute kept into before;
  perform serasi.end_retention(rule);
  execute kept into after;
  raise exception using errcode = 'TT000', message = before - after;
exception when sqlstate 'TT000' then
  return sqlerrm;
end $$;
select is(pg_temp.ended(retention, keeps - interval '1 second'), 0::bigint, format('RT-1 %s, %s: not before %s', relation, name, keeps)) from serasi.retention where bound = 'period';
select cmp_ok(pg_temp.ended(retention, keeps), '>', 0::bigint, format('RT-1 %s, %s: after %s', relation, name, keeps)) from serasi.retention where bound = 'period';

-- A column is emptied, and the row stays.
do $$ begin
  update app.enquiry_briefs set created_at = now() - interval '1 day';
  perform serasi.tick_retention();
end $$;
select results_eq('select count(*), count(client), count(guest_email) from app.enquiry_briefs', 'values (4::bigint, 0::bigint, 1::bigint)', 'RT-2 the client is forgotten, the brief stays');

-- A batch is bounded, and takes the oldest.
do $$ begin
  delete from app.notices;
  insert into app.notices (user_id, kind, created_at) select tests.id('agency'), 'gig_closed', now() - interval '200 days' - n * interval '1 minute' from generate_series(1, 1001) as n;
  perform serasi.tick_retention();
end $$;
select results_eq('select created_at from app.notices', 'select now() - interval ''200 days 1 minute''', 'RT-3 one is left for the next minute');

-- Sessions without a lifetime.
do $$ begin
  delete from auth.sessions;
  update auth.settings set session_time_box = null, session_inactivity_timeout = null;
  insert into auth.sessions (id, user_id, created_at, refreshed_at) values (tests.id('unused'), tests.id('agency'), now() - interval '2 years', now() - interval '1 year'),
    (tests.id('used'), tests.id('agency'), now() - interval '2 years', now() - interval '364 days');
  perform serasi.tick_sessions();
end $$;
select results_eq('select id from auth.sessions', 'select tests.id(''used'')', 'RT-4 a session that nobody used for a year ends');

-- Accounts that nobody confirmed. One is kept by a row of the operator.
do $$ begin
  delete from app.gigs;
  perform tests.sign_up('imported', '{}');
  update auth.users set created_at = now() - interval '60 days', updated_at = now() - interval '60 days', email_confirmed_at = now();
  update auth.users set email_confirmed_at = null, email_unproved = id <> tests.id('imported')
  where id in (tests.id('new vendor'), tests.id('new agency'), tests.id('vendor'), tests.id('superadmin'), tests.id('new influencer'), tests.id('imported'));
  update auth.users set last_sign_in_at = now() where id = tests.id('new influencer');
  perform tests.sign_up('recent', '{"user_type": "vendor"}');
  update auth.users set email_confirmed_at = null, email_unproved = true where id = tests.id('recent');
  insert into app.newsletter_subscriptions (email) values ('new.vendor@example.test');
  create table public.of_operator (account uuid references auth.users (id));
  insert into public.of_operator values (tests.id('new agency'));
  perform serasi.tick_retention();
  perform serasi.tick_unconfirmed_accounts();
  perform app.tick_erasure();
end $$;
select set_eq('select id from auth.users where email_confirmed_at is null', $$select tests.id(who) from unnest('{new agency,vendor,superadmin,new influencer,recent,imported}'::text[]) as who$$, 'RT-5 with a profile, a role, a sign-in or a reference they stay, and if they were imported');
select is((select count(*) from app.newsletter_subscriptions where email = 'new.vendor@example.test'), 1::bigint, 'RT-5 whose address it was keeps the newsletter');

-- The log accepts changes by these functions only.
select throws_ok('update app.audit_log set actor = ''x''', '42501', null, 'RT-6 afterwards the log is as before');
\ir ../finish.sql
