-- Every trigger: on which table and event it fires. The tests of the acts cover what each one does.
\ir ../setup.sql

select set_eq($have$
  select tgrelid::regclass || ': ' || regexp_replace(regexp_replace(pg_get_triggerdef(oid), '^CREATE TRIGGER ', ''), ' ON [a-z_.]+ ', ' ')
  from pg_trigger
  where not tgisinternal and tgenabled = 'O'
    and tgrelid in (select oid from pg_class where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole))$have$, $want$values
  ('agencies: delete_profile INSTEAD OF DELETE FOR EACH ROW EXECUTE FUNCTION app.delete_profile(''app.agencies'', ''app.agency_moderation'')'),
  ('agencies: insert_profile INSTEAD OF INSERT FOR EACH ROW EXECUTE FUNCTION app.insert_profile(''app.agencies'', ''app.agency_moderation'')'),
  ('agencies: update_profile INSTEAD OF UPDATE FOR EACH ROW EXECUTE FUNCTION app.update_profile(''app.agencies'', ''app.agency_moderation'')'),
  ('app.agencies: audit_deletion AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.audit_deletion(''agency'')'),
  ('app.agencies: open_moderation AFTER INSERT REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION app.open_agency_moderation()'),
  ('app.agencies: queue_images AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.queue_images(''banner|logo|gallery'')'),
  ('app.agencies: queue_replaced_images AFTER UPDATE OF banner_url, logo_url, gallery FOR EACH ROW WHEN ((((old.banner_url IS DISTINCT FROM new.banner_url) OR (old.logo_url IS DISTINCT FROM new.logo_url)) OR (old.gallery IS DISTINCT FROM new.gallery))) EXECUTE FUNCTION app.queue_replaced_images(''banner_url'', ''logo_url'', ''gallery'')'),
  ('app.agency_moderation: audit AFTER UPDATE FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.audit_moderation(''agency'', ''agencies'')'),
  ('app.agency_moderation: mirror_moderation AFTER UPDATE FOR EACH ROW WHEN ((old.badge_type IS DISTINCT FROM new.badge_type)) EXECUTE FUNCTION app.mirror_agency_moderation()'),
  ('app.audit_log: keep_the_log BEFORE DELETE OR UPDATE OR TRUNCATE FOR EACH STATEMENT EXECUTE FUNCTION app.keep_the_log()'),
  ('app.influencer_moderation: audit AFTER UPDATE FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.audit_moderation(''influencer'', ''influencers'')'),
  ('app.influencer_moderation: keep_approval BEFORE UPDATE OF approved FOR EACH ROW WHEN ((old.approved AND (NOT new.approved))) EXECUTE FUNCTION app.keep_approval()'),
  ('app.influencer_moderation: mirror_moderation AFTER UPDATE FOR EACH ROW WHEN (((old.approved IS DISTINCT FROM new.approved) OR (old.badge_type IS DISTINCT FROM new.badge_type))) EXECUTE FUNCTION app.mirror_influencer_moderation()'),
  ('app.influencer_moderation: tell_of_approval AFTER UPDATE FOR EACH ROW WHEN ((new.approved AND (NOT old.approved))) EXECUTE FUNCTION app.tell_of_approval()'),
  ('app.influencers: audit_deletion AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.audit_deletion(''influencer'')'),
  ('app.influencers: open_moderation AFTER INSERT REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION app.open_influencer_moderation()'),
  ('app.influencers: queue_images AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.queue_images(''cover|profile|content'')'),
  ('app.influencers: queue_replaced_images AFTER UPDATE OF cover_image, profile_image, content_posts FOR EACH ROW WHEN ((((old.cover_image IS DISTINCT FROM new.cover_image) OR (old.profile_image IS DISTINCT FROM new.profile_image)) OR (old.content_posts IS DISTINCT FROM new.content_posts))) EXECUTE FUNCTION app.queue_replaced_images(''cover_image'', ''profile_image'', ''content_posts'')'),
  ('app.mail_outbox: wake_mailer AFTER INSERT FOR EACH STATEMENT EXECUTE FUNCTION app.wake_mailer()'),
  ('app.gigs: queue_suspicious AFTER INSERT OR UPDATE OF title, description, budget, duration, requirements FOR EACH ROW EXECUTE FUNCTION app.queue_suspicious_text(''gig'', ''title'', ''description'', ''budget'', ''duration'', ''requirements'')'),
  ('app.reports: check_report BEFORE INSERT FOR EACH ROW WHEN (((new.words IS NULL) AND row_security_active(''app.reports''::text))) EXECUTE FUNCTION app.check_report()'),
  ('app.reports: open_report AFTER INSERT FOR EACH ROW EXECUTE FUNCTION app.open_report()'),
  ('app.user_roles: audit_granted AFTER INSERT FOR EACH ROW WHEN ((new.role = ANY (ARRAY[''admin''::text, ''superadmin''::text]))) EXECUTE FUNCTION app.audit_role()'),
  ('app.user_roles: audit_revoked AFTER DELETE FOR EACH ROW WHEN ((old.role = ANY (ARRAY[''admin''::text, ''superadmin''::text]))) EXECUTE FUNCTION app.audit_role()'),
  ('app.user_roles: keep_a_superadmin_deleted AFTER DELETE FOR EACH ROW WHEN ((old.role = ''superadmin''::text)) EXECUTE FUNCTION app.keep_a_superadmin()'),
  ('app.user_roles: keep_a_superadmin_updated AFTER UPDATE OF user_id, role FOR EACH ROW WHEN (((old.role = ''superadmin''::text) AND ((new.user_id <> old.user_id) OR (new.role <> ''superadmin''::text)))) EXECUTE FUNCTION app.keep_a_superadmin()'),
  ('auth.users: keep_a_superadmin_banned AFTER UPDATE OF banned_until FOR EACH ROW WHEN (((new.banned_until IS DISTINCT FROM old.banned_until) AND (new.banned_until IS NOT NULL))) EXECUTE FUNCTION app.keep_a_superadmin()'),
  ('app.favorites: limit_favorites AFTER INSERT FOR EACH STATEMENT WHEN (row_security_active(''app.favorites''::text)) EXECUTE FUNCTION app.limit_favorites()'),
  ('app.gigs: limit_gigs AFTER INSERT FOR EACH STATEMENT WHEN (row_security_active(''app.gigs''::text)) EXECUTE FUNCTION app.limit_gigs()'),
  ('app.newsletter_subscriptions: limit_subscriptions BEFORE INSERT FOR EACH ROW WHEN (row_security_active(''app.newsletter_subscriptions''::text)) EXECUTE FUNCTION app.limit_subscriptions()'),
  ('app.vendor_moderation: audit AFTER UPDATE FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION app.audit_moderation(''vendor'', ''vendors'')'),
  ('app.vendor_moderation: mirror_moderation AFTER UPDATE FOR EACH ROW WHEN ((old.badge_type IS DISTINCT FROM new.badge_type)) EXECUTE FUNCTION app.mirror_vendor_moderation()'),
  ('app.vendors: audit_deletion AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.audit_deletion(''vendor'')'),
  ('app.vendors: open_moderation AFTER INSERT REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION app.open_vendor_moderation()'),
  ('app.vendors: queue_images AFTER DELETE FOR EACH ROW EXECUTE FUNCTION app.queue_images(''vendor-logo'')'),
  ('app.vendors: queue_replaced_images AFTER UPDATE OF logo_url FOR EACH ROW WHEN ((old.logo_url IS DISTINCT FROM new.logo_url)) EXECUTE FUNCTION app.queue_replaced_images(''logo_url'')'),
  ('auth.users: close_accounts AFTER UPDATE OF deleted_at FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION app.close_accounts()'),
  ('auth.users: copy_email AFTER UPDATE OF email FOR EACH ROW WHEN ((old.email IS DISTINCT FROM new.email)) EXECUTE FUNCTION app.copy_email()'),
  ('auth.users: open_accounts AFTER INSERT REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION app.open_accounts()'),
  ('influencers: delete_profile INSTEAD OF DELETE FOR EACH ROW EXECUTE FUNCTION app.delete_profile(''app.influencers'', ''app.influencer_moderation'', ''app.influencer_private'')'),
  ('influencers: insert_profile INSTEAD OF INSERT FOR EACH ROW EXECUTE FUNCTION app.insert_profile(''app.influencers'', ''app.influencer_moderation'', ''app.influencer_private'')'),
  ('influencers: update_profile INSTEAD OF UPDATE FOR EACH ROW EXECUTE FUNCTION app.update_profile(''app.influencers'', ''app.influencer_moderation'', ''app.influencer_private'')'),
  ('newsletter_subscriptions: subscribe INSTEAD OF INSERT FOR EACH ROW EXECUTE FUNCTION app.subscribe()'),
  ('storage.buckets: protect_delete BEFORE DELETE FOR EACH STATEMENT EXECUTE FUNCTION storage.protect_delete()'),
  ('storage.objects: protect_delete BEFORE DELETE FOR EACH STATEMENT EXECUTE FUNCTION storage.protect_delete()'),
  ('vendors: delete_profile INSTEAD OF DELETE FOR EACH ROW EXECUTE FUNCTION app.delete_profile(''app.vendors'', ''app.vendor_moderation'')'),
  ('vendors: insert_profile INSTEAD OF INSERT FOR EACH ROW EXECUTE FUNCTION app.insert_profile(''app.vendors'', ''app.vendor_moderation'')'),
  ('vendors: update_profile INSTEAD OF UPDATE FOR EACH ROW EXECUTE FUNCTION app.update_profile(''app.vendors'', ''app.vendor_moderation'')')
$want$, 'triggers');

select set_eq($$select evtname || ' ' || evtevent || ' ' || evtfoid::regproc || ' ' || array_to_string(evttags, ', ') from pg_event_trigger where evtenabled = 'O'$$,
  $$values ('secure_new_tables ddl_command_end app.secure_new_tables CREATE TABLE, CREATE TABLE AS, SELECT INTO')$$, 'event triggers');
\ir ../finish.sql
