-- Every function: the role it runs as, and who besides its owner may call it.
\ir ../setup.sql

select set_eq($have$
  select pg_proc.oid::regprocedure || case when prosecdef then ': as its owner' else ': as its caller' end || coalesce(', by ' || (
    select string_agg(coalesce(nullif(grantee, 0)::regrole::text, 'everybody'), ' ' order by grantee::regrole::text)
    from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee <> proowner), '')
  from pg_proc where pronamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')$have$, $want$values
  ('app.actor_name(uuid): as its owner'),
  ('app.any_superadmin(): as its owner'),
  ('app.audit(uuid,text,text,uuid,text,jsonb): as its owner'),
  ('app.audit_deletion(): as its owner'),
  ('app.audit_moderation(): as its owner'),
  ('app.audit_role(): as its owner'),
  ('app.close_accounts(): as its owner'),
  ('app.closeness(text,text): as its owner, by anon authenticated service_role'),
  ('app.colliding_profile(regclass,anyelement): as its caller, by authenticated service_role'),
  ('app.client_digest(text): as its caller'),
  ('app.columns_granted(regclass,text): as its caller, by authenticated service_role'),
  ('app.common(text[],text[]): as its caller, by authenticated service_role'),
  ('app.copy_email(): as its owner'),
  ('app.delete_profile(): as its caller'),
  ('app.follower_count(text): as its caller, by authenticated service_role'),
  ('app.has_role(text): as its owner, by authenticated service_role'),
  ('app.image_names(jsonb,text[]): as its caller'),
  ('app.influencers_containing(text): as its caller, by anon authenticated service_role'),
  ('app.influencers_describing(text): as its caller, by anon authenticated service_role'),
  ('app.insert_columns(regclass,text[],anyelement): as its caller, by authenticated service_role'),
  ('app.insert_profile(): as its caller'),
  ('app.is_admin(): as its owner, by authenticated service_role'),
  ('app.is_email(text): as its caller, by anon authenticated service_role'),
  ('app.is_image_list(text[]): as its caller, by authenticated service_role'),
  ('app.is_image_url(text): as its caller, by authenticated service_role'),
  ('app.is_last_superadmin(): as its owner, by authenticated service_role'),
  ('app.is_optional_text(jsonb,integer): as its caller, by authenticated service_role'),
  ('app.is_payment_info(jsonb): as its caller, by authenticated service_role'),
  ('app.is_post_list(jsonb): as its caller, by authenticated service_role'),
  ('app.is_service_list(jsonb): as its caller, by authenticated service_role'),
  ('app.is_subscription_date(timestamp with time zone): as its caller, by authenticated service_role'),
  ('app.is_superadmin(): as its owner, by authenticated service_role'),
  ('app.is_web_link(text): as its caller, by authenticated service_role'),
  ('app.keep_a_superadmin(): as its owner'),
  ('app.keep_approval(): as its caller'),
  ('app.keep_the_log(): as its caller'),
  ('app.label_ilike(app.label,app.label): as its caller, by anon authenticated service_role'),
  ('app.label_like(app.label,app.label): as its caller, by anon authenticated service_role'),
  ('app.limit_favorites(): as its caller'),
  ('app.limit_gigs(): as its caller'),
  ('app.limit_subscriptions(): as its owner'),
  ('app.may_browse_gigs(): as its owner, by authenticated service_role'),
  ('app.merge_profile(regclass,uuid,text[],anyelement): as its caller, by authenticated service_role'),
  ('app.mirror_agency_moderation(): as its owner'),
  ('app.mirror_influencer_moderation(): as its owner'),
  ('app.mirror_vendor_moderation(): as its owner'),
  ('app.open_accounts(): as its owner'),
  ('app.open_agency_moderation(): as its owner'),
  ('app.open_influencer_moderation(): as its owner'),
  ('app.open_vendor_moderation(): as its owner'),
  ('app.own_agency_id(): as its owner, by authenticated service_role'),
  ('app.pieces_of(text): as its caller, by anon authenticated service_role'),
  ('app.queue_images(): as its owner'),
  ('app.queue_replaced_images(): as its owner'),
  ('app.refuse(text[],text): as its caller, by authenticated service_role'),
  ('app.reset_access(regclass): as its caller'),
  ('app.secure_new_tables(): as its caller'),
  ('app.subscribe(): as its caller'),
  ('app.take_subscription(text,integer,integer): as its caller'),
  ('app.tell_of_approval(): as its owner'),
  ('app.update_columns(regclass,uuid,text[],anyelement): as its caller, by authenticated service_role'),
  ('app.update_profile(): as its caller'),
  ('app.upsert_columns(regclass,text[],anyelement): as its caller, by authenticated service_role'),
  ('app.user_roles(influencers): as its caller, by authenticated service_role'),
  ('app.wake_mailer(): as its caller'),
  ('app.without(text[],text[]): as its caller, by authenticated service_role'),
  ('featured_influencers(): as its caller, by anon authenticated service_role'),
  ('app.notify(uuid,text,uuid,jsonb): as its owner'),
  ('app.queue_notification(uuid,text,boolean): as its owner'),
  ('app.new_unsubscribe_token(uuid,text): as its owner'),
  ('app.trim_notices(uuid): as its owner'),
  ('app.send_digest(uuid,date,timestamp with time zone): as its owner'),
  ('app.tick_notifications(timestamp with time zone): as its owner'),
  ('app.run_part(text): as its owner'),
  ('app.tick(): as its owner, by auth_admin'),
  ('app.unsubscribe(text): as its owner, by service_role'),
  ('unsubscribe(text): as its caller, by service_role'),
  ('mark_notifications_seen(uuid[]): as its caller, by authenticated'),
  ('set_notification_delivery(text[],text): as its caller, by authenticated'),
  ('system_health(): as its caller, by authenticated'),
  ('app.system_health(): as its owner, by authenticated'),
  ('app.replicas(): as its owner'),
  ('app.outbox_state(): as its owner'),
  ('app.disks(): as its owner'),
  ('app.backup_state(): as its owner'),
  ('app.backup_service(): as its caller'),
  ('app.request_backup(): as its owner, by authenticated'),
  ('request_backup(): as its caller, by authenticated'),
  ('search_close_influencers(text): as its caller, by anon authenticated service_role'),
  ('auth.email(): as its caller, by anon auth_admin authenticated service_role storage_admin'),
  ('auth.jwt(): as its caller, by anon auth_admin authenticated service_role storage_admin'),
  ('auth.role(): as its caller, by anon auth_admin authenticated service_role storage_admin'),
  ('auth.uid(): as its caller, by anon auth_admin authenticated service_role storage_admin'),
  ('storage.extension(text): as its caller, by anon authenticated service_role storage_admin'),
  ('storage.filename(text): as its caller, by anon authenticated service_role storage_admin'),
  ('storage.foldername(text): as its caller, by anon authenticated service_role storage_admin'),
  ('storage.path_parts(text): as its caller, by authenticated service_role storage_admin'),
  ('storage.protect_delete(): as its caller')
$want$, 'the functions');

-- LIKE on labels never raises an error: a pattern that ends in an incomplete escape matches nothing.
select is((app.label_like(value, pattern), app.label_ilike(value, pattern))::text, format('(%1$s,%1$s)', left(matches::text, 1)), format('%s like %s', value, pattern))
from (values ('a\', '%\\', true), ('a\', '%\', false), ('a\\', '%\\\', false), ('ab', 'a\b', true), ('ab', 'a\\b', false)) as pair (value, pattern, matches);

-- The caller as the helper functions report it.
select is(auth.jwt(), '{}', 'no claims without a token');
set local request.jwt.claims = '{"sub": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "role": "authenticated", "email": "somebody@example.test"}';
select is(auth.jwt() ->> 'email', 'somebody@example.test', 'auth.jwt()');
select is(auth.uid(), '7c9e6679-7425-40de-944b-e07fc1f90ae7', 'auth.uid()');
select is(auth.role(), 'authenticated', 'auth.role()');
select is(auth.email(), 'somebody@example.test', 'auth.email()');
set local request.jwt.claims = '';
\ir ../finish.sql
