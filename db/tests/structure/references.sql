-- Every foreign key, and what happens when the referenced row changes or is deleted.
\ir ../setup.sql

create function pg_temp.told(action "char") returns text language sql as $$
  select case action when 'c' then 'follows' when 'n' then 'is emptied' when 'a' then 'refuses' else action::text end
$$;
select set_eq($have$
  select conrelid::regclass || ' ' || conname || ': changed ' || pg_temp.told(confupdtype) || ', gone ' || pg_temp.told(confdeltype)
  from pg_constraint
  where contype = 'f' and connamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)$have$, $want$values
  ('app.agencies agencies_user_id_fkey: changed follows, gone follows'),
  ('app.agency_moderation agency_moderation_user_id_fkey: changed follows, gone follows'),
  ('app.enquiries enquiries_brief_id_fkey: changed refuses, gone follows'),
  ('app.enquiries enquiries_collaboration_id_fkey: changed refuses, gone is emptied'),
  ('app.enquiries enquiries_influencer_id_fkey: changed follows, gone is emptied'),
  ('app.enquiries enquiries_sender_user_id_fkey: changed follows, gone is emptied'),
  ('app.collaborations collaborations_agency_id_fkey: changed follows, gone is emptied'),
  ('app.collaborations collaborations_client_user_id_fkey: changed follows, gone is emptied'),
  ('app.collaborations collaborations_influencer_id_fkey: changed follows, gone is emptied'),
  ('app.reviews reviews_agency_id_fkey: changed follows, gone is emptied'),
  ('app.reviews reviews_author_id_fkey: changed follows, gone is emptied'),
  ('app.reviews reviews_collaboration_id_fkey: changed follows, gone follows'),
  ('app.reviews reviews_influencer_id_fkey: changed follows, gone is emptied'),
  ('app.favorites favorites_influencer_id_fkey: changed follows, gone follows'),
  ('app.favorites favorites_user_id_fkey: changed follows, gone follows'),
  ('app.gigs gigs_agency_id_fkey: changed follows, gone follows'),
  ('app.gig_applications gig_applications_agency_id_fkey: changed follows, gone is emptied'),
  ('app.gig_applications gig_applications_collaboration_id_fkey: changed follows, gone is emptied'),
  ('app.gig_applications gig_applications_gig_id_fkey: changed follows, gone is emptied'),
  ('app.gig_applications gig_applications_influencer_id_fkey: changed follows, gone is emptied'),
  ('app.influencer_moderation influencer_moderation_user_id_fkey: changed follows, gone follows'),
  ('app.influencer_private influencer_private_user_id_fkey: changed follows, gone follows'),
  ('app.influencers influencers_user_id_fkey: changed follows, gone follows'),
  ('app.notices notices_user_id_fkey: changed follows, gone follows'),
  ('app.notification_settings notification_settings_user_id_fkey: changed follows, gone follows'),
  ('app.digests digests_user_id_fkey: changed follows, gone follows'),
  ('app.unsubscribe_tokens unsubscribe_tokens_user_id_fkey: changed follows, gone follows'),
  ('app.mail_outbox mail_outbox_notice_id_fkey: changed follows, gone follows'),
  ('app.profiles profiles_id_fkey: changed refuses, gone follows'),
  ('app.reports reports_reporter_id_fkey: changed follows, gone is emptied'),
  ('app.report_decisions report_decisions_report_id_fkey: changed follows, gone follows'),
  ('app.blocked_senders blocked_senders_user_id_fkey: changed follows, gone is emptied'),
  ('app.user_roles user_roles_user_id_fkey: changed refuses, gone follows'),
  ('app.vendor_moderation vendor_moderation_user_id_fkey: changed follows, gone follows'),
  ('app.vendors vendors_user_id_fkey: changed follows, gone follows'),
  ('auth.flow_state flow_state_user_id_fkey: changed refuses, gone follows'),
  ('auth.identities identities_user_id_fkey: changed refuses, gone follows'),
  ('auth.mfa_challenges mfa_challenges_factor_id_fkey: changed refuses, gone follows'),
  ('auth.mfa_factors mfa_factors_user_id_fkey: changed refuses, gone follows'),
  ('auth.mfa_failures mfa_failures_user_id_fkey: changed refuses, gone follows'),
  ('auth.mfa_recovery_codes mfa_recovery_codes_user_id_fkey: changed refuses, gone follows'),
  ('auth.one_time_tokens one_time_tokens_flow_state_id_fkey: changed refuses, gone follows'),
  ('auth.one_time_tokens one_time_tokens_user_id_fkey: changed refuses, gone follows'),
  ('auth.refresh_tokens refresh_tokens_parent_id_fkey: changed refuses, gone is emptied'),
  ('auth.refresh_tokens refresh_tokens_session_id_fkey: changed refuses, gone follows'),
  ('auth.sessions sessions_user_id_fkey: changed refuses, gone follows'),
  ('storage.objects objects_bucket_id_fkey: changed refuses, gone refuses'),
  ('storage.removals removals_bucket_id_fkey: changed refuses, gone follows')
$want$, 'references');
\ir ../finish.sql
