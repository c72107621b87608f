-- How long the rows of the marketplace are kept (backend/08_operation.sql).
insert into serasi.retention (relation, name, bound, keeps, moment, only_if, clears, note) values
  ('app.audit_log', 'entries', 'period', '3 years', 'created_at', default, null, 'proves what admins did'),
  ('app.reports', 'decided', 'period', '2 years', 'decided_at', default, null, 'finds repeated offenders'),
  ('app.blocked_senders', 'of deleted accounts', 'period', '5 years', 'created_at', 'user_id is null', null, 'keeps out who opens the account again'),
  ('app.blocked_senders', 'guests', 'period', '1 year', 'created_at', 'user_id is null and name <> ''Former member''', 'name', 'tells admins whom they blocked'),
  ('app.notices', 'rows', 'period', '180 days', 'created_at', 'kind <> ''approved''', null, 'also 1,000 per account; an approval once per account'),
  ('app.unsubscribe_tokens', 'rows', 'period', '0', 'expires_at', default, null, 'links in mails work for 60 days'),
  ('app.guest_links', 'rows', 'period', '0', 'expires_at', default, null, 'links in mails work for 14 to 30 days'),
  ('app.newsletter_allowances', 'rows', 'period', '0', 'day_used_until', default, null, 'limits subscriptions per client'),
  ('app.enquiry_briefs', 'clients', 'period', '24 hours', 'created_at', 'client is not null', 'client', 'limits enquiries per client'),
  ('app.enquiry_briefs', 'guests', 'period', '1 year', 'created_at', 'guest_email is not null', 'guest_email', 'mails to guests'),
  ('app.enquiries', 'guests', 'period', '1 year', 'created_at', 'sender_user_id is null and sender_name is not null',
    'sender_name, sender_company, sender_email', 'the influencer''s history keeps the enquiry'),
  ('app.collaborations', 'guests', 'period', '1 year', 'created_at', 'guest_name is not null', 'guest_name', 'the influencer''s history keeps the work'),
  ('app.enquiries', 'without a party', 'period', '1 year', 'created_at', 'influencer_id is null and sender_user_id is null', null, 'no account can read them'),
  ('app.collaborations', 'without a party', 'period', '1 year', 'created_at', 'coalesce(influencer_id, client_user_id, agency_id) is null', null, 'no account can read them'),
  ('app.gig_applications', 'without a party', 'period', '1 year', 'created_at', 'coalesce(influencer_id, agency_id) is null', null, 'no account can read them'),
  ('app.enquiries', 'unconfirmed', 'period', '30 days', 'expires_at', 'opened_at is null', null, 'nobody received them');
insert into serasi.retention (relation, name, bound, note)
select relation, 'rows', bound, note from (values
  ('owner', 'deleted with the account or profile', '{app.profiles,app.user_roles,app.influencers,app.influencer_private,app.agencies,app.vendors,app.moderation,app.gigs,app.favorites,app.notification_settings,app.digests}'),
  ('owner', 'deleted with the collaboration or the enquiries', '{app.reviews}'),
  ('owner', 'limited per day; deleted with the last enquiry', '{app.enquiry_briefs}'),
  ('owner', 'limited per day', '{app.enquiries,app.gig_applications,app.collaborations}'),
  ('owner', 'deleted with the report', '{app.report_decisions}'),
  ('reference', 'a row for each action of admins', '{app.audit_actions}'),
  ('reference', 'a row for each template, period, program, bucket or setting', '{app.hash_key}'),
  ('owner', 'until the subscriber or the deletion of the account ends it', '{app.newsletter_subscriptions}'),
  ('service', 'app.tick_erasure(): until all is erased', '{app.erasures}')
) as bounds (bound, note, relations), unnest(relations::text[]) as relation;
-- Accounts with a staff role or a profile stay.
update serasi.retention
set only_if = 'not exists (select from app.user_roles where user_id = users.id and role in (''admin'', ''superadmin''))
  and not exists (select from app.influencers where user_id = users.id) and not exists (select from app.agencies where user_id = users.id)
  and not exists (select from app.vendors where user_id = users.id)'
where relation = 'auth.users' and name = 'unconfirmed';
