-- Keys, references and required values of all tables. shapes.sql tests the other check constraints, limits.sql the limits on
-- user input.
\ir ../setup.sql
\ir ../one_row_each.sql

-- References to missing rows, where other rules come first.
insert into rule values
  ('profiles_id_fkey', 'insert into app.profiles (id) values ({nobody})'),
  ('gig_applications_collaboration_id_fkey', 'update app.gig_applications set state = ''accepted'', decided_at = now(), collaboration_id = {nobody}'),
  ('enquiries_collaboration_id_fkey', 'update app.enquiries set state = ''accepted'', opened_at = now(), answered_at = now(), collaboration_id = {nobody} where id = {enquiry of agency}');

-- Duplicates.
insert into rule values
  ('blocked_senders_pkey', 'insert into app.blocked_senders (id, name, reason, blocker) values ({block}, ''x'', ''x'', ''x'')'),
  ('enquiries_pkey', 'insert into app.enquiries (id, brief_id, sender_key, deliverables, message, state) values ({enquiry of agency}, {brief of agency}, ''x'', ''A reel'', ''A message of twenty.'', ''unconfirmed'')'),
  ('enquiries_collaboration_id_key', 'update app.enquiries set state = ''accepted'', opened_at = now(), answered_at = now(), collaboration_id = {work}'),
  ('mail_outbox_pkey', 'insert into serasi.mail_outbox (id, template, recipient, data) select {nobody}, ''approved'', ''a@example.test'', ''{}'' from generate_series(1, 2)'),
  ('report_decisions_pkey', 'insert into app.report_decisions (report_id) values ({report})'),
  ('gig_applications_pkey', 'insert into app.gig_applications (id, gig_id, influencer_id, pitch) values ({application of approved}, {gig of agency}, {profile of verified}, repeat(''x'', 20))'),
  ('gig_applications_gig_id_influencer_id_key', 'insert into app.gig_applications (gig_id, influencer_id, pitch) values ({gig of agency}, {profile of approved}, repeat(''x'', 20))'),
  ('gig_applications_collaboration_id_key', 'with one as (insert into app.collaborations (source, title) values (''application'', ''T'') returning id)
    insert into app.gig_applications (collaboration_id, state, decided_at, pitch) select id, ''accepted'', now(), repeat(''x'', 20) from one cross join generate_series(1, 2)'),
  ('influencers_user_id_key', 'insert into app.influencers (user_id, name, username, category) values ({approved}, ''N'', ''n'', ''Tech'')'),
  ('influencers_username_key', 'insert into app.influencers (user_id, name, username, category) values ({new influencer}, ''N'', ''APPROVED'', ''Tech'')'),
  ('agencies_user_id_key', 'insert into app.agencies (user_id, name, email) values ({agency}, ''N'', ''n@example.test'')'),
  ('vendors_user_id_key', 'insert into app.vendors (user_id, name, email) values ({vendor}, ''N'', ''n@example.test'')'),
  ('users_phone_key', 'insert into auth.users (phone) values (''60123456789''), (''60123456789'')'),
  ('users_email_key', 'insert into auth.users (email) values (''agency@example.test'')'),
  ('identities_provider_key', 'insert into auth.identities (user_id, provider_id, provider, identity_data) values ({vendor}, ''1'', ''email'', ''{}'')'),
  ('refresh_tokens_token_hash_key', 'insert into auth.refresh_tokens (session_id, token_hash) values ({session}, ''first'')'),
  ('flow_state_auth_code_hash_key', 'insert into auth.flow_state (user_id, authentication_method, code_challenge, code_challenge_method, auth_code_hash, auth_code_issued_at) values ({agency}, ''recovery'', repeat(''c'', 43), ''s256'', ''code'', now())'),
  ('one_time_tokens_user_type_key', 'insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values ({agency}, ''recovery_token'', ''other'', ''x'')'),
  ('buckets_name_key', 'insert into storage.buckets (id, name) values (''other'', ''images'')'),
  ('objects_bucket_name_key', 'insert into storage.objects (bucket_id, name) values (''images'', ''a/b.webp'')');

-- Required columns of the audit log, tested by inserting, because the log is append-only.
insert into rule
select field, format('insert into app.audit_log (actor, action, subject_type, subject_id, details, created_at) values (%s)', string_agg(
  case other when field then 'null' else value end, ', ' order by place))
from unnest(array['actor', 'action', 'subject_type', 'subject_id', 'details', 'created_at']) as field
cross join (values (1, 'actor', '''A'''), (2, 'action', '''approve'''), (3, 'subject_type', '''agency'''), (4, 'subject_id', '{agency}'),
  (5, 'details', '''{}'''), (6, 'created_at', 'now()')) as given (place, other, value)
group by field;

-- What db/schema.snapshot says of all other columns.
\ir ../declared.sql
insert into rule
select field, format('update %s set %s = null', relation, field) from declared_column
where line ~ ' not null' and line !~ ' generated ' and relation <> 'app.audit_log';
insert into rule
select name, format('update %1$s set %2$s = %3$s where ctid = (select min(ctid) from %1$s)', relation, field, case kind when 'uuid' then '{nobody}' when 'bigint' then '-1' else '''nowhere''' end)
from declared_constraint
cross join lateral (select substring(line from 'FOREIGN KEY \((\w+)\)')) as reference (field) join declared_column using (relation, field)
where name not in (select refusing from rule) and relation <> 'app.audit_log';

select is(pg_temp.refused_by(statement), refusing, statement) from rule;

-- Changing an ID updates the references to it.
update app.agencies set id = tests.id('moved') where user_id = tests.id('agency');
select is(count(*), 1::bigint, 'gigs follow a changed agency id') from app.gigs where agency_id = tests.id('moved');
update app.influencers set id = tests.id('moved') where user_id = tests.id('approved');
select is(count(*), 1::bigint, 'favorites follow a changed influencer id') from app.favorites where influencer_id = tests.id('moved');

-- Deleting a profile deletes the rows that belong to it, and deleting an account deletes its profile.
insert into app.favorites (user_id, influencer_id) values (tests.id('approved'), tests.id('profile of verified'));
delete from app.influencers where user_id = tests.id('approved');
select is_empty($$select from app.favorites where influencer_id = tests.id('moved')$$, 'deleting a profile deletes favorites that point to it');
delete from app.agencies where user_id = tests.id('agency');
select is_empty($$select from app.gigs where agency_id = tests.id('moved')$$, 'deleting a profile deletes its gigs');
delete from auth.sessions where id = tests.id('session');
select is_empty('select from auth.refresh_tokens', 'deleting a session deletes its tokens');
insert into auth.sessions (id, user_id) values (tests.id('session'), tests.id('agency'));
insert into auth.refresh_tokens (session_id, token_hash) values (tests.id('session'), 'third');
select is(tests.outcome('auth service', format('delete from auth.users where id = %L', tests.id(person))), '1', person || '''s account can be deleted')
from unnest(array['unapproved', 'approved', 'agency', 'vendor']) as person;
delete from auth.users where email not like 'superadmin%';
select is_empty('select from ' || filled, 'deleting the accounts deletes the rows of ' || filled)
from unnest(array['app.influencers', 'app.influencer_private', 'app.agencies', 'app.vendors', 'app.moderation',
  'app.gigs', 'app.favorites', 'app.notices',
  'app.notification_settings', 'app.digests', 'app.unsubscribe_tokens',
  'auth.identities', 'auth.sessions', 'auth.refresh_tokens', 'auth.one_time_tokens', 'auth.flow_state']) as filled;
select is(count(*), 1::bigint, 'one profile remains') from app.profiles;
\ir ../finish.sql
