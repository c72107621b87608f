-- Notifications, and settings for their delivery by e-mail: users can see and change only their own.
\ir ../setup.sql
do $$
begin
  perform tests.people();
  insert into app.notices (id, user_id, kind, subject_id) values
    (tests.id('notification of verified'), tests.id('verified'), 'enquiry_received', tests.id('enquiry')),
    (tests.id('other notification of verified'), tests.id('verified'), 'gig_closed', tests.id('gig of agency')),
    (tests.id('notification of agency'), tests.id('agency'), 'enquiry_answered', tests.id('enquiry'));
  insert into app.notification_settings (user_id, kind, delivery) values (tests.id('verified'), 'gig_closed', 'daily');
  insert into app.digests (user_id, sent_for) values (tests.id('verified'), '2026-01-01');
  insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at)
  values (sha256('token'), tests.id('verified'), 'gig_closed', now() + interval '1 day');
end $$;

copy act (line) from stdin;
NT-1 read
  sql: select * from notifications
  request: GET notifications?select=*&order=created_at.desc,id.desc
  42501: visitor
  0: unapproved, vendor, admin, superadmin
  2/0: verified
  1/0: agency
  3/0: service
NT-1 read another's
  sql: select * from notifications where user_id = {verified}
  42501: visitor
  0: unapproved, agency, vendor, admin, superadmin
  2: verified, service
NT-1 unread ones
  sql: select id from notifications where seen_at is null
  request: GET notifications?select=id&seen_at=is.null
  42501: visitor
  0: unapproved, vendor, admin, superadmin
  2/0: verified
  1/0: agency
  3/0: service
NT-2 mark as seen
  sql: update notifications set seen_at = now() where id = {notification of verified}
  42501: visitor
  0: unapproved, agency, vendor, admin, superadmin
  1: verified, service
NT-3 change one
  sql: update notifications set data = '{"name": "N"}' where user_id = {verified}
  request: PATCH notifications?user_id=eq.{verified}
  body: {"data": {"name": "N"}}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  2/0: service
NT-3 make it look new
  sql: update notifications set created_at = '2026-01-01' where user_id = {verified}
  request: PATCH notifications?user_id=eq.{verified}
  body: {"created_at": "2026-01-01T00:00:00Z"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  2/0: service
NT-4 add one
  sql: insert into notifications (user_id, kind) values ({me}, 'gig_closed')
  request: POST notifications
  body: {"user_id": "{me}", "kind": "gig_closed"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
NT-4 add one for another
  sql: insert into notifications (user_id, kind) values ({agency}, 'gig_closed')
  request: POST notifications
  body: {"user_id": "{agency}", "kind": "gig_closed"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  1: service
NT-5 delete
  sql: delete from notifications where user_id = {verified}
  request: DELETE notifications?user_id=eq.{verified}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  2/0: service
NT-6 see what waits for the digest
  sql: select in_digest from app.notices where user_id = {verified}
  42501: visitor
  0: unapproved, agency, vendor, admin, superadmin
  2: verified, service
NT-6 see the kinds
  sql: select * from serasi.mail_templates
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-6 add a kind
  sql: insert into serasi.mail_templates (template, is_notification) values ('rumour', true)
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-7 tell somebody
  sql: select app.notify({agency}, 'gig_closed', {verified})
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-7 tick
  sql: select app.tick()
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-8 read settings
  sql: select * from notification_settings
  request: GET notification_settings
  42501: visitor
  0: unapproved, agency, vendor, admin, superadmin
  1/0: verified, service
NT-9 choose
  sql: insert into notification_settings (kind, delivery) values ('enquiry_received', 'off')
  request: POST notification_settings
  body: {"kind": "enquiry_received", "delivery": "off"}
  42501: visitor
  1: unapproved, verified, agency, vendor, admin, superadmin
NT-9 choose for oneself by name
  sql: insert into notification_settings (user_id, kind, delivery) values ({me}, 'enquiry_received', 'off')
  request: POST notification_settings
  body: {"user_id": "{me}", "kind": "enquiry_received", "delivery": "off"}
  42501: visitor
  1: unapproved, verified, agency, vendor, admin, superadmin
NT-9 choose for another
  sql: insert into notification_settings (user_id, kind, delivery) values ({agency}, 'enquiry_received', 'off')
  request: POST notification_settings
  body: {"user_id": "{agency}", "kind": "enquiry_received", "delivery": "off"}
  42501: visitor, unapproved, verified, vendor, admin, superadmin
  1: agency, service
NT-9 refuse decisions of admins
  sql: insert into notification_settings (user_id, kind, delivery) values ({me}, 'report_decided', 'off')
  request: POST notification_settings
  body: {"user_id": "{me}", "kind": "report_decided", "delivery": "off"}
  42501: visitor
  23514: unapproved, verified, agency, vendor, admin, superadmin
NT-10 choose again
  sql: update notification_settings set delivery = 'off' where user_id = {verified}
  request: PATCH notification_settings?user_id=eq.{verified}
  body: {"delivery": "off"}
  42501: visitor
  0: unapproved, agency, vendor, admin, superadmin
  1/0: verified, service
NT-10 give a setting away
  sql: update notification_settings set user_id = {agency} where user_id = {verified}
  request: PATCH notification_settings?user_id=eq.{verified}
  body: {"user_id": "{agency}"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  1/0: service
NT-11 take it back
  sql: delete from notification_settings where user_id = {verified}
  request: DELETE notification_settings?user_id=eq.{verified}
  42501: visitor
  0: unapproved, agency, vendor, admin, superadmin
  1/0: verified, service
NT-12 the digests
  sql: select * from app.digests
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-12 forget a digest
  sql: delete from app.digests
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-13 the tokens
  sql: select * from app.unsubscribe_tokens
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-13 add a token
  sql: insert into app.unsubscribe_tokens values ('x', {me}, 'gig_closed', now())
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-13 get a token
  sql: select app.new_unsubscribe_token({verified}, 'gig_closed')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin, service
NT-14 unsubscribe without a token
  sql: select unsubscribe('another')
  request: POST rpc/unsubscribe
  body: {"token": "another"}
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
  PT404/404: service
NT-14 unsubscribe past the wrapper
  sql: select app.unsubscribe('token')
  42501: visitor, unapproved, verified, agency, vendor, admin, superadmin
NT-15 mark all as seen
  sql: select mark_notifications_seen()
  request: POST rpc/mark_notifications_seen
  body: {}
  42501: visitor, service
NT-15 choose several
  sql: select set_notification_delivery('{gig_closed}', 'off')
  request: POST rpc/set_notification_delivery
  body: {"kinds": ["gig_closed"], "delivery": "off"}
  42501: visitor, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Marking as seen.
create function pg_temp.marked(person text, ids uuid[] default null) returns text language sql as $$
  select tests.reads(person, format('select mark_notifications_seen(%L)', ids))
$$;
create function pg_temp.unread() returns text language sql as $$
  select coalesce(string_agg(kind, ' ' order by kind), 'none') from app.notices where seen_at is null
$$;
update app.notices set created_at = created_at - interval '1 minute';
select is(pg_temp.marked('agency', array[tests.id('notification of verified')]), '1', 'NT-15 another''s id changes nothing');
select is(pg_temp.unread(), 'enquiry_answered enquiry_received gig_closed', 'NT-15 all are unread');
select is(pg_temp.marked('verified', array[tests.id('notification of verified'), tests.id('nobody')]), '1', 'NT-15 one by id: another is left');
select is(pg_temp.unread(), 'enquiry_answered gig_closed', 'NT-15 it is seen');
select is(pg_temp.marked('verified', '{}'), '1', 'NT-15 no ids, none');
select is(pg_temp.marked('verified'), '0', 'NT-15 all');
select is(pg_temp.unread(), 'enquiry_answered', 'NT-15 only one''s own');
update app.notices set seen_at = null, created_at = now() + interval '1 second' where id = tests.id('notification of verified');
select is(pg_temp.marked('verified'), '1', 'NT-15 one that arrives meanwhile stays unread');

-- Setting the delivery of several kinds at once.
select is(tests.outcome('verified', $$select set_notification_delivery('{gig_closed,gig_closing,gig_closed}', 'off')$$), '1', 'NT-16 several kinds');
select is(tests.outcome('verified', $$select set_notification_delivery('{gig_closed}', 'weekly')$$), '23514', 'NT-16 an unknown delivery');
select is(tests.outcome('verified', $$select set_notification_delivery('{approved}', 'off')$$), '23514', 'NT-16 an unknown kind');
select tests.become('verified');
select set_notification_delivery('{gig_closed,gig_closing}', 'off');
select tests.step_down();
select set_eq('select user_id::text, kind, delivery from app.notification_settings',
  format('values (%1$L, ''gig_closed'', ''off''), (%1$L, ''gig_closing'', ''off'')', tests.id('verified')), 'NT-16 one''s own only');

\ir ../finish.sql
