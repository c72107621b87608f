-- Functions and scheduled work read no growing table from its beginning to its end: with sequential scans switched off,
-- PostgreSQL counts one only where no index could be used.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  insert into app.enquiry_briefs (id, sender_key, guest_email) values (tests.id('brief of reviewer'), 'reviewer', 'mei@example.test');
  insert into app.enquiries (brief_id, influencer_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, collaboration_id)
  select tests.id('brief of reviewer'), influencer_id, 'reviewer', 'Mei', 'A reel', 'Would you show our new menu?', 'accepted', now(), now(), id
  from app.collaborations where id = tests.id('guest work');
end $$;
set local enable_seqscan = off;

-- The tables that a statement of this person reads sequentially. Tables of a few rows don't count.
create function pg_temp.scanned(person text, statement text) returns text language plpgsql as $$
declare
  before constant jsonb := (select jsonb_object_agg(relid, seq_scan) from pg_stat_xact_user_tables);
begin
  perform tests.become(person);
  execute statement;
  perform tests.step_down();
  return coalesce(string_agg(schemaname || '.' || relname, ', '), 'none')
  from pg_stat_xact_user_tables
  where schemaname in ('app', 'serasi', 'auth', 'storage') and relname not in ('settings', 'hash_key', 'buckets', 'backups', 'system_reports')
    and seq_scan > coalesce((before ->> relid::text)::bigint, 0);
end $$;

select is(pg_temp.scanned('service', 'set local role postgres; select ' || oid::regproc || '()'), 'none', oid::regproc || '()')
from pg_proc where pronamespace in ('app'::regnamespace, 'serasi'::regnamespace) and proname ~ '^tick_' and pronargs = pronargdefaults;
select is(pg_temp.scanned(person, statement), 'none', statement || ', as ' || person) from (values
  ('visitor', 'select review_as_guest(''token of the reviewer'', 5, ''It was good to work together.'')'),
  ('visitor', 'select guest_collaboration(''token of the reviewer'')'),
  ('visitor', 'select guest_enquiry(''token of the guest'')'),
  ('visitor', 'select confirm_enquiry(''token of the guest'')'),
  ('visitor', 'select search_close_influencers(''kavtha lahat'')'),
  ('visitor', 'select featured_influencers()'),
  ('agency', 'select * from collaborations'),
  ('approved', format('select answer_enquiry(%L, true)', tests.id('enquiry of agency'))),
  ('approved', format('select complete_collaboration(%L)', tests.id('work'))),
  ('agency', format('insert into reviews (collaboration_id, rating, text) values (%L, 5, ''It was good to work together.'')', tests.id('done')))
) as call (person, statement);


\ir ../finish.sql
