-- Keys, references, required values, and shapes, also of tables that only programs write. The limits on user
-- input are in limits.sql.
\ir ../setup.sql
select tests.people() \gset

-- One row in every table.
insert into auth.identities (user_id, provider_id, provider, identity_data) values (tests.id('agency'), '1', 'email', '{"email": "agency@example.test"}');
insert into auth.sessions (id, user_id) values (tests.id('session'), tests.id('agency'));
insert into auth.refresh_tokens (session_id, token_hash) values (tests.id('session'), 'first');
insert into auth.refresh_tokens (session_id, token_hash, parent_id) select session_id, 'second', id from auth.refresh_tokens;
insert into auth.flow_state (user_id, authentication_method, code_challenge, code_challenge_method, auth_code_hash, auth_code_issued_at)
values (tests.id('agency'), 'recovery', repeat('c', 43), 's256', 'code', now());
insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values (tests.id('agency'), 'recovery_token', 'hash', 'agency@example.test');
insert into auth.sign_in_failures (address_hash, failures, created_at) values ('hash', 1, now());
insert into auth.mail_allowances (address_hash, used_until) values ('hash', now());
insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, created_at, updated_at) values (tests.id('factor'), tests.id('agency'), 'Phone', 'x', 'key', now(), now());
insert into auth.mfa_challenges (id, factor_id, created_at) values (tests.id('challenge'), tests.id('factor'), now());
insert into auth.mfa_recovery_codes (user_id, code_hash, created_at) values (tests.id('agency'), 'x', now());
insert into auth.mfa_failures (user_id, failures, created_at) values (tests.id('agency'), 1, now());
insert into auth.settings default values;
insert into app.newsletter_allowances (source, hour_used_until, day_used_until) values ('all', now(), now());
insert into app.system_reports (name, data) values ('backups', '{}');
insert into app.notification_settings (user_id, kind, delivery) values (tests.id('agency'), 'gig_closed', 'daily');
insert into app.digests (user_id, sent_for) values (tests.id('agency'), '2026-01-01');
insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at) values ('token', tests.id('agency'), 'digest', now());
insert into storage.objects (id, bucket_id, name) values (tests.id('picture'), 'images', 'a/b.webp');
insert into storage.removals (bucket_id, name) values ('images', 'a/b.webp');
delete from app.gig_applications where id = tests.id('application of verified');
update app.influencer_moderation set approved = true where user_id = tests.id('unapproved');
select isnt(number, 0::bigint, 'rows exist in ' || filled)
from unnest(tests.tables()) as filled
cross join lateral (select (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || filled, false, true, '')))[1]::text::bigint) as counted (number);

-- What refuses a statement: the constraint, or the column that must not be null. Always rolled back.
create function pg_temp.refused_by(statement text) returns text language plpgsql as $$
declare
  refusing text;
  field text;
begin
  execute tests.filled(statement, 'agency');
  raise exception 'taken back' using errcode = 'TT000';
exception
  when sqlstate 'TT000' then
    return 'none';
  when integrity_constraint_violation then
    get stacked diagnostics refusing = constraint_name, field = column_name;
    return coalesce(nullif(refusing, ''), field);
end $$;

create temporary table rule (refusing text, statement text);

-- References to missing rows are refused.
insert into rule values
  ('profiles_id_fkey', 'insert into app.profiles (id) values ({nobody})'),
  ('user_roles_user_id_fkey', 'insert into app.user_roles (user_id, role) values ({nobody}, ''agency'')'),
  ('influencers_user_id_fkey', 'insert into app.influencers (user_id, name, username, category) values ({nobody}, ''N'', ''n'', ''Tech'')'),
  ('influencer_moderation_user_id_fkey', 'insert into app.influencer_moderation (user_id) values ({agency})'),
  ('influencer_private_user_id_fkey', 'insert into app.influencer_private (user_id) values ({agency})'),
  ('agencies_user_id_fkey', 'insert into app.agencies (user_id, name, email) values ({nobody}, ''N'', ''n@example.test'')'),
  ('agency_moderation_user_id_fkey', 'insert into app.agency_moderation (user_id) values ({vendor})'),
  ('vendors_user_id_fkey', 'insert into app.vendors (user_id, name, email) values ({nobody}, ''N'', ''n@example.test'')'),
  ('vendor_moderation_user_id_fkey', 'insert into app.vendor_moderation (user_id) values ({agency})'),
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

-- Duplicates are refused.
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

-- Shapes and allowed values, each with a valid example.
insert into rule values
  ('none', 'update auth.users set email = ''new@example.test'' where id = {agency}'),
  ('users_email_lower_case', 'update auth.users set email = ''New@example.test'' where id = {agency}'),
  ('none', 'update auth.users set email = repeat(''x'', 254) where id = {agency}'),
  ('users_phone_digits', 'update auth.users set phone = ''+60123456789'' where id = {agency}'),
  ('users_email_max_254', 'update auth.users set email = repeat(''x'', 255) where id = {agency}'),
  ('users_metadata_objects', 'update auth.users set raw_app_meta_data = ''[]'' where id = {agency}'),
  ('users_metadata_objects', 'update auth.users set raw_user_meta_data = ''[]'' where id = {agency}'),
  ('users_email_change_confirm_status_known', 'update auth.users set email_change_confirm_status = 2 where id = {agency}'),
  ('none', 'update auth.one_time_tokens set attempts = 1'),
  ('one_time_tokens_attempts_counted', 'update auth.one_time_tokens set attempts = -1'),
  ('none', 'update auth.sign_in_failures set failures = 2'),
  ('sign_in_failures_failures_counted', 'update auth.sign_in_failures set failures = 0'),
  ('mfa_failures_failures_counted', 'update auth.mfa_failures set failures = 0'),
  ('mfa_failures_pkey', 'insert into auth.mfa_failures select * from auth.mfa_failures'),
  ('mfa_recovery_codes_pkey', 'insert into auth.mfa_recovery_codes select * from auth.mfa_recovery_codes'),
  ('mfa_challenges_pkey', 'insert into auth.mfa_challenges select * from auth.mfa_challenges'),
  ('mfa_factors_pkey', 'insert into auth.mfa_factors select id, user_id, ''Tablet'', secret, secret_key_id, last_step, verified_at, last_challenged_at, created_at, updated_at from auth.mfa_factors'),
  ('mfa_factors_friendly_name_key', 'insert into auth.mfa_factors select gen_random_uuid(), user_id, friendly_name, secret, secret_key_id, last_step, verified_at, last_challenged_at, created_at, updated_at from auth.mfa_factors'),
  ('none', 'update auth.mfa_factors set friendly_name = repeat(''x'', 100)'),
  ('mfa_factors_friendly_name_max_100', 'update auth.mfa_factors set friendly_name = repeat(''x'', 101)'),
  ('settings_pkey', 'insert into auth.settings default values'),
  ('settings_one_row', 'insert into auth.settings (only_row) values (false)'),
  ('flow_state_authentication_method_known', 'update auth.flow_state set authentication_method = ''oauth'''),
  ('flow_state_code_challenge_method_known', 'update auth.flow_state set code_challenge_method = ''md5'''),
  ('none', 'update auth.flow_state set code_challenge = repeat(''c'', 128)'),
  ('flow_state_code_challenge_43_to_128', 'update auth.flow_state set code_challenge = repeat(''c'', 129)'),
  ('flow_state_code_challenge_43_to_128', 'update auth.flow_state set code_challenge = repeat(''c'', 42)'),
  ('flow_state_code_challenge_43_to_128', 'update auth.flow_state set code_challenge = repeat(''+'', 43)'),
  ('none', 'update auth.flow_state set auth_code_hash = null, auth_code_issued_at = null'),
  ('flow_state_issued_with_its_code', 'update auth.flow_state set auth_code_hash = null'),
  ('one_time_tokens_type_known', 'update auth.one_time_tokens set token_type = ''magic'''),
  ('user_roles_role_known', 'insert into app.user_roles (user_id, role) values ({agency}, ''root'')'),
  ('none', 'insert into storage.buckets (id, name) values (''b'', repeat(''x'', 100))'),
  ('buckets_name_max_100', 'insert into storage.buckets (id, name) values (''b'', repeat(''x'', 101))'),
  ('buckets_name_max_100', 'insert into storage.buckets (id, name) values (''b'', '''')'),
  ('none', 'insert into storage.objects (bucket_id, name) values (''images'', repeat(''x'', 1024))'),
  ('objects_name_max_1024_bytes', 'insert into storage.objects (bucket_id, name) values (''images'', repeat(''ü'', 513))'),
  ('objects_name_max_1024_bytes', 'insert into storage.objects (bucket_id, name) values (''images'', '''')'),
  ('none', 'update storage.removals set attempts = 1'),
  ('removals_attempts_counted', 'update storage.removals set attempts = -1'),
  ('none', 'update app.notices set seen_at = created_at'),
  ('notices_seen_in_order', 'update app.notices set seen_at = created_at - interval ''1 s'''),
  ('notices_kind_known', 'update app.notices set kind = ''rumour'''),
  ('notices_data_object', 'update app.notices set data = ''[]'''),
  ('none', 'update app.notices set data = jsonb_build_object(''a'', repeat(''x'', 4000 - length(''{"a": ""}'')))'),
  ('notices_data_max_4000', 'update app.notices set data = jsonb_build_object(''a'', repeat(''x'', 4001 - length(''{"a": ""}'')))'),
  ('notification_settings_pkey', 'insert into app.notification_settings select * from app.notification_settings'),
  ('notification_settings_kind_known', 'update app.notification_settings set kind = ''report_decided'''),
  ('notification_settings_kind_known', 'update app.notification_settings set kind = ''content_moderated'''),
  ('notification_settings_kind_known', 'update app.notification_settings set kind = ''approved'''),
  ('notification_settings_delivery_known', 'update app.notification_settings set delivery = ''weekly'''),
  ('digests_pkey', 'insert into app.digests select * from app.digests'),
  ('unsubscribe_tokens_pkey', 'insert into app.unsubscribe_tokens select * from app.unsubscribe_tokens'),
  ('unsubscribe_tokens_kind_known', 'update app.unsubscribe_tokens set kind = ''report_decided'''),
  ('none', 'update app.mail_outbox set attempts = 1'),
  ('mail_outbox_attempts_counted', 'update app.mail_outbox set attempts = -1'),
  ('mail_outbox_template_known', 'update app.mail_outbox set template = ''spam'''),
  ('mail_outbox_recipient_valid', 'update app.mail_outbox set recipient = ''nobody'''),
  ('mail_outbox_recipient_valid', 'update app.mail_outbox set recipient = ''a@example.test,b@example.test'''),
  ('mail_outbox_recipient_valid', 'update app.mail_outbox set recipient = E''a@example.test\r\nBcc: b@example.test'''),
  ('none', 'update app.mail_outbox set recipient = ''me@localhost'''),
  ('none', 'update app.mail_outbox set recipient = repeat(''x'', 242) || ''@example.com'''),
  ('mail_outbox_recipient_valid', 'update app.mail_outbox set recipient = repeat(''x'', 243) || ''@example.com'''),
  ('none', 'update app.mail_outbox set template = ''recovery'''),
  ('none', 'update app.mail_outbox set sent_at = now(), data = ''{}'''),
  ('none', 'update app.mail_outbox set given_up_at = now(), data = ''{}'''),
  ('mail_outbox_ends_once', 'update app.mail_outbox set sent_at = now(), given_up_at = now(), data = ''{}'''),
  ('mail_outbox_blank_in_the_end', 'update app.mail_outbox set sent_at = now()'),
  ('mail_outbox_blank_in_the_end', 'update app.mail_outbox set given_up_at = now()'),
  ('mail_outbox_data_object', 'update app.mail_outbox set data = ''[]'''),
  ('none', 'insert into app.audit_log (actor, action, subject_type, subject_id) values (''A'', ''approve'', ''influencer'', {agency})'),
  ('audit_log_action_known', 'insert into app.audit_log (actor, action, subject_type, subject_id) values (''A'', ''wink'', ''influencer'', {agency})'),
  ('audit_log_subject_type_known', 'insert into app.audit_log (actor, action, subject_type, subject_id) values (''A'', ''approve'', ''weather'', {agency})'),
  ('audit_log_details_object', 'insert into app.audit_log (actor, action, subject_type, subject_id, details) values (''A'', ''approve'', ''influencer'', {agency}, ''[]'')'),
  ('enquiries_state_known', 'update app.enquiries set state = ''lost'' where id = {enquiry of agency}'),
  ('enquiries_sender_name_max_100', 'update app.enquiries set sender_name = repeat(''x'', 101)'),
  ('enquiries_sender_company_max_100', 'update app.enquiries set sender_company = repeat(''x'', 101)'),
  ('enquiries_sender_email_accepted', 'update app.enquiries set sender_email = ''a@example.test'' where state = ''open'''),
  ('enquiries_deliverables_required', 'update app.enquiries set deliverables = E'' \n'''),
  ('enquiries_deliverables_max_500', 'update app.enquiries set deliverables = repeat(''x'', 501)'),
  ('enquiries_message_min_20', 'update app.enquiries set message = repeat(''x'', 19)'),
  ('enquiries_message_max_2000', 'update app.enquiries set message = repeat(''x'', 2001)'),
  ('enquiries_budget_range', 'update app.enquiries set budget_from = -1'),
  ('enquiries_budget_range', 'update app.enquiries set budget_to = 100000001'),
  ('enquiries_budget_ordered', 'update app.enquiries set budget_from = 2, budget_to = 1'),
  ('enquiries_dates_ordered', 'update app.enquiries set starts_on = ''2026-01-02'', ends_on = ''2026-01-01'''),
  ('enquiries_opened', 'update app.enquiries set opened_at = null where state = ''open'''),
  ('enquiries_opened', 'update app.enquiries set opened_at = now() where state = ''unconfirmed'''),
  ('enquiries_answered', 'update app.enquiries set state = ''declined'' where state = ''open'''),
  ('enquiries_answered', 'update app.enquiries set answered_at = now() where state = ''open'''),
  ('enquiries_answered_once_opened', 'update app.enquiries set opened_at = null where state = ''accepted'''),
  ('enquiries_answer_max_1000', 'update app.enquiries set answer = repeat(''x'', 1001) where state = ''accepted'''),
  ('enquiries_answer_given', 'update app.enquiries set answer = ''Yes'' where state = ''open'''),
  ('enquiries_reason_max_500', 'update app.enquiries set state = ''withdrawn'', reason = repeat(''x'', 501) where state = ''open'''),
  ('enquiries_reason_given', 'update app.enquiries set reason = ''No'' where state = ''accepted'''),
  ('enquiries_collaboration_accepted', 'update app.enquiries set collaboration_id = {nobody} where id = {enquiry of agency}'),
  ('enquiries_one_open', 'insert into app.enquiries (brief_id, influencer_id, sender_key, deliverables, message, state, opened_at) select brief_id, influencer_id, sender_key, deliverables, message, state, opened_at from app.enquiries where state = ''open'''),
  ('none', 'insert into app.enquiries (brief_id, influencer_id, sender_key, deliverables, message, state) select brief_id, influencer_id, sender_key, deliverables, message, ''unconfirmed'' from app.enquiries where state = ''open'''),
  ('none', 'update app.enquiries set answer = repeat(''x'', 1000), deliverables = repeat(''x'', 500), message = repeat(''x'', 2000), budget_from = 0, budget_to = 100000000 where state = ''accepted'''),
  ('enquiry_briefs_guest_email_valid', 'update app.enquiry_briefs set guest_email = ''nowhere'''),
  ('guest_links_purpose_known', 'update app.guest_links set purpose = ''lunch'''),
  ('guest_links_pkey', 'insert into app.guest_links select * from app.guest_links'),
  ('none', 'insert into app.backups (state) values (''requested'')'),
  ('none', 'insert into app.backups (state, started_at, step, percent) values (''running'', now(), ''tables'', 100)'),
  ('blocked_senders_reason_max_1000', 'update app.blocked_senders set reason = repeat(''x'', 1001)'),
  ('blocked_senders_name_max_254', 'update app.blocked_senders set name = repeat(''x'', 255)'),
  ('none', 'update app.blocked_senders set name = repeat(''x'', 254), reason = repeat(''x'', 1000)'),
  ('report_decisions_actions_known', 'update app.report_decisions set actions = array_fill(''close_gig''::text, array[5])'),
  ('report_decisions_actions_known', 'update app.report_decisions set actions = array[''unapprove'']'),
  ('report_decisions_note_max_1000', 'update app.report_decisions set note = repeat(''x'', 1001)'),
  ('report_decisions_taken', 'update app.report_decisions set taken_at = now()'),
  ('report_decisions_taken', 'update app.report_decisions set taker = ''A'''),
  ('none', 'update app.report_decisions set taker = ''A'', taken_at = now(), note = repeat(''x'', 1000), actions = ''{hide_review,close_gig,cancel_enquiry,block_sender}'''),
  ('none', 'update app.reports set state = ''dismissed'', decided_at = now()'),
  ('reports_decided', 'update app.reports set decided_at = now()'),
  ('reports_decided', 'update app.reports set state = ''upheld'''),
  ('reports_state_known', 'update app.reports set state = ''lost'''),
  ('none', 'update app.reports set state = ''taken'''),
  ('reports_snapshot_object', 'update app.reports set snapshot = ''[]'''),
  ('reports_text_of_other', 'update app.reports set reason = ''other'''),
  ('reports_text_of_other', 'update app.reports set reason = ''other'', text = E'' \t\n'''),
  ('none', 'update app.reports set reason = ''other'', text = ''x'''),
  ('reports_text_max_1000', 'update app.reports set text = repeat(''x'', 1001)'),
  ('none', 'update app.reports set text = repeat(''x'', 1000)'),
  ('reports_words_max_10', 'update app.reports set reason = ''words'', words = array_fill(''a''::text, array[11])'),
  ('none', 'update app.reports set reason = ''words'', words = array_fill(''a''::text, array[10])'),
  ('reports_words_explain', 'update app.reports set words = array[''a'']'),
  ('reports_words_explain', 'update app.reports set reason = ''words'''),
  ('reports_reason_known', 'update app.reports set reason = ''taste'''),
  ('reports_kind_known', 'update app.reports set kind = ''weather'''),
  ('blocked_senders_address_hash_key', 'insert into app.blocked_senders (address_hash, name, reason, blocker) select ''a'', name, reason, blocker from app.blocked_senders, generate_series(1, 2)'),
  ('blocked_senders_user_id_key', 'insert into app.blocked_senders (user_id, name, reason, blocker) select user_id, name, reason, blocker from app.blocked_senders'),
  ('none', 'insert into app.reports (kind, subject_id, reason, words, snapshot) select kind, subject_id, ''words'', array[''a''], ''{}'' from app.reports'),
  ('reports_one_of_words', 'insert into app.reports (kind, subject_id, reason, words, snapshot) select kind, subject_id, ''words'', array[''a''], ''{}'' from app.reports, generate_series(1, 2)'),
  ('reports_one_open', 'insert into app.reports (kind, subject_id, reporter_id, reason, snapshot) select kind, subject_id, reporter_id, reason, snapshot from app.reports'),
  ('blocked_senders_user_id_fkey', 'update app.blocked_senders set user_id = {nobody}'),
  ('report_decisions_report_id_fkey', 'update app.report_decisions set report_id = {nobody}'),
  ('reports_reporter_id_fkey', 'update app.reports set reporter_id = {nobody}'),
  ('backups_one_open', 'insert into app.backups (state, started_at) values (''requested'', null), (''running'', now())'),
  ('backups_state_known', 'insert into app.backups (state, started_at) values (''paused'', now())'),
  ('backups_step_known', 'insert into app.backups (state, started_at, step) values (''running'', now(), ''lunch'')'),
  ('backups_percent_range', 'insert into app.backups (state, started_at, percent) values (''running'', now(), 101)'),
  ('backups_started', 'insert into app.backups (state) values (''running'')'),
  ('backups_finished', 'insert into app.backups (state, started_at) values (''failed'', now())'),
  ('backups_finished', 'update app.backups set finished_at = null'),
  ('backups_complete', 'update app.backups set bytes = null'),
  ('backups_verified', 'update app.backups set verified = true'),
  ('none', 'update app.backups set verified = true, verified_at = now(), error = repeat(''x'', 500), place = repeat(''x'', 1000)'),
  ('backups_error_max_500', 'update app.backups set error = repeat(''x'', 501)'),
  ('backups_place_max_1000', 'update app.backups set place = repeat(''x'', 1001)'),
  ('none', 'update app.gig_applications set state = ''withdrawn'', gig_title = repeat(''x'', 200), pitch = repeat(''x'', 1000), quote = 10000000'),
  ('gig_applications_gig_title_max_200', 'update app.gig_applications set gig_title = repeat(''x'', 201)'),
  ('gig_applications_pitch_min_20', 'update app.gig_applications set pitch = repeat(''x'', 19) || '' '''),
  ('gig_applications_pitch_max_1000', 'update app.gig_applications set pitch = repeat(''x'', 1001)'),
  ('gig_applications_quote_range', 'update app.gig_applications set quote = -1'),
  ('gig_applications_quote_range', 'update app.gig_applications set quote = 10000001'),
  ('gig_applications_state_known', 'update app.gig_applications set state = ''lost'', decided_at = now()'),
  ('gig_applications_decided', 'update app.gig_applications set state = ''shortlisted'''),
  ('gig_applications_collaboration', 'update app.gig_applications set collaboration_id = {nobody}'),
  ('none', 'update app.collaborations set client_completed_at = null where state = ''completed'''),
  ('none', 'update app.collaborations set state = ''cancelled'', cancelled_at = now(), cancelled_by = ''client'', reason = ''No time'' where state = ''accepted'''),
  ('enquiries_budget_range', 'update app.enquiries set budget_from = 100000001'),
  ('enquiries_budget_range', 'update app.enquiries set budget_to = -1'),
  ('none', 'update app.enquiries set collaboration_id = {work} where state = ''accepted'''),
  ('reports_words_max_10', 'update app.reports set words = ''{}'', reason = ''words'''),
  ('none', 'update app.reviews set hidden_at = now(), counted = false where published_at is not null'),
  ('gig_applications_untold_known', 'update app.gig_applications set untold = ''open'''),
  ('gigs_places_range', 'update app.gigs set places = 0'),
  ('gigs_places_range', 'update app.gigs set places = 1001'),
  ('gigs_closes_on_range', 'update app.gigs set closes_on = ''infinity'''),
  ('gigs_closes_on_range', 'update app.gigs set closes_on = ''2019-12-31'''),
  ('none', 'update app.gigs set places = 1000, closes_on = ''2100-01-01'''),
  ('collaborations_pkey', 'update app.collaborations set id = {work}'),
  ('collaborations_untold_known', 'update app.collaborations set untold = ''admin'''),
  ('collaborations_source_known', 'update app.collaborations set source = ''phone'''),
  ('none', 'update app.collaborations set title = repeat(''x'', 200), guest_name = repeat(''x'', 100)'),
  ('collaborations_title_max_200', 'update app.collaborations set title = repeat(''x'', 201)'),
  ('collaborations_guest_name_max_100', 'update app.collaborations set guest_name = repeat(''x'', 101)'),
  ('collaborations_state_known', 'update app.collaborations set state = ''open'' where state = ''accepted'''),
  ('collaborations_completed', 'update app.collaborations set completed_at = now() where state = ''accepted'''),
  ('collaborations_completed', 'update app.collaborations set completed_at = null where state = ''completed'''),
  ('collaborations_completed_by_a_side', 'update app.collaborations set influencer_completed_at = null, client_completed_at = null where state = ''completed'''),
  ('none', 'update app.collaborations set influencer_completed_at = null where state = ''completed'''),
  ('collaborations_cancelled', 'update app.collaborations set cancelled_at = now()'),
  ('collaborations_cancelled', 'update app.collaborations set state = ''cancelled'', cancelled_by = ''client'', reason = ''x'' where state = ''accepted'''),
  ('collaborations_cancelled_by_someone', 'update app.collaborations set cancelled_by = ''client'''),
  ('collaborations_cancelled_by_someone', 'update app.collaborations set state = ''cancelled'', cancelled_at = now(), reason = ''x'' where state = ''accepted'''),
  ('collaborations_cancelled_by_known', 'update app.collaborations set state = ''cancelled'', cancelled_at = now(), cancelled_by = ''rain'', reason = ''x'' where state = ''accepted'''),
  ('collaborations_reason_required', 'update app.collaborations set state = ''cancelled'', cancelled_at = now(), cancelled_by = ''client'' where state = ''accepted'''),
  ('collaborations_reason_required', 'update app.collaborations set state = ''cancelled'', cancelled_at = now(), cancelled_by = ''admin'', reason = E'' \t\r\n'' where state = ''accepted'''),
  ('none', 'update app.collaborations set state = ''cancelled'', cancelled_at = now(), cancelled_by = ''deletion'' where state = ''accepted'''),
  ('none', 'update app.collaborations set reason = repeat(''x'', 500)'),
  ('collaborations_reason_max_500', 'update app.collaborations set reason = repeat(''x'', 501)'),
  ('reviews_pkey', 'update app.reviews set id = {waiting review}'),
  ('reviews_one_per_side', 'update app.reviews set side = ''client'', counted = false'),
  ('reviews_side_known', 'update app.reviews set side = ''admin'' where side = ''client'''),
  ('reviews_rating_1_to_5', 'update app.reviews set rating = 0'),
  ('reviews_rating_1_to_5', 'update app.reviews set rating = 6'),
  ('reviews_text_min_20', 'update app.reviews set text = E''\t\r\n '' || repeat(''x'', 19)'),
  ('none', 'update app.reviews set text = repeat(''x'', 1000)'),
  ('reviews_text_max_1000', 'update app.reviews set text = repeat(''x'', 1001)'),
  ('none', 'update app.reviews set paid_on_time = true where side = ''influencer'''),
  ('reviews_paid_on_time_by_influencers', 'update app.reviews set paid_on_time = true'),
  ('none', 'update app.reviews set reply = repeat(''x'', 1000), replied_at = now() where published_at is not null'),
  ('reviews_reply_max_1000', 'update app.reviews set reply = repeat(''x'', 1001), replied_at = now() where published_at is not null'),
  ('reviews_reply_required', 'update app.reviews set reply = E'' \t\r\n'', replied_at = now() where published_at is not null'),
  ('reviews_replied', 'update app.reviews set reply = ''x'' where published_at is not null'),
  ('reviews_replied', 'update app.reviews set replied_at = now() where published_at is not null'),
  ('reviews_reply_after_publication', 'update app.reviews set reply = ''x'', replied_at = now() where published_at is null'),
  ('reviews_hidden_after_publication', 'update app.reviews set hidden_at = now() where published_at is null'),
  ('reviews_counted_while_shown', 'update app.reviews set hidden_at = now() where counted'),
  ('reviews_counted_while_shown', 'update app.reviews set counted = true where published_at is null'),
  ('reviews_counted_of_influencer', 'update app.reviews set side = ''client'', collaboration_id = {work}, influencer_id = {profile of verified}, author_key = {agency} where side = ''influencer'' and counted'),
  ('reviews_counted_of_agency', 'update app.reviews set side = ''influencer'', collaboration_id = {work}, author_key = {verified} where side = ''client'' and counted'),
  ('influencers_rating_sum_of_reviews', 'update app.influencers set review_count = 1'),
  ('influencers_rating_sum_of_reviews', 'update app.influencers set rating_sum = 6, review_count = 1'),
  ('agencies_rating_sum_of_reviews', 'update app.agencies set review_count = rating_sum + 1'),
  ('agencies_rating_sum_of_reviews', 'update app.agencies set rating_sum = 5 * review_count + 1'),
  ('none', 'insert into app.system_reports (name, data) values (''disk images'', ''{}'')'),
  ('system_reports_name_known', 'insert into app.system_reports (name, data) values (''weather'', ''{}'')'),
  ('system_reports_data_object', 'update app.system_reports set data = ''[]'''),
  ('system_reports_data_max_2000', 'update app.system_reports set data = jsonb_build_object(''a'', repeat(''x'', 2000))'),
  ('newsletter_subscriptions_email_valid', 'update app.newsletter_subscriptions set email = ''nobody'''),
  ('newsletter_subscriptions_email_lower_case', 'update app.newsletter_subscriptions set email = ''Reader@example.test''');

insert into rule
select case over when 0 then 'none' else format('gigs_%s_max_%s', field, longest) end, format('update app.gigs set %I = %L', field, repeat('x', longest + over))
from (values ('title', 200), ('description', 5000), ('budget', 100), ('duration', 100), ('requirements', 2000)) as limits (field, longest)
cross join unnest(array[0, 1]) as over;
insert into rule
select format('gigs_%s_required', field), format('update app.gigs set %I = %L', field, blank)
from unnest(array['title', 'description']) as field cross join unnest(array['', ' ', E' \t\r\n']) as blank;

-- Required columns, table by table.
insert into rule
select field, format('update %s set %I = null', filled, field)
from (values
  ('app.profiles', 'id'), ('app.user_roles', 'user_id role'),
  ('app.influencers', 'id user_id name username category services content_posts created_at approved badge_type review_count rating_sum'),
  ('app.influencer_moderation', 'user_id approved badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page'),
  ('app.influencer_private', 'user_id'),
  ('app.agencies', 'id user_id name email contracts_enabled gallery created_at badge_type review_count rating_sum'),
  ('app.collaborations', 'id source title state created_at'), ('app.reviews', 'id collaboration_id author_key side rating text created_at publish_at counted'),
  ('app.agency_moderation', 'user_id badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page'),
  ('app.vendors', 'id user_id name email created_at badge_type'),
  ('app.vendor_moderation', 'user_id badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page'),
  ('app.gigs', 'id agency_id title description created_at'), ('app.favorites', 'user_id influencer_id created_at'),
  ('app.enquiries', 'id brief_id sender_key deliverables message state created_at expires_at'),
  ('app.enquiry_briefs', 'id created_at sender_key'), ('app.guest_links', 'token_hash purpose subject_id expires_at'),
  ('app.gig_applications', 'id pitch state gig_title created_at'),
  ('app.newsletter_subscriptions', 'email created_at'), ('app.newsletter_allowances', 'source hour_used_until day_used_until'), ('app.notices', 'id user_id kind created_at data in_digest'),
  ('app.notification_settings', 'user_id kind delivery'), ('app.digests', 'user_id sent_for'), ('app.unsubscribe_tokens', 'token_hash user_id kind expires_at'),
  ('app.reports', 'id kind subject_id reason snapshot state created_at'), ('app.report_decisions', 'report_id actions'), ('app.blocked_senders', 'id name reason blocker created_at'),
  ('app.backups', 'id created_at state'), ('app.system_reports', 'name data reported_at'),
  ('app.mail_outbox', 'id template recipient data created_at attempts next_attempt_at'),
  ('auth.users', 'id aud role raw_app_meta_data raw_user_meta_data is_anonymous created_at updated_at email_change_confirm_status email_unproved password_contested'),
  ('auth.identities', 'id provider_id user_id identity_data provider created_at updated_at'),
  ('auth.sessions', 'id user_id aal amr created_at updated_at'), ('auth.refresh_tokens', 'session_id token_hash created_at'),
  ('auth.one_time_tokens', 'id user_id token_type token_hash relates_to created_at attempts'),
  ('auth.flow_state', 'id user_id authentication_method code_challenge code_challenge_method created_at'),
  ('auth.sign_in_failures', 'address_hash failures created_at'), ('auth.mail_allowances', 'address_hash used_until'),
  ('storage.buckets', 'id name public created_at updated_at'), ('storage.objects', 'id bucket_id name created_at updated_at last_accessed_at'),
  ('storage.removals', 'bucket_id name queued_at attempts next_attempt_at')
) as required (filled, fields) cross join unnest(string_to_array(fields, ' ')) as field;
-- The log is append-only.
insert into rule
select field, format('insert into app.audit_log (actor, action, subject_type, subject_id, details, created_at) values (%s)', string_agg(
  case other when field then 'null' else value end, ', ' order by place))
from unnest(array['actor', 'action', 'subject_type', 'subject_id', 'details', 'created_at']) as field
cross join (values (1, 'actor', '''A'''), (2, 'action', '''approve'''), (3, 'subject_type', '''agency'''), (4, 'subject_id', '{agency}'),
  (5, 'details', '''{}'''), (6, 'created_at', 'now()')) as given (place, other, value)
group by field;

select is(pg_temp.refused_by(statement), refusing, statement) from rule;

-- References follow a changed id.
update app.agencies set id = tests.id('moved') where user_id = tests.id('agency');
select is(count(*), 1::bigint, 'gigs follow a changed agency id') from app.gigs where agency_id = tests.id('moved');
update app.influencers set id = tests.id('moved') where user_id = tests.id('approved');
select is(count(*), 1::bigint, 'favorites follow a changed influencer id') from app.favorites where influencer_id = tests.id('moved');

-- Deleting a profile deletes everything that belongs to it, and deleting an account deletes all of that.
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
from unnest(array['app.influencers', 'app.influencer_moderation', 'app.influencer_private', 'app.agencies', 'app.agency_moderation', 'app.vendors', 'app.vendor_moderation',
  'app.gigs', 'app.favorites', 'app.notices',
  'app.notification_settings', 'app.digests', 'app.unsubscribe_tokens',
  'auth.identities', 'auth.sessions', 'auth.refresh_tokens', 'auth.one_time_tokens', 'auth.flow_state']) as filled;
select is(count(*), 1::bigint, 'one profile remains') from app.profiles;
\ir ../finish.sql
