-- The jobs of the mail side read a bounded number of rows from an index, however many there are.
\ir ../setup.sql
\ir ../crowd.sql
insert into serasi.mail_outbox (template, recipient, data, created_at, next_attempt_at, sent_at, given_up_at)
select case n % 4 when 0 then 'digest' else 'gig_closed' end, n || '@example.test', '{}', now() - n * interval '1 minute', now() - n * interval '1 minute',
  case when n % 4 = 1 then now() - n * interval '1 minute' end, case when n % 4 = 2 then now() - n * interval '1 minute' end
from generate_series(1, 40000) as n;
insert into auth.mail_allowances select n::text, now() - n * interval '1 second' from generate_series(1, 20000) as n;
insert into auth.sign_in_failures (address_hash, failures, created_at) select n::text, 1, now() - n * interval '1 second' from generate_series(1, 20000) as n;
analyze serasi.mail_outbox, auth.mail_allowances, auth.sign_in_failures;

create temporary table job (name text, query text, index text, role text default 'auth_admin');
insert into job (name, query, index) values
  ('the next mail', 'select id from serasi.mail_outbox where urgency = 0 and sent_at is null and given_up_at is null and next_attempt_at <= now() order by next_attempt_at limit 1 for update skip locked', 'mail_outbox_due'),
  ('mails to be deleted', 'select id from serasi.mail_outbox where (sent_at is not null or given_up_at is not null) and coalesce(sent_at, given_up_at) < now() - interval ''20 days'' order by coalesce(sent_at, given_up_at) limit 1000 for update skip locked', 'mail_outbox_ended'),
  ('mails that failed', 'select from serasi.mail_outbox where given_up_at is not null and urgency between -1 and 0 limit 10000', 'mail_outbox_given_up'),
  ('mails that wait', 'select created_at from serasi.mail_outbox where sent_at is null and given_up_at is null and urgency between -1 and 0 order by urgency, next_attempt_at limit 10000', 'mail_outbox_due'),
  ('used allowances', 'select address_hash from auth.mail_allowances where used_until <= now() order by used_until limit 10 for update skip locked', 'mail_allowances_used_until'),
  ('old wrong passwords', 'select address_hash from auth.sign_in_failures where created_at <= now() order by created_at limit 10 for update skip locked', 'sign_in_failures_created_at');
insert into job select name || ', for the functions', replace(replace(query, 'between -1 and 0', 'between 1 and 2'), 'urgency = 0', 'urgency = 1'), index, 'functions_admin'
from job where query ~ 'serasi.mail_outbox';
insert into job values ('the account of a guest''s mailbox', 'select id from app.profiles where serasi.mailbox_of(email) = ''a@example.test''', 'profiles_mailbox', 'serasi_owner');
select matches(pg_temp.owner_plan(query, role), 'Index (Only )?Scan using ' || index || '|Bitmap Index Scan on ' || index, name) from job;
select doesnt_match(pg_temp.owner_plan(query, role), 'Seq Scan|Sort', name || ': nothing else is read, nothing sorted') from job;

\ir ../finish.sql
