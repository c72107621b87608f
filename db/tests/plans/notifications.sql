-- A user's own notifications among many, and the rows for scheduled work, are read from an index.
\ir ../setup.sql
\ir ../crowd.sql
insert into app.notices (user_id, kind, subject_id, created_at, seen_at, in_digest)
select pg_temp.seed_id('influencers', n % 1500 + 1), 'gig_closed', gen_random_uuid(), now() - n * interval '1 minute',
  case when n % 20 > 0 then now() end, n % 50 = 0 from generate_series(1, 20000) as n;
insert into app.notices (user_id, kind, subject_id, created_at, seen_at)
select tests.id('verified'), 'gig_closed', gen_random_uuid(), now() - n * interval '1 hour', case when n > 5 then now() end from generate_series(1, 300) as n;
analyze app.notices;

create temporary table list (name text, query text, index text);
insert into list values
  ('the newest', 'select id, kind, subject_id, data, created_at, seen_at from notifications order by created_at desc, id desc limit 20', 'notices_of_user'),
  ('a later page', $$
    select * from notifications where created_at <= now() - interval '9 days'
      and (created_at < now() - interval '9 days' or (created_at = now() - interval '9 days' and id < gen_random_uuid()))
    order by created_at desc, id desc limit 20$$, 'notices_of_user'),
  ('how many are unread, which is asked every minute', 'select count(*) from notifications where seen_at is null', 'notices_unseen'),
  ('marking one', format('update app.notices set seen_at = now() where user_id = (select auth.uid()) and seen_at is null and id = %L', tests.id('notification')), 'notices_');
select matches(pg_temp.plan('verified', query), 'Scan using ' || index, name) from list;
select doesnt_match(pg_temp.plan('verified', query), 'Seq Scan|Sort|SubPlan', name || ': nothing else is read, nothing sorted') from list;

select matches(pg_temp.owner_plan(query), 'Index (Only )?Scan (Backward )?using ' || index, name) from (values
  ('who waits for a digest', 'select distinct user_id from app.notices where in_digest and created_at < now() limit 200', 'notices_in_digest'),
  ('what is too old', 'select id from app.notices where kind <> ''approved'' and created_at < now() - interval ''180 days'' order by created_at limit 1000', 'notices_removable'),
  ('an earlier notification', format('select id from app.notices where user_id = %L and kind = ''gig_closed'' and subject_id = %L and created_at > now() - interval ''1 hour'' order by created_at desc limit 1', tests.id('verified'), tests.id('gig')), 'notices_of_subject')
) as question (name, query, index);

\ir ../finish.sql
