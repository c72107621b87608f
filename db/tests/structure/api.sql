-- Everything that the API exposes, and every privilege on it. Extend these lists only on purpose.
\ir ../setup.sql

select set_eq('select relname || '' '' || relkind::text from pg_class where relnamespace = ''public''::regnamespace and relkind <> ''i''',
  $$values
  ('blocked_senders v'), ('report_counts v'), ('report_decisions v'), ('reports v'),
 
  ('collaborations v'), ('reviews v'),
  ('notifications v'), ('notification_settings v'),
  ('enquiries v'),
  ('gig_applications v'), ('gig_status v'),
  ('agencies v'), ('audit_log v'), ('backups v'), ('favorites v'), ('gigs v'), ('influencers v'), ('moderation_counts v'), ('newsletter_subscriptions v'), ('notices v'), ('profiles v'), ('user_roles v'), ('vendors v')$$,
  'public contains exactly these views and no table');
select set_eq('select proname::text from pg_proc where pronamespace = ''public''::regnamespace', array[
  'decide_report', 'reported_now', 'unblock_sender',
  'reset_factor', 'staff_access', 'staff_with_factor',
  
  'decide_application', 'decline_applications', 'withdraw_application',
  'mark_notifications_seen', 'set_notification_delivery', 'unsubscribe',
  'complete_collaboration', 'cancel_collaboration', 'reply_to_review', 'hide_review', 'guest_collaboration', 'complete_as_guest', 'cancel_as_guest', 'review_as_guest',
  'address_proved', 'send_enquiries', 'enquiries_left', 'answer_enquiry', 'withdraw_enquiry', 'guest_enquiry', 'confirm_enquiry', 'withdraw_guest_enquiry', 'enquiry_contact',
  'featured_influencers', 'request_backup', 'search_close_influencers', 'system_health'],
  'public contains exactly these functions');

select columns_are('public', view_name, columns, view_name || '''s columns')
from (values
  ('influencers', array['id', 'user_id', 'name', 'username', 'category', 'bio', 'profile_image', 'cover_image', 'instagram_followers', 'tiktok_followers', 'youtube_followers',
    'twitter_followers', 'instagram_link', 'tiktok_link', 'youtube_link', 'twitter_link', 'website_link', 'verified', 'approved', 'badge_type', 'age', 'location', 'language',
    'ethnicity', 'height', 'religion', 'services', 'content_posts', 'payment_info', 'date_of_birth', 'access_influencer_page', 'access_agencies_page', 'access_events_page',
    'access_gigs_page', 'subscription_start_date', 'subscription_end_date', 'created_at', 'instagram_followers_count', 'tiktok_followers_count', 'youtube_followers_count', 'twitter_followers_count',
    'rating', 'review_count']),
  ('agencies', array['id', 'user_id', 'name', 'email', 'company_name', 'phone', 'website', 'description', 'location', 'type', 'contracts_enabled', 'logo_url', 'banner_url', 'gallery',
    'badge_type', 'access_influencer_page', 'access_agencies_page', 'access_events_page', 'access_gigs_page', 'subscription_start_date', 'subscription_end_date', 'created_at',
    'rating', 'review_count']),
  ('collaborations', array['id', 'source', 'title', 'influencer_id', 'client_user_id', 'agency_id', 'guest_name', 'state', 'created_at', 'influencer_completed_at', 'client_completed_at',
    'completed_at', 'cancelled_at', 'cancelled_by', 'reason', 'side', 'influencer_name', 'client_name', 'influencer_email', 'client_email', 'review_until']),
  ('reviews', array['id', 'influencer_id', 'agency_id', 'side', 'rating', 'text', 'paid_on_time', 'reply', 'published_at', 'collaboration_id']),
  ('vendors', array['id', 'user_id', 'name', 'email', 'company_name', 'phone', 'website', 'description', 'location', 'type', 'logo_url',
    'badge_type', 'access_influencer_page', 'access_agencies_page', 'access_events_page', 'access_gigs_page', 'subscription_start_date', 'subscription_end_date', 'created_at']),
  ('gigs', array['id', 'agency_id', 'title', 'description', 'budget', 'duration', 'requirements', 'created_at', 'closes_on', 'places',
    'closed_at']),
  ('gig_applications', array['id', 'gig_id', 'influencer_id', 'pitch', 'quote', 'state', 'gig_title', 'created_at', 'decided_at', 'collaboration_id']),
  ('gig_status', array['gig_id', 'state', 'accepted', 'applicants', 'waiting']),
  ('enquiries', array['id', 'influencer_id', 'sender_user_id', 'sender_name', 'sender_company', 'sender_email', 'deliverables', 'message', 'budget_from', 'budget_to',
    'starts_on', 'ends_on', 'state', 'answer', 'reason', 'created_at', 'answered_at', 'expires_at', 'collaboration_id']),
  ('blocked_senders', array['id', 'user_id', 'name', 'reason', 'blocked_by', 'blocker', 'created_at']),
  ('report_counts', array['open', 'taken']),
  ('report_decisions', array['report_id', 'owner_id', 'taken_by', 'taker', 'taken_at', 'decided_by', 'decider', 'note', 'actions']),
  ('reports', array['id', 'kind', 'subject_id', 'reporter_id', 'reason', 'text', 'words', 'snapshot', 'title', 'state', 'created_at', 'decided_at']),
  ('user_roles', array['user_id', 'role']),
  ('profiles', array['id', 'email']),
  ('favorites', array['user_id', 'influencer_id', 'created_at']),
  ('newsletter_subscriptions', array['email']),
  ('notices', array['id', 'user_id', 'kind', 'created_at', 'seen_at']),
  ('notifications', array['id', 'user_id', 'kind', 'subject_id', 'data', 'created_at', 'seen_at']),
  ('notification_settings', array['user_id', 'kind', 'delivery']),
  ('moderation_counts', array['pending', 'influencers', 'agencies', 'vendors', 'admins']),
  ('audit_log', array['id', 'created_at', 'actor_id', 'actor', 'action', 'subject_type', 'subject_id', 'subject', 'details']),
  ('backups', array['id', 'created_at', 'requested_by', 'state', 'started_at', 'finished_at', 'step', 'percent', 'place', 'bytes', 'row_count', 'picture_count',
    'verified_at', 'verified', 'removed_at', 'error'])
) as expected (view_name, columns);

-- Embedding by table name must be unambiguous. So at most one foreign key connects two tables, and no table's primary key
-- contains two foreign keys, because the gateway would use it as a junction: a second relationship between the two.
select is_empty($$select least(conrelid, confrelid)::regclass, greatest(conrelid, confrelid)::regclass from pg_constraint
    where contype = 'f' and connamespace = 'app'::regnamespace group by least(conrelid, confrelid), greatest(conrelid, confrelid) having count(*) > 1$$,
  'at most one foreign key between two tables');
select is_empty($$select key.conrelid::regclass from pg_constraint as key
    join pg_constraint as reference on reference.conrelid = key.conrelid and reference.contype = 'f' and reference.conkey <@ key.conkey
    join pg_class on pg_class.oid = reference.confrelid and pg_class.relnamespace = 'app'::regnamespace
    where key.contype = 'p' and key.connamespace = 'app'::regnamespace group by key.conrelid having count(*) > 1$$, 'no junction table');

-- Privileges on schemas and types.
select set_eq($$select nspname || ': ' || string_agg(lower(privilege_type), ' ' order by privilege_type) || ' by ' || grantee::regrole
    from pg_namespace cross join lateral aclexplode(nspacl)
    where nspname in ('app', 'auth', 'storage', 'public', 'extensions') and grantee <> nspowner group by nspname, grantee$$,
  $$values ('app: usage by anon'), ('app: usage by authenticated'), ('app: usage by service_role'), ('app: usage by auth_admin'),
    ('auth: usage by anon'), ('auth: usage by authenticated'), ('auth: usage by service_role'), ('auth: usage by auth_admin'), ('auth: usage by storage_admin'), ('auth: usage by developer'), ('extensions: usage by developer'),
    ('public: usage by anon'), ('public: usage by authenticated'), ('public: usage by service_role'), ('public: create usage by developer'),
    ('storage: usage by anon'), ('storage: usage by authenticated'), ('storage: usage by service_role'), ('storage: usage by storage_admin'), ('storage: usage by developer')$$, 'schemas');
select set_eq($$select pg_type.oid::regtype || ' by ' || grantee::regrole from pg_type cross join lateral aclexplode(typacl)
    where typnamespace in ('app'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace, 'public'::regnamespace) and typtype in ('d', 'e') and grantee <> typowner$$,
  array['app.label by anon', 'app.label by authenticated', 'app.label by service_role'], 'types');

-- Privileges on tables.
create temporary view table_privilege as
select relnamespace::regnamespace || '.' || relname || ': ' || string_agg(lower(privilege_type), ' ' order by privilege_type) as line, grantee::regrole::text as who
from pg_class cross join lateral aclexplode(relacl)
where relnamespace in ('app'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace, 'public'::regnamespace) and grantee <> relowner and relkind in ('r', 'v')
group by relnamespace, relname, grantee;

select set_eq($$select line from table_privilege where who = 'anon'$$,
  $$values ('app.agencies: select'), ('app.agency_moderation: select'), ('app.influencer_moderation: select'), ('app.influencer_private: select'), ('app.influencers: select'),
    ('app.vendor_moderation: select'), ('app.vendors: select'), ('public.agencies: select'), ('public.influencers: select'), ('public.vendors: select'),
    ('app.reviews: select'), ('public.reviews: select'),
    ('public.newsletter_subscriptions: insert')$$, 'a visitor''s privileges');
select set_eq($$select line from table_privilege where who = 'authenticated'$$,
  $$values
    ('app.reports: select'), ('app.report_decisions: select'), ('public.reports: select'), ('public.report_decisions: select'), ('public.report_counts: select'), ('public.blocked_senders: select'),
   
    ('app.collaborations: select'), ('public.collaborations: select'), ('app.reviews: select'), ('public.reviews: select'),
    ('public.enquiries: select'),
    ('app.gig_applications: select'), ('public.gig_applications: select'), ('public.gig_status: select'),
    ('app.agencies: delete select'), ('app.agency_moderation: select'), ('app.audit_log: select'), ('app.backups: select'), ('public.backups: select'), ('app.notices: select'), ('app.favorites: delete select'), ('app.gigs: delete select'), ('app.influencer_moderation: select'),
    ('app.influencer_private: select'), ('app.influencers: delete select'), ('app.profiles: select'), ('app.user_roles: delete select'), ('app.vendor_moderation: select'),
    ('app.vendors: delete select'), ('public.agencies: delete insert select update'), ('public.audit_log: select'), ('public.notices: select'), ('public.favorites: delete select'), ('public.gigs: delete select'),
    ('public.influencers: delete insert select update'), ('public.moderation_counts: select'), ('public.newsletter_subscriptions: insert'), ('public.profiles: select'), ('public.user_roles: delete select'),
    ('public.vendors: delete insert select update'), ('storage.objects: delete insert select update'),
    ('public.notifications: select'), ('public.notification_settings: delete select'), ('app.notification_settings: delete select')$$, 'a signed-in user''s privileges');
select set_eq($$select line from table_privilege where who = 'auth_admin'$$,
  $$values ('app.mail_outbox: delete select'), ('auth.flow_state: delete insert select update'), ('auth.identities: delete insert select update'), ('auth.mail_allowances: delete insert select update'),
    ('auth.mfa_challenges: delete insert select update'), ('auth.mfa_factors: delete insert select update'), ('auth.mfa_failures: delete insert select update'), ('auth.mfa_recovery_codes: delete insert select'), ('auth.settings: insert select update'), ('auth.one_time_tokens: delete insert select update'), ('auth.refresh_tokens: delete insert select update'),
    ('auth.sessions: delete insert select update'), ('auth.sign_in_failures: delete insert select update'), ('auth.users: delete insert select update')$$, 'the auth service''s privileges');
select set_eq($$select line from table_privilege where who = 'storage_admin'$$,
  $$values ('storage.buckets: delete insert select update'), ('storage.objects: delete insert select update'), ('storage.removals: delete insert select update')$$, 'the storage service''s privileges');
select is_empty($$select line, who from table_privilege where who not in ('anon', 'authenticated', 'service_role', 'auth_admin', 'storage_admin')$$, 'no privileges for other roles, including the gateway''s login');
select is_empty($$select line from table_privilege where who = 'service_role' and line like 'auth.%'$$, 'the service key has no privileges in schema auth');
select set_eq($$select line from table_privilege where who = 'service_role'$$,
  $$select name || ': delete insert select update' from unnest(array['app.agencies', 'app.agency_moderation', 'app.favorites', 'app.gigs', 'app.influencer_moderation', 'app.influencer_private',
      'app.influencers', 'app.newsletter_subscriptions', 'app.notices', 'app.profiles', 'app.user_roles', 'app.vendor_moderation', 'app.vendors', 'public.agencies', 'public.favorites', 'public.gigs',
      'public.influencers', 'public.newsletter_subscriptions', 'public.notices', 'public.profiles', 'public.user_roles', 'public.vendors', 'storage.buckets', 'storage.objects',
      'public.notifications', 'public.notification_settings', 'app.notification_settings',
      'app.gig_applications', 'public.gig_applications']) as name
    union all values
      ('app.reports: select'), ('app.report_decisions: select'), ('public.reports: select'), ('public.report_decisions: select'), ('public.blocked_senders: select'),
     
    ('app.collaborations: delete insert select update'), ('public.collaborations: delete insert select update'), ('app.reviews: delete select'), ('public.reviews: delete select'),
    ('public.gig_status: select'),
    ('public.enquiries: select'),
    ('app.audit_log: select'), ('public.audit_log: select')$$, 'the service key''s privileges: everything except writing the log and the queues');

-- Privileges on columns.
create temporary view column_privilege as
select attrelid::regclass::text || ': ' || lower(privilege_type) || ' ' || string_agg(attname, ' ' order by attnum) as line, grantee::regrole::text as who
from pg_attribute cross join lateral aclexplode(attacl)
where attrelid in (select oid from pg_class where relnamespace in ('app'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace, 'public'::regnamespace))
group by attrelid, privilege_type, grantee;

select set_eq($$select line from column_privilege where who = 'authenticated' and line !~ '^app.(influencers|agencies|vendors): '$$,
  $$values
    ('app.reports: insert kind subject_id reason text'), ('reports: insert kind subject_id reason text'),
    ('app.blocked_senders: select id user_id name reason blocked_by blocker created_at'),
   
    ('app.enquiries: select id influencer_id sender_user_id sender_name sender_company sender_email deliverables message budget_from budget_to starts_on ends_on state answer reason created_at answered_at expires_at collaboration_id'),
    ('app.agency_moderation: update badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page subscription_start_date subscription_end_date'),
    ('app.vendor_moderation: update badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page subscription_start_date subscription_end_date'),
    ('app.influencer_moderation: update approved badge_type access_influencer_page access_agencies_page access_events_page access_gigs_page subscription_start_date subscription_end_date'),
    ('app.influencer_private: insert user_id payment_info date_of_birth'), ('app.influencer_private: update payment_info date_of_birth'),
    ('app.favorites: insert user_id influencer_id'), ('favorites: insert user_id influencer_id'),
    ('app.gigs: insert id agency_id title description budget duration requirements closes_on places'), ('app.gigs: update agency_id title description budget duration requirements closes_on places'),
    ('gigs: insert id agency_id title description budget duration requirements closes_on places'), ('gigs: update agency_id title description budget duration requirements closes_on places'),
    ('app.gig_applications: insert gig_id pitch quote'), ('gig_applications: insert gig_id pitch quote'),
    ('app.reviews: insert collaboration_id rating text paid_on_time'), ('reviews: insert rating text paid_on_time collaboration_id'),
    ('app.notices: update seen_at'), ('notices: update seen_at'),
    ('notifications: update seen_at'),
    ('app.notification_settings: insert user_id kind delivery'), ('notification_settings: insert user_id kind delivery'),
    ('app.notification_settings: update delivery'), ('notification_settings: update delivery'),
    ('app.newsletter_subscriptions: insert email')$$, 'a signed-in user''s columns');
-- In the profile tables, owners may write all columns except those for admins, generated ones and fixed ones.
select is_empty($$
  select attrelid::regclass, attname, privilege from pg_attribute cross join unnest(array['insert', 'update']) as privilege
  where attrelid in ('app.influencers'::regclass, 'app.agencies'::regclass, 'app.vendors'::regclass) and attnum > 0
    and has_column_privilege('authenticated', attrelid, attnum, privilege) <> (
      attname not in ('id', 'created_at', 'approved', 'badge_type',
        'review_count', 'rating_sum') and attgenerated = '' and (attname <> 'user_id' or privilege = 'insert'))
$$, 'an owner''s columns');
select set_eq($$select line from column_privilege where who = 'anon'$$, $$values ('app.newsletter_subscriptions: insert email')$$, 'a visitor''s columns');

select set_eq($$select line from column_privilege where who = 'auth_admin'$$,
  $$values ('app.mail_outbox: insert template recipient data'), ('app.mail_outbox: update data attempts next_attempt_at sent_at last_error given_up_at')$$, 'the auth service''s columns');

-- Privileges on functions.
select set_eq($$select proname::text from pg_proc where pronamespace in ('app'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace) and has_function_privilege('anon', oid, 'execute')$$,
  array[
    'guest_collaboration', 'complete_as_guest', 'cancel_as_guest', 'review_as_guest',
    'guest_enquiry', 'confirm_enquiry', 'withdraw_guest_enquiry',
    'jwt', 'uid', 'role', 'email', 'account_id', 'foldername', 'filename', 'extension', 'path_parts', 'folder_key', 'sort_key', 'is_email', 'is_one_line', 'label_like', 'label_ilike',
    'closeness', 'pieces_of', 'influencers_containing'], 'functions a visitor may call');

\ir ../finish.sql
