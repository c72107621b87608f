-- The tables of the admin pages are read and counted from an index.
\ir ../setup.sql
\ir ../crowd.sql
do $$ begin
  insert into app.audit_log (created_at, actor_id, actor, action, subject_type, subject_id, subject)
  select now() - n * interval '1 minute', tests.id('moderator ' || n % 10), 'moderator' || n % 10 || '@example.test',
    case when n % 500 = 0 then 'grant_role' else 'approve' end, 'influencer', pg_temp.seed_id('influencers', n), 'Somebody ' || n
  from generate_series(1, 10000) as n;
end $$;
do $$ begin
  insert into serasi.backups (created_at, state, started_at, finished_at)
  select now() - n * interval '1 hour', 'failed', now(), now() from generate_series(1, 5000) as n;
end $$;
-- Reports, most of which are decided.
do $$ begin
  insert into app.reports (kind, subject_id, reporter_id, reason, snapshot, state, created_at, decided_at)
  select (array['influencer', 'agency', 'vendor', 'gig', 'gig'])[1 + n % 5], pg_temp.seed_id('influencers', n), pg_temp.seed_id('influencers', n % 2000 + 1), 'spam',
    '{"title": "Somebody"}', case n % 50 when 0 then 'open' when 1 then 'taken' else 'dismissed' end, now() - n * interval '1 minute', case when n % 50 > 1 then now() end
  from generate_series(1, 20000) as n;
  insert into app.blocked_senders (name, reason, blocker, created_at)
  select 'Somebody', 'Spam', 'admin@example.test', now() - n * interval '1 hour' from generate_series(1, 2000) as n;
end $$;
analyze app.reports, app.report_decisions, app.blocked_senders;
analyze serasi.backups, app.audit_log, app.profiles, app.user_roles;

create temporary table list (name text, person text, query text, index text);
insert into list values
  ('pending influencers by name', 'admin', 'select id, name from influencers where not approved order by name, id limit 50', 'influencers_by_name|influencers_newest_pending'),
  ('influencers by name', 'admin', 'select id, name from influencers where approved order by name, id limit 50', 'influencers_by_name'),
  ('agencies by name', 'admin', 'select id, name from agencies order by name, id limit 50', 'agencies_by_name'),
  ('vendors by name', 'admin', 'select id, name from vendors order by name, id limit 50', 'vendors_by_name'),
  ('agencies by name, descending', 'admin', 'select id, name from agencies order by name desc, id desc limit 50', 'agencies_by_name'),
  ('the log', 'superadmin', 'select * from audit_log order by created_at desc, id desc limit 50', 'audit_log_newest'),
  ('the log of one actor', 'superadmin', format('select * from audit_log where actor_id = %L order by created_at desc, id desc limit 50', tests.id('moderator 3')), 'audit_log_newest'),
  ('the log of a rare action', 'superadmin', 'select * from audit_log where action = ''grant_role'' order by created_at desc, id desc limit 50', 'audit_log_newest_of_action'),
  ('the log of one subject', 'superadmin', format('select * from audit_log where subject_id = %L order by created_at desc, id desc limit 50', pg_temp.seed_id('influencers', 7)), 'audit_log_newest_of_subject'),
  ('the queue of reports', 'admin', 'select id, title from reports where state = ''open'' order by created_at, id limit 50', 'reports_of_(state|kind)'),
  ('decided reports', 'admin', 'select id, title from reports where state = ''dismissed'' order by created_at, id limit 50', 'reports_of_state'),
  ('the queue of one kind', 'admin', 'select id, title from reports where state = ''open'' and kind = ''agency'' order by created_at, id limit 50', 'reports_of_kind'),
  ('a later page of the queue', 'admin', $$
    select id, title from reports where state = 'open' and created_at >= now() - interval '9 days'
      and (created_at > now() - interval '9 days' or (created_at = now() - interval '9 days' and id > gen_random_uuid()))
    order by created_at, id limit 50$$, 'reports_of_(state|kind)'),
  ('the queue with its takers', 'admin', $$
    select reports.id, to_jsonb(desk.*) from reports left join lateral (
      select report_decisions.taker from report_decisions where report_decisions.report_id = reports.id) as desk on true
    where reports.state = 'taken' order by reports.created_at, reports.id limit 50$$, 'report_decisions_pkey'),
  ('the reports about one subject', 'admin', format('select id, state from reports where subject_id = %L and kind = ''gig'' order by created_at desc, id desc limit 20', pg_temp.seed_id('influencers', 8)), 'reports_of_subject'),
  ('own reports about one subject', 'vendor', format('select id, state from reports where reporter_id = %L and subject_id = %L and kind = ''gig''', tests.id('vendor'), pg_temp.seed_id('influencers', 8)), 'reports_(of_subject|of_reporter|one_open)'),
  ('blocked senders', 'admin', 'select * from blocked_senders order by created_at desc, id desc limit 50', 'blocked_senders_newest'),
  ('the backups', 'superadmin', 'select * from backups order by created_at desc, id desc limit 20', 'backups_newest'),
  ('accounts by e-mail', 'admin', 'select id from profiles where email ilike ''%cer4321@%''', 'profiles_search'),
  ('influencers by e-mail', 'admin', $$
    select influencers.id, to_jsonb(account.*) from influencers join lateral (
      select profiles.email from profiles where profiles.id = influencers.user_id and profiles.email ilike '%cer4321@%') as account on true
    where influencers.approved order by influencers.created_at desc, influencers.id desc limit 50$$, 'profiles_search'),
  ('agencies by e-mail', 'admin', 'select id from agencies where email ilike ''%teratai77%'' order by created_at desc, id desc limit 50', 'agencies_email_search'),
  ('the log by text', 'superadmin', 'select * from audit_log where subject ilike ''%body 7654%'' or actor ilike ''%body 7654%'' order by created_at desc, id desc limit 50', 'audit_log_search');

select matches(pg_temp.plan(person, query), index, name) from list;
-- The address of a blocked account is looked up for each row of a page: a view with a join would refuse writes with another error.
select doesnt_match(pg_temp.plan(person, query), case name when 'blocked senders' then 'Seq Scan' else 'Seq Scan|SubPlan' end, name || ': nothing per row') from list;
select doesnt_match(pg_temp.plan('admin', 'select count(*) from influencers where not approved'), 'Seq Scan|SubPlan', 'the count of pending influencers');
select doesnt_match(pg_temp.plan('admin', 'select * from moderation_counts'), 'SubPlan', 'the counts of the tabs: no subplan');

\ir ../finish.sql
