-- Texts that look like advance-fee fraud are reported to the admins and stay visible.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.reports;
end $$;

select is(app.suspicious_words(body), found, coalesce(left(body, 60), 'no text'))
from (values
  ('A refundable deposit of RM 50', '{deposit}'::text[]),
  ('DEPOSITS, and a Registration  Fee', '{deposits,registration fee}'),
  ('Sila buat bayaran' || chr(10) || 'pendahuluan', '{bayaran pendahuluan}'),
  ('yuran pendaftaran RM 20, bayar dulu', '{bayar dulu,yuran pendaftaran}'),
  ('Write to us: https://T.me/Serasi_Jobs now', '{t.me/serasi_jobs}'),
  ('telegram.me/jobs', '{telegram.me/jobs}'),
  ('Pay upfront, or pay first. An up-front fee', '{pay first,pay upfront,up-front fee}'),
  ('an advance payment by Western Union or gift cards', '{advance payment,gift cards,western union}'),
  -- Full-width letters, and an invisible character between two letters.
  (U&'\FF44\FF45\FF50\FF4F\FF53\FF49\FF54', '{deposit}'),
  (U&'dep\200Bosit', '{deposit}'),
  ('We pay RM 500 on the day. No fees. Depositors and the depository are welcome', '{}'),
  ('Payment after the event, first come first served; our site is chat.me and it.me/', '{}'),
  ('Open to creators on Telegram and WhatsApp', '{}'),
  ('', '{}'), (null, '{}')
) as example (body, found);
select is(cardinality(app.suspicious_words((select string_agg('t.me/' || n, ' ') from generate_series(1, 50) as n))), 10, 'at most ten words');
select is(max(length(word)), 60, 'each at most 60 characters') from unnest(app.suspicious_words('t.me/' || repeat('x', 4000))) as word;

-- Runs a statement as the agency.
create function pg_temp.does(act text) returns void language plpgsql as $$
begin
  perform tests.become('agency');
  execute act;
  perform tests.step_down();
end $$;
create function pg_temp.queue() returns setof text language sql as $$
  select concat_ws(' ', kind, title, reason, words, state, reporter_id) from app.reports order by title, words
$$;

select pg_temp.does(format($$insert into gigs (id, agency_id, title, description) values (%L, %L, 'Hosts', 'Send a deposit first')$$, tests.id('fraud'), tests.id('profile of agency'))) \g /dev/null
select results_eq('select pg_temp.queue()', $$values ('gig Hosts words {deposit} open')$$, 'a posted gig is queued');
select is(snapshot ->> 'description', 'Send a deposit first', 'with its text') from app.reports;
select is(owner_id, tests.id('agency'), 'and its owner') from app.report_decisions;
select is(tests.outcome('verified', format('select from gigs where id = %L', tests.id('fraud'))), '1', 'it stays visible');
select is(tests.outcome(person, 'select from reports'), seen, 'the report, as ' || person) from (values ('agency', '0'), ('verified', '0'), ('admin', '1')) as reader (person, seen);
select is_empty('select from app.notices', 'nobody is told');

select pg_temp.does(format($$update gigs set requirements = 'Pay first' where id = %L$$, tests.id('fraud'))) \g /dev/null
select results_eq('select pg_temp.queue()', $$values ('gig Hosts words {deposit} open')$$, 'one open report per text, with the first words');
do $$ begin
  update app.reports set state = 'dismissed', decided_at = now();
end $$;
select pg_temp.does(format($$update gigs set requirements = '', budget = 'RM 5' where id = %L$$, tests.id('fraud'))) \g /dev/null
select results_eq('select pg_temp.queue()', $$values ('gig Hosts words {deposit} dismissed')$$, 'words that were dismissed are not queued again');
select pg_temp.does(format($$update gigs set requirements = 'Pay first' where id = %L$$, tests.id('fraud'))) \g /dev/null
select results_eq('select pg_temp.queue()', $$values ('gig Hosts words {deposit} dismissed'), ('gig Hosts words {deposit,"pay first"} open')$$, 'others are');

select pg_temp.does(format($$insert into gigs (agency_id, title, description) values (%L, 'Dancers', 'Paid on the day')$$, tests.id('profile of agency'))) \g /dev/null
select is((select count(*) from app.reports), 2::bigint, 'an ordinary gig is not queued');
select app.queue_suspicious('gig', tests.id('nobody'), 'deposit') \g /dev/null
select is((select count(*) from app.reports), 2::bigint, 'nor one that is gone');

\ir ../finish.sql
