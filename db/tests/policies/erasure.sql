-- After accounts were deleted, nothing in the database tells of them: every column of every table is searched.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from app.notices;
  delete from serasi.mail_outbox;
  update auth.users set email_confirmed_at = now();
end $$;

-- Three people who will leave. What must be gone begins with 'Zarq', is one of their addresses, numbers or ids, or a hash of one.
create temporary table mark (who text, what text);
do $$ begin
  perform tests.influencer('zarq creator', true, 'gold');
  perform tests.agency('zarq agency');
  perform tests.sign_up('zarq admin', '{}', '{"marketplace_role": "admin"}');
  update app.influencers set name = 'Zarq Creator', bio = 'Zarq is my name', website_link = 'https://zarq.test/x' where user_id = tests.id('zarq creator');
  update app.agencies set name = 'Zarq Agency', company_name = 'Zarq Sdn Bhd', email = 'contact@zarq.test', phone = '+60 3-5550199' where user_id = tests.id('zarq agency');
  update app.gigs set title = 'Zarq gig', description = 'Call +60 3-5550199 about Zarq' where id = tests.id('gig of zarq agency');
  update auth.users set email_confirmed_at = now();
  update auth.users set raw_user_meta_data = raw_user_meta_data || '{"full_name": "Zarq"}', phone = '60127654321' where id = tests.id('zarq creator');
  insert into auth.users (id, email) values (tests.id('bystander'), 'bystander@example.test');
  insert into mark select person, what from unnest('{zarq creator,zarq agency,zarq admin}'::text[]) as person
    cross join lateral unnest(array[tests.id(person)::text, tests.id('profile of ' || person)::text, replace(person, ' ', '.') || '@example.test', tests.id('account of ' || person)::text]) as what;
  insert into mark values ('zarq creator', '127654321'), ('zarq creator', '12-765'), ('zarq agency', '5550199'), ('zarq agency', 'contact@zarq.test'), ('everyone', 'zarq'),
    ('zarq agency', '203.0.113.77'), ('everyone', 'zarq.guest@example.test');
  insert into mark select who, encode(sha256(convert_to(prefix || what, 'UTF8')), 'hex') from mark cross join unnest(array['', 'guest ']) as prefix;
  insert into mark select who, encode(sha256(convert_to(what || '/32', 'UTF8')), 'hex') from mark where what = '203.0.113.77';
  insert into mark select who, encode(convert_to(what, 'UTF8'), 'hex') from mark where what ~ '@';
end $$;

create function pg_temp.as_person(person text, act text) returns text language plpgsql as $$
declare
  answer text;
begin
  perform tests.become(person);
  execute act into answer;
  perform tests.step_down();
  return answer;
end $$;
create function pg_temp.do_as(person text, act text) returns void language plpgsql as $$
begin
  perform tests.become(person);
  execute act;
  perform tests.step_down();
end $$;

-- Enquiries to and from them, also as a guest with the agency's address.
select public.send_enquiries(tests.id('agency'), '198.51.100.1', array[tests.id('profile of zarq creator')], 'Two reels', 'Would you show our new menu?') -> 'enquiries' -> 0 ->> 'id' as received \gset
select public.send_enquiries(tests.id('vendor'), '198.51.100.1', array[tests.id('profile of zarq creator')], 'A story', 'Would you show our new menu?') -> 'enquiries' -> 0 ->> 'id' as waiting \gset
select public.send_enquiries(tests.id('zarq agency'), '203.0.113.77', array[tests.id('profile of approved')], 'Zarq reel', 'Call Zarq: +60 3-5550199, please.', company => 'Zarq Sdn Bhd') -> 'enquiries' -> 0 ->> 'id' as sent \gset
select public.send_enquiries(tests.id('zarq agency'), '203.0.113.77', array[tests.id('profile of verified')], 'Zarq story', 'Call Zarq: +60 3-5550199, please.') -> 'enquiries' -> 0 ->> 'id' as unanswered \gset
select public.send_enquiries(null, '203.0.113.77', array[tests.id('profile of approved')], 'Zarq as a guest', 'Call Zarq: +60 3-5550199, please.', name => 'Zarq', email => 'zarq.agency@example.test') -> 'enquiries' -> 0 ->> 'id' as as_guest \gset
select public.send_enquiries(null, '198.51.100.2', array[tests.id('profile of zarq creator')], 'From a guest', 'Would you show our new menu?', name => 'Ana', email => 'ana@example.test') -> 'enquiries' -> 0 ->> 'id' as of_guest \gset
do $$ begin
  update app.enquiries set state = 'open', opened_at = now() where state = 'unconfirmed' and sender_name in ('Ana', 'Zarq');
  perform app.tell_of_brief(brief_id) from app.enquiries where state = 'open' and sender_name in ('Ana', 'Zarq');
end $$;
select pg_temp.as_person('zarq creator', format('select answer_enquiry(%L, true, ''Call Zarq: +60 12-7654321'')', :'received')) \g /dev/null
select pg_temp.as_person('zarq creator', format('select answer_enquiry(%L, false, ''Zarq has no time'')', :'of_guest')) \g /dev/null
select pg_temp.as_person('approved', format('select answer_enquiry(%L, true)', :'sent')) \g /dev/null
select pg_temp.as_person('approved', format('select answer_enquiry(%L, true)', :'as_guest')) \g /dev/null

-- Applications, work and reviews.
do $$ begin
  perform pg_temp.do_as('zarq creator', format('insert into gig_applications (gig_id, pitch) values (%L, ''Zarq films and cuts reels.'')', tests.id('gig of agency')));
  perform pg_temp.do_as('zarq creator', format('insert into gig_applications (gig_id, pitch) values (%L, ''Zarq films and cuts reels.'')', tests.id('gig of other agency')));
  perform pg_temp.do_as('verified', format('insert into gig_applications (gig_id, pitch) values (%L, ''I film and cut reels every day.'')', tests.id('gig of zarq agency')));
  update app.gig_applications set digested_at = now();
  perform pg_temp.as_person('zarq creator', format('select withdraw_application(%L)', (select id from app.gig_applications where gig_id = tests.id('gig of other agency') and influencer_id = tests.id('profile of zarq creator'))));
  perform pg_temp.as_person('agency', format('select decide_application(%L, ''shortlisted'')', (select id from app.gig_applications where gig_id = tests.id('gig of agency') and influencer_id = tests.id('profile of zarq creator'))));
  perform pg_temp.as_person('agency', format('select decide_application(%L, ''accepted'')', (select id from app.gig_applications where gig_id = tests.id('gig of agency') and influencer_id = tests.id('profile of zarq creator'))));
  perform pg_temp.as_person('zarq agency', format('select decide_application(%L, ''shortlisted'')', (select id from app.gig_applications where gig_id = tests.id('gig of zarq agency'))));
  perform pg_temp.as_person('zarq agency', format('select decide_application(%L, ''accepted'')', (select id from app.gig_applications where gig_id = tests.id('gig of zarq agency'))));
  perform pg_temp.as_person('zarq creator', format('select cancel_collaboration(%L, ''Zarq is ill: 12-7654321'')', id)) from app.collaborations where source = 'application' and influencer_id = tests.id('profile of zarq creator');
  perform tests.collaboration('shared work', 'zarq creator', 'agency', 'completed');
  perform tests.collaboration('work for zarq', 'verified', 'zarq agency', 'completed');
  update app.collaborations set title = 'Zarq gig' where id = tests.id('work for zarq');
  perform pg_temp.do_as(who, format('insert into reviews (collaboration_id, rating, text) values (%L, 4, ''It was good to work together.'')', tests.id(work)))
  from (values ('zarq creator', 'shared work'), ('agency', 'shared work'), ('verified', 'work for zarq'), ('zarq agency', 'work for zarq')) as written (who, work);
  perform pg_temp.as_person('zarq creator', format('select reply_to_review(%L, ''Thank you, Zarq'')', (select id from app.reviews where collaboration_id = tests.id('shared work') and side = 'client')));
  insert into app.favorites (user_id, influencer_id) values (tests.id('zarq agency'), tests.id('profile of approved')), (tests.id('bystander'), tests.id('profile of zarq creator'));
  insert into app.newsletter_subscriptions (email) values ('zarq.agency@example.test');
  insert into serasi.mail_outbox (template, recipient, sent_at) values ('approved', 'zarq.creator@example.test', now());
end $$;

-- Reports about them and from them, decided by the admin who leaves, who also blocks the agency.
do $$ begin
  perform pg_temp.do_as('vendor', format('insert into reports (kind, subject_id, reason, text) values (%L, %L, ''other'', ''Is this real?'')', kind, subject)) from (values
    ('influencer', tests.id('profile of zarq creator')), ('agency', tests.id('profile of zarq agency')), ('review', (select id from app.reviews where collaboration_id = tests.id('shared work') and side = 'client'))) as told (kind, subject);
  perform pg_temp.do_as('verified', format('insert into reports (kind, subject_id, reason) values (''gig'', %L, ''scam'')', tests.id('gig of zarq agency')));
  perform pg_temp.do_as('approved', format('insert into reports (kind, subject_id, reason) values (''enquiry'', %L, ''scam'')', (select id from app.enquiries where sender_user_id = tests.id('zarq agency') and influencer_id = tests.id('profile of approved') limit 1)));
  perform pg_temp.do_as('zarq creator', format('insert into reports (kind, subject_id, reason, text) values (''vendor'', %L, ''other'', ''They owe Zarq money'')', tests.id('profile of vendor')));
  perform pg_temp.as_person('zarq admin', format('select decide_report(%L, ''taken'')', id)) from app.reports where state = 'open' and kind <> 'review';
  perform pg_temp.as_person('zarq admin', format('select decide_report(%L, ''upheld'', ''Asks for money'', %L)', id, case kind when 'gig' then '{close_gig,block_sender}' else '{}' end)) from app.reports where state = 'taken' and kind in ('gig', 'enquiry', 'influencer');
  perform pg_temp.do_as('zarq admin', format('update influencers set badge_type = ''blue'' where user_id = %L', tests.id('approved')));
  perform pg_temp.do_as('admin', format('update influencers set badge_type = ''blue'' where user_id = %L', tests.id('zarq creator')));
  insert into serasi.backups (requested_by, state) values (tests.id('zarq admin'), 'requested');
end $$;

-- A digest that waits.
do $$ begin
  update app.notices set in_digest = true, created_at = now() - interval '2 days' where user_id = tests.id('agency');
  perform app.send_digest(tests.id('agency'), current_date, now());
end $$;
select matches((select data::text from serasi.mail_outbox where template = 'digest'), 'Zarq', 'ER-1 a digest names one of them');

-- Sessions, tokens and files.
do $$ begin
  insert into auth.sessions (id, user_id, ip, user_agent) values (tests.id('zarq session'), tests.id('zarq creator'), '203.0.113.77', 'Zarq');
  insert into auth.refresh_tokens (session_id, token_hash) values (tests.id('zarq session'), 'zarq');
  insert into auth.identities (user_id, provider_id, provider, identity_data) values (tests.id('zarq creator'), tests.id('zarq creator'), 'email', '{"email": "zarq.creator@example.test"}');
  insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values (tests.id('zarq creator'), 'recovery_token', 'hash', 'zarq.creator@example.test');
  insert into storage.objects (bucket_id, name, owner, owner_id, metadata) select 'images', tests.id(person) || '/' || file, tests.id(person), tests.id(person), '{"eTag": "zarq"}'
  from unnest('{zarq creator,zarq agency,zarq admin}'::text[]) as person cross join unnest('{profile-1.webp,notes.webp}'::text[]) as file;
end $$;

-- Where the marks are: table, column and mark.
create function pg_temp.found() returns setof text language plpgsql as $$
declare
  field record;
begin
  for field in
    select format('%I.%I', nspname, relname) as relation, attname from pg_attribute
    join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname not in ('pg_catalog', 'information_schema', 'tap', 'tests') and nspname !~ '^pg_(temp|toast)' and relkind in ('r', 'p', 'm') and attnum > 0 and not attisdropped
  loop
    return query execute format('select distinct %L || '': '' || what from %s as searched, pg_temp.mark where strpos(lower(searched.%I::text), lower(what)) > 0', field.relation || '.' || field.attname, field.relation, field.attname);
  end loop;
end $$;

select cmp_ok((select count(distinct split_part(found, ':', 1)) from pg_temp.found() as found), '>', 60::bigint, 'ER-1 the search finds them in many columns before');

-- Deleting only the profiles: the accounts keep their own rows, and others' copies lose the name and the phone number.
savepoint profiles;
do $$ begin
  perform pg_temp.do_as('admin', format('delete from influencers where user_id = %L', tests.id('zarq creator')));
  perform pg_temp.do_as('admin', format('delete from agencies where user_id = %L', tests.id('zarq agency')));
end $$;
select app.tick() \g /dev/null
select is_empty($$select data from app.notices where user_id not in (tests.id('zarq creator'), tests.id('zarq agency'))
  and data::text ~* 'zarq (agency|creator)|sdn bhd|127654321|12-765'$$, 'ER-9 others'' notifications forget a deleted profile');
select is_empty($$select from serasi.mail_outbox where recipient !~ '^zarq' and data::text ~* 'zarq (agency|creator)|sdn bhd|12-765'$$, 'ER-9 and their waiting e-mails');
select is_empty($$select from app.enquiries where concat(sender_name, sender_company, answer, reason) ~* 'zarq (agency|creator)|sdn bhd|12-765'
  or (sender_user_id = tests.id('zarq agency') and sender_name <> 'An agency')$$, 'ER-9 and enquiries');
select is_empty($$select from app.reports where snapshot::text ~* 'zarq (agency|creator)|sdn bhd|5550199' and kind <> 'enquiry'$$, 'ER-9 and reports');
select is_empty($$select from app.gig_applications where concat(pitch, gig_title) ~* 'zarq'$$, 'ER-9 and applications');
rollback to profiles;

-- The first is deleted by the auth service, the second by a soft delete, the third in SQL.
do $$ begin
  set local role auth_admin;
  delete from auth.users where id = tests.id('zarq creator');
  delete from auth.identities where user_id = tests.id('zarq agency');
  update auth.users set email = null, deleted_at = now(), raw_user_meta_data = '{}', raw_app_meta_data = '{}' where id = tests.id('zarq agency');
  set local role none;
  delete from auth.users where id = tests.id('zarq admin');
end $$;
select app.tick() \g /dev/null

-- The storage service removes what is queued.
select is((select count(*) from storage.objects join storage.removals using (bucket_id, name)), 6::bigint, 'ER-2 all images are queued');
do $$ begin
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects using storage.removals where removals.name = objects.name;
  delete from storage.removals;
end $$;

select set_eq('select pg_temp.found()', format($$values ('auth.users.id: ' || %L)$$, tests.id('zarq agency')), 'ER-3 nothing tells of them, but the id that a soft delete keeps');
select is_empty('select from app.erasures', 'ER-3 nothing is left to do');

-- What somebody else has under the same address stays: it was never proved, or is from after the deletion.
do $$ begin
  insert into auth.users (id, email, email_confirmed_at, email_unproved, new_email)
  values (tests.id('impostor'), 'owner@example.test', now(), true, 'other@example.test');
  insert into app.newsletter_subscriptions (email) values ('owner@example.test'), ('again@example.test');
  insert into serasi.mail_outbox (template, recipient, data) values ('recovery', 'other@example.test', '{}');
  delete from auth.users where id = tests.id('impostor');
  insert into app.erasures (account, subject_id, address, proved, created_at)
  select account, account, 'again@example.test', true, now() - interval '1 second' from (values (tests.id('earlier'))) as deleted (account);
end $$;
select app.tick() \g /dev/null
select set_eq($$select email from app.newsletter_subscriptions where email ~ '^(owner|again)@'$$, '{owner@example.test,again@example.test}'::text[], 'ER-10 the newsletter');
select isnt_empty($$select from serasi.mail_outbox where recipient = 'other@example.test'$$, 'ER-10 a waiting e-mail');

-- What the others keep.
select is(tests.reads('agency', format('select concat_ws(''|'', state, sender_name, deliverables, answer) from enquiries where id = %L', :'received')), 'accepted|Agency|Two reels', 'ER-4 the sender keeps its own texts');
select is(tests.reads('approved', format('select concat_ws(''|'', state, sender_name, deliverables, message) from enquiries where id = %L', :'sent')), 'accepted|Former member|Removed|The text of a former member was removed.', 'ER-4 the recipient keeps a former member''s enquiry');
select is(tests.reads('verified', 'select string_agg(concat_ws(''|'', state, gig_title, pitch), '','') from gig_applications where gig_id is null and pitch ~ ''^I film'''), 'accepted|A gig|I film and cut reels every day.', 'ER-4 the applicant keeps its application');
select is(tests.reads('agency', format('select text from reviews where collaboration_id = %L and side = ''client''', tests.id('shared work'))), 'It was good to work together.', 'ER-5 an author keeps a review of a former member');
select is(tests.reads('agency', format('select text from reviews where collaboration_id = %L and side = ''influencer''', tests.id('shared work'))), 'It was good to work together.', 'ER-5 and the subject one by a former member');
select is(tests.reads('visitor', format('select count(*) from reviews where collaboration_id = %L and side = ''client''', tests.id('shared work'))), '0', 'ER-5 which nobody else sees');
select is(tests.reads('agency', format('select data ->> ''name'' from notifications where kind = ''enquiry_answered'' and data ->> ''path'' = %L', '/enquiries/' || :'received')), 'Former member', 'ER-6 notifications say so');
select is((select count(*) from app.audit_log where actor = 'Former member' and actor_id = app.pseudonym(tests.id('zarq admin'))), (select count(*) from app.audit_log where actor_id is not null and actor_id <> tests.id('admin')), 'ER-7 the log keeps what the admin did, under one pseudonym');
select ok(app.is_blocked_address('zarq.agency@example.test'), 'ER-8 a blocked address stays blocked');
select ok(app.is_blocked_address('zarq.agency+again@example.test'), 'ER-8 in another spelling, too');
\ir ../finish.sql
