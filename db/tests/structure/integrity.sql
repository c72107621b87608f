-- Keys, references and required values of all tables. shapes.sql tests the other check constraints, limits.sql the limits on
-- user input.
\ir ../setup.sql
\ir ../one_row_each.sql

-- References to missing rows.
insert into rule values
  ('profiles_id_fkey', 'insert into app.profiles (id) values ({nobody})'),
  ('user_roles_user_id_fkey', 'insert into app.user_roles (user_id, role) values ({nobody}, ''agency'')'),
  ('influencers_user_id_fkey', 'insert into app.influencers (user_id, name, username, category) values ({nobody}, ''N'', ''n'', ''Tech'')'),
  ('moderation_user_id_fkey', 'insert into app.moderation (user_id, kind) values ({nobody}, ''agency'')'),
  ('influencer_private_user_id_fkey', 'insert into app.influencer_private (user_id) values ({agency})'),
  ('agencies_user_id_fkey', 'insert into app.agencies (user_id, name, email) values ({nobody}, ''N'', ''n@example.test'')'),
  ('vendors_user_id_fkey', 'insert into app.vendors (user_id, name, email) values ({nobody}, ''N'', ''n@example.test'')'),
  ('gigs_agency_id_fkey', 'insert into app.gigs (agency_id, title, description) values ({agency}, ''T'', ''D'')'),
  ('gig_applications_agency_id_fkey', 'update app.gig_applications set agency_id = {nobody}'),
  ('gig_applications_gig_id_fkey', 'update app.gig_applications set gig_id = {nobody}'),
  ('gig_applications_influencer_id_fkey', 'update app.gig_applications set influencer_id = {nobody}'),
  ('gig_applications_collaboration_id_fkey', 'update app.gig_applications set state = ''accepted'', decided_at = now(), collaboration_id = {nobody}'),
  ('collaborations_influencer_id_fkey', 'update app.collaborations set influencer_id = {nobody}'),
  ('collaborations_client_user_id_fkey', 'update app.collaborations set client_user_id = {nobody}'),
  ('collaborations_agency_id_fkey', 'update app.collaborations set agency_id = {nobody}'),
  ('reviews_collaboration_id_fkey', 'update app.reviews set collaboration_id = {nobody} where side = ''client'''),
  ('reviews_influencer_id_fkey', 'update app.reviews set influencer_id = {nobody}'),
  ('reviews_agency_id_fkey', 'update app.reviews set agency_id = {nobody}'),
  ('reviews_author_id_fkey', 'update app.reviews set author_id = {nobody}'),
  ('favorites_user_id_fkey', 'insert into app.favorites (user_id, influencer_id) values ({nobody}, {profile of approved})'),
  ('favorites_influencer_id_fkey', 'insert into app.favorites (user_id, influencer_id) values ({agency}, {approved})'),
  ('notification_settings_user_id_fkey', 'insert into app.notification_settings (user_id, kind, delivery) values ({nobody}, ''gig_closed'', ''off'')'),
  ('digests_user_id_fkey', 'insert into app.digests (user_id, sent_for) values ({nobody}, now())'),
  ('unsubscribe_tokens_user_id_fkey', 'insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at) values (''x'', {nobody}, ''digest'', now())'),
  ('mail_outbox_notice_id_fkey', 'insert into app.mail_outbox (template, recipient, notice_id) values (''gig_closed'', ''a@example.test'', {nobody})'),
  ('notices_user_id_fkey', 'insert into app.notices (user_id, kind) values ({nobody}, ''approved'')'),
  ('identities_user_id_fkey', 'insert into auth.identities (user_id, provider_id, provider, identity_data) values ({nobody}, ''2'', ''email'', ''{}'')'),
  ('sessions_user_id_fkey', 'insert into auth.sessions (user_id) values ({nobody})'),
  ('mfa_factors_user_id_fkey', 'update auth.mfa_factors set user_id = {nobody}'),
  ('mfa_challenges_factor_id_fkey', 'update auth.mfa_challenges set factor_id = {nobody}'),
  ('mfa_recovery_codes_user_id_fkey', 'update auth.mfa_recovery_codes set user_id = {nobody}'),
  ('mfa_failures_user_id_fkey', 'update auth.mfa_failures set user_id = {nobody}'),
  ('refresh_tokens_session_id_fkey', 'insert into auth.refresh_tokens (session_id, token_hash) values ({nobody}, ''x'')'),
  ('refresh_tokens_parent_id_fkey', 'insert into auth.refresh_tokens (session_id, token_hash, parent_id) values ({session}, ''x'', -1)'),
  ('flow_state_user_id_fkey', 'update auth.flow_state set user_id = {nobody}'),
  ('one_time_tokens_flow_state_id_fkey', 'update auth.one_time_tokens set flow_state_id = {nobody}'),
  ('one_time_tokens_user_id_fkey', 'insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values ({nobody}, ''recovery_token'', ''x'', ''x'')'),
  ('objects_bucket_id_fkey', 'insert into storage.objects (bucket_id, name) values (''nowhere'', ''a/b.webp'')'),
  ('removals_bucket_id_fkey', 'insert into storage.removals (bucket_id, name) values (''nowhere'', ''a/b.webp'')');

-- Duplicates.
insert into rule values
  ('blocked_senders_pkey', 'insert into app.blocked_senders (id, name, reason, blocker) values ({block}, ''x'', ''x'', ''x'')'),
  ('enquiries_pkey', 'insert into app.enquiries (id, brief_id, sender_key, deliverables, message, state) values ({enquiry of agency}, {brief of agency}, ''x'', ''A reel'', ''A message of twenty.'', ''unconfirmed'')'),
  ('enquiries_collaboration_id_key', 'update app.enquiries set state = ''accepted'', opened_at = now(), answered_at = now(), collaboration_id = {work}'),
  ('mail_outbox_pkey', 'insert into app.mail_outbox (id, template, recipient, data) select {nobody}, ''approved'', ''a@example.test'', ''{}'' from generate_series(1, 2)'),
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

-- Required columns of each table.
insert into rule
select field, format('update %s set %I = null', filled, field)
from (values
  ('app.profiles', 'id'), ('app.user_roles', 'user_id role'),
  ('app.influencers', 'id user_id name username category services content_posts created_at approved badge_type review_count rating_sum'),
  ('app.moderation', 'user_id kind approved badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page'),
  ('app.influencer_private', 'user_id'),
  ('app.agencies', 'id user_id name email contracts_enabled gallery created_at badge_type review_count rating_sum'),
  ('app.collaborations', 'id source title state created_at'), ('app.reviews', 'id collaboration_id author_key side rating text created_at publish_at counted'),
  ('app.vendors', 'id user_id name email created_at badge_type'),
  ('app.gigs', 'id agency_id title description created_at'), ('app.favorites', 'user_id influencer_id created_at'),
  ('app.enquiries', 'id brief_id sender_key deliverables message state created_at expires_at'),
  ('app.enquiry_briefs', 'id created_at sender_key'), ('app.guest_links', 'token_hash purpose subject_id expires_at'),
  ('app.gig_applications', 'id pitch state gig_title created_at'),
  ('app.newsletter_subscriptions', 'email created_at'), ('app.newsletter_allowances', 'source hour_used_until day_used_until'), ('app.notices', 'id user_id kind created_at data in_digest'),
  ('app.notification_settings', 'user_id kind delivery'), ('app.digests', 'user_id sent_for'), ('app.unsubscribe_tokens', 'token_hash user_id kind expires_at'),
  ('app.reports', 'id kind subject_id reason snapshot state created_at'), ('app.report_decisions', 'report_id actions'), ('app.blocked_senders', 'id name reason blocker created_at'),
  ('app.hash_key', 'only_row key'), ('app.erasures', 'id account subject_id proved created_at'), ('app.retention', 'relation name bound only_if note'),
  ('app.backups', 'id created_at state'), ('app.system_reports', 'name data reported_at'),
  ('app.mail_templates', 'template is_notification is_optional'), ('app.audit_actions', 'action report_kinds'),
  ('app.mail_outbox', 'id template recipient data created_at attempts next_attempt_at'),
  ('auth.users', 'id aud role raw_app_meta_data raw_user_meta_data is_anonymous created_at updated_at email_change_confirm_status email_unproved password_contested is_sso_user'),
  ('auth.identities', 'id provider_id user_id identity_data provider created_at updated_at'),
  ('auth.sessions', 'id user_id aal amr created_at updated_at'), ('auth.refresh_tokens', 'session_id token_hash created_at'),
  ('auth.one_time_tokens', 'id user_id token_type token_hash relates_to created_at attempts'),
  ('auth.flow_state', 'id user_id authentication_method code_challenge code_challenge_method created_at'),
  ('auth.sign_in_failures', 'address_hash failures created_at clients'), ('auth.mail_allowances', 'address_hash used_until'),
  ('auth.mfa_factors', 'id user_id secret secret_key_id created_at updated_at'), ('auth.mfa_challenges', 'id factor_id created_at'),
  ('auth.mfa_recovery_codes', 'user_id code_hash created_at'), ('auth.mfa_failures', 'user_id failures created_at'),
  ('auth.settings', 'only_row admin_mfa_required sessions_swept_to'),
  ('storage.buckets', 'id name public created_at updated_at'), ('storage.objects', 'id bucket_id name created_at updated_at last_accessed_at'),
  ('storage.removals', 'bucket_id name queued_at attempts next_attempt_at')
) as required (filled, fields) cross join unnest(string_to_array(fields, ' ')) as field;
-- Required columns of the audit log, tested by inserting, because the log is append-only.
insert into rule
select field, format('insert into app.audit_log (actor, action, subject_type, subject_id, details, created_at) values (%s)', string_agg(
  case other when field then 'null' else value end, ', ' order by place))
from unnest(array['actor', 'action', 'subject_type', 'subject_id', 'details', 'created_at']) as field
cross join (values (1, 'actor', '''A'''), (2, 'action', '''approve'''), (3, 'subject_type', '''agency'''), (4, 'subject_id', '{agency}'),
  (5, 'details', '''{}'''), (6, 'created_at', 'now()')) as given (place, other, value)
group by field;

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
