-- The notice and the mail of an approval are written once, in the transaction of the approval.
\ir ../setup.sql
do $$
begin
  perform tests.people();
  perform tests.become('admin');
  update influencers set approved = true where id = tests.id('profile of unapproved');
  perform tests.step_down();
end $$;

copy act (line) from stdin;
NO-1 read
  sql: select * from notices
  42501: visitor
  1: unapproved, service
  0: verified, agency, vendor, admin, superadmin
NO-1 read over HTTP
  request: GET notices
  /401: visitor
  /0: unapproved, verified, agency, vendor, admin, superadmin, service
NO-1 read another's
  sql: select * from notices where user_id = {unapproved}
  42501: visitor
  1: unapproved, service
  0: verified, agency, vendor, admin, superadmin
NO-2 mark as seen
  sql: update notices set seen_at = now() where user_id = {unapproved}
  42501: visitor
  1: unapproved, service
  0: verified, agency, vendor, admin, superadmin
NO-2 mark all as seen
  sql: update app.notices set seen_at = now()
  42501: visitor
  1: unapproved, service
  0: verified, agency, vendor, admin, superadmin
NO-3 change a notice
  sql: update notices set kind = 'approved' where user_id = {unapproved}
  request: PATCH notices?user_id=eq.{unapproved}
  body: {"kind": "approved"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
NO-3 reassign a notice
  sql: update notices set user_id = {verified} where user_id = {unapproved}
  request: PATCH notices?user_id=eq.{unapproved}
  body: {"user_id": "{verified}"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  1/0: service
NO-4 create a notice
  sql: insert into notices (user_id, kind) values ({me}, 'approved')
  request: POST notices
  body: {"user_id": "{me}", "kind": "approved"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
NO-4 create a notice for another
  sql: insert into notices (user_id, kind) values ({approved}, 'approved')
  request: POST notices
  body: {"user_id": "{approved}", "kind": "approved"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  1: service
NO-5 delete
  sql: delete from notices where user_id = {unapproved}
  request: DELETE notices?user_id=eq.{unapproved}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  1/0: service
MO-1 the outbox
  sql: select * from serasi.mail_outbox
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
MO-2 queue a mail
  sql: insert into serasi.mail_outbox (template, recipient) values ('approved', 'a@example.test')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
MO-3 delete a queued mail
  sql: delete from serasi.mail_outbox
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

select results_eq('select user_id, kind, seen_at from app.notices', format('values (%L::uuid, ''approved'', null::timestamptz)', tests.id('unapproved')), 'NO-6 one notice');
select results_eq('select template, recipient, data, attempts, sent_at from serasi.mail_outbox',
  format('values (''approved'', ''unapproved@example.test'', ''{"name": "Unapproved", "profile_id": "%s"}''::jsonb, 0, null::timestamptz)', tests.id('profile of unapproved')),
  'MO-4 one mail');

select tests.become('superadmin');
update influencers set approved = true, badge_type = 'gold' where id = tests.id('profile of unapproved');
update influencers set badge_type = 'gold' where id = tests.id('profile of other unapproved');
select tests.step_down();
select is((select count(*) from app.notices) || ' ' || (select count(*) from serasi.mail_outbox), '1 1', 'NO-7 no notice or mail for approving again, or for a badge');

-- The auth service adds its own mails and delivers them, but can't redirect one to another recipient.
select is(tests.outcome('auth service', act), wanted, 'MO-6 the auth service: ' || act)
from (values
  ('insert into serasi.mail_outbox (template, recipient, data) values (''recovery'', ''a@example.test'', ''{"code": "123456"}'')', '1'),
  ('insert into serasi.mail_outbox (template, recipient, sent_at) values (''recovery'', ''a@example.test'', now())', '42501'),
  ('select recipient, data from serasi.mail_outbox where sent_at is null for update skip locked', '1'),
  ('update serasi.mail_outbox set attempts = attempts + 1, next_attempt_at = now() + interval ''2 min''', '1'),
  ('update serasi.mail_outbox set sent_at = now(), data = ''{}''', '1'),
  ('update serasi.mail_outbox set given_up_at = now(), data = ''{}'', last_error = ''550''', '1'),
  ('delete from serasi.mail_outbox', '1'),
  ('update serasi.mail_outbox set recipient = ''thief@example.test''', '42501'),
  ('update serasi.mail_outbox set template = ''recovery''', '42501'),
  ('update serasi.mail_outbox set created_at = now()', '42501'),
  ('select * from app.notices', '42501'),
  ('select * from app.influencers', '42501')) as acts (act, wanted);

-- If the mail can't be written, the approval fails and no notice is written.
create function pg_temp.fail() returns trigger language plpgsql as $$ begin raise exception 'no paper'; end $$;
create trigger fail before insert on serasi.mail_outbox for each row execute function pg_temp.fail();
select tests.become('admin');
select throws_ok(format('update influencers set approved = true where id = %L', tests.id('profile of other unapproved')), 'no paper', 'MO-5 an approval fails if its mail can''t be written');
select tests.step_down();
select is((select approved from app.influencers where user_id = tests.id('other unapproved')), false, 'MO-5 the profile stays unapproved');
select is((select count(*) from app.notices), 1::bigint, 'MO-5 no notice is written');

-- Users without an e-mail address only get the notice on the dashboard.
drop trigger fail on serasi.mail_outbox;
update app.profiles set email = null where id = tests.id('other unapproved');
select tests.become('admin');
select lives_ok(format('update influencers set approved = true where id = %L', tests.id('profile of other unapproved')), 'MO-5 approving an account without an address succeeds');
select tests.step_down();
select is((select count(*) from app.notices where user_id = tests.id('other unapproved')), 1::bigint, 'MO-5 it gets a notice');
select is((select count(*) from serasi.mail_outbox where data ->> 'profile_id' = tests.id('profile of other unapproved')::text), 0::bigint, 'MO-5 it gets no mail');

\ir ../finish.sql
