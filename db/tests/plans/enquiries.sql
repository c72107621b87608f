-- Lists of enquiries, and the counts for limits, are read from an index.
\ir ../setup.sql
\ir ../crowd.sql

insert into app.enquiry_briefs (id, sender_key, client, guest_email, created_at)
select pg_temp.seed_id('briefs', n), n % 1000, n % 1000, case when n % 10 = 0 then n || '@example.test' end, now() - n * interval '1 minute' from generate_series(1, 20000) as n;
insert into app.enquiries (brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, created_at, expires_at)
select pg_temp.seed_id('briefs', n), pg_temp.seed_id('profiles', n % 9000 + 1), pg_temp.seed_id('influencers', (n + 1) % 9000 + 1), n, 'A brand', 'Two reels', 'Would you show our new menu?',
  (array['open', 'declined', 'withdrawn', 'expired'])[n % 4 + 1], now(), case n % 4 when 1 then now() end, now() - n * interval '1 minute', now() + (n - 10000) * interval '1 minute'
from generate_series(1, 18000) as n;
insert into app.enquiries (brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, created_at)
select pg_temp.seed_id('briefs', 18000 + n), tests.id('profile of approved'), tests.id('agency'), 'of agency ' || n, 'Agency', 'Two reels', 'Would you show our new menu?',
  (array['open', 'declined', 'withdrawn', 'expired'])[n % 4 + 1], now(), case n % 4 when 1 then now() end, now() - n * interval '1 minute'
from generate_series(1, 2000) as n;
insert into app.guest_links (token_hash, purpose, subject_id, expires_at)
select md5(n::text), 'enquiry', pg_temp.seed_id('briefs', n), now() + n * interval '1 minute' from generate_series(1, 5000) as n;
analyze app.enquiries, app.enquiry_briefs, app.guest_links;

create temporary table list (name text, who text, query text, index text);
insert into list values
  ('received', 'approved', format('select * from enquiries where influencer_id = %L order by created_at desc, id desc limit 24', tests.id('profile of approved')), 'enquiries_received'),
  ('received in a state', 'approved', format('select * from enquiries where influencer_id = %L and state = ''open'' order by created_at desc, id desc limit 24', tests.id('profile of approved')), 'enquiries_(received|one_open)'),
  ('received, a later page', 'approved', format($$select * from enquiries where influencer_id = %L and created_at <= now() - interval '9 hours'
    and (created_at < now() - interval '9 hours' or (created_at = now() - interval '9 hours' and id < gen_random_uuid()))
    order by created_at desc, id desc limit 24$$, tests.id('profile of approved')), 'enquiries_received'),
  ('sent', 'agency', format('select * from enquiries where sender_user_id = %L order by created_at desc, id desc limit 24', tests.id('agency')), 'enquiries_sent'),
  ('sent in a state', 'agency', format('select * from enquiries where sender_user_id = %L and state = ''declined'' order by created_at desc, id desc limit 24', tests.id('agency')), 'enquiries_sent'),
  ('one', 'agency', format('select * from enquiries where id = %L', (select id from app.enquiries limit 1)), 'enquiries_pkey');
select matches(pg_temp.plan(who, query), 'Index Scan (using|on) ' || index, name || ', as ' || who) from list;
select doesnt_match(pg_temp.plan(who, query), 'Seq Scan|SubPlan', name || ', as ' || who || ': nothing per row') from list;
select doesnt_match(pg_temp.plan('agency', 'select * from enquiries order by created_at desc, id desc limit 24'), 'Seq Scan', 'all, without a condition: not those of others');
-- The reader's own rows may be sorted, but rows of others must not be read.
select cmp_ok(pg_temp.rejected(who, query), '<=', 2000::bigint, name || ', as ' || who || ': rows of other parties are not read') from list;

select doesnt_match(pg_temp.owner_plan(query), 'Seq Scan', name) from (values
  ('the sender''s briefs of a day', 'select created_at from app.enquiry_briefs where sender_key = ''7'' and created_at > now() - interval ''24 hours'' order by created_at desc offset 4 limit 1'),
  ('the client''s briefs of an hour', 'select created_at from app.enquiry_briefs where client = ''7'' and created_at > now() - interval ''1 hour'' order by created_at desc offset 19 limit 1'),
  ('all guests'' briefs of an hour', 'select created_at from app.enquiry_briefs where guest_email is not null and created_at > now() - interval ''1 hour'' and id is distinct from null order by created_at desc offset 999 limit 1'),
  ('what expires', 'select id from app.enquiries where state in (''unconfirmed'', ''open'') and expires_at <= now() order by expires_at limit 200'),
  ('whom to remind', 'select id from app.enquiries where state = ''open'' and reminded_at is null and opened_at <= now() - interval ''72 hours'' order by opened_at limit 200'),
  ('links that have expired', 'select token_hash from app.guest_links where expires_at <= now() order by expires_at limit 1000'),
  ('a link', 'select subject_id from app.guest_links where token_hash = ''x'''),
  ('clients to forget', 'select id from app.enquiry_briefs where client is not null and created_at <= now() - interval ''24 hours'' order by created_at limit 1000'),
  ('the enquiries of a brief', format('select * from app.enquiries where brief_id = %L', pg_temp.seed_id('briefs', 1)))
) as asked (name, query);
select matches(pg_temp.owner_plan('select created_at from app.enquiry_briefs where guest_email is not null and created_at > now() - interval ''1 hour'' and id is distinct from null order by created_at desc offset 999 limit 1'),
  'enquiry_briefs_of_guests', 'accounts'' briefs are not read for the guests'' limit');

\ir ../finish.sql
