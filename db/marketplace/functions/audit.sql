-- Triggers write the audit log in the same transaction as the action, so that no action goes unrecorded.

-- Who acted, as recorded in the log: the account's e-mail address, or else the role of the key or the database login.
create or replace function app.actor_name(actor_id uuid) returns text language sql stable as $$
  select coalesce((select email from app.profiles where id = actor_id), auth.role(), session_user::text)
$$;

create or replace function app.audit(
  actor_id uuid, action text, subject_type text, subject_id uuid, subject text, details jsonb default '{}'
) returns void language sql as $$
  insert into app.audit_log (actor_id, actor, action, subject_type, subject_id, subject, details)
  values (actor_id, app.actor_name(actor_id), action, subject_type, subject_id, subject, details)
$$;

-- Adds one entry per kind of decision in an update.
create or replace function app.audit_moderation() returns trigger language plpgsql security definer as $$
declare
  before constant jsonb := to_jsonb(old);
  after constant jsonb := to_jsonb(new);
  subject constant text := case new.kind
    when 'influencer' then (select name from app.influencers where user_id = new.user_id)
    when 'agency' then (select name from app.agencies where user_id = new.user_id)
    else (select name from app.vendors where user_id = new.user_id) end;
begin
  perform app.audit(auth.uid(), case when action = 'approve' and not new.approved then 'unapprove' else action end, new.kind, new.user_id,
    subject, jsonb_object_agg(field, jsonb_build_object('from', before -> field, 'to', after -> field)))
  from (values
    (1, 'approve', '{approved}'),
    (2, 'set_badge', '{badge_type}'),
    (3, 'set_access', '{access_influencer_page,access_agencies_page,access_events_page,access_gigs_page}'),
    (4, 'set_subscription', '{subscription_start_date,subscription_end_date}')
  ) as decisions (place, action, fields), unnest(fields::text[]) as field
  where before -> field is distinct from after -> field
  group by place, action order by place;
  return null;
end $$;

create or replace function app.audit_deletion() returns trigger language plpgsql security definer as $$
begin
  perform app.audit(auth.uid(), 'delete_profile', tg_argv[0], old.user_id, old.name, jsonb_build_object('profile_id', old.id));
  return null;
end $$;

-- For staff roles only: users choose other roles themselves at sign-up. The endpoint create-admin stores its caller's ID in
-- the app_metadata of the account that it creates.
create or replace function app.audit_role() returns trigger language plpgsql security definer as $$
declare
  held constant app.user_roles := case tg_op when 'DELETE' then old else new end;
  actor_id uuid := auth.uid();
begin
  if tg_op = 'INSERT' and actor_id is null then
    select case when left_by ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then left_by::uuid end into actor_id
    from (select raw_app_meta_data ->> 'created_by' as left_by from auth.users where id = held.user_id) as account;
  end if;
  perform app.audit(
    actor_id, case tg_op when 'DELETE' then 'revoke_role' else 'grant_role' end, 'account', held.user_id,
    (select email from app.profiles where id = held.user_id), jsonb_build_object('role', held.role));
  return null;
end $$;

create or replace trigger audit after update on app.moderation
  for each row when (old.* is distinct from new.*) execute function app.audit_moderation();

create or replace trigger audit_deletion after delete on app.influencers
  for each row execute function app.audit_deletion('influencer');
create or replace trigger audit_deletion after delete on app.agencies
  for each row execute function app.audit_deletion('agency');
create or replace trigger audit_deletion after delete on app.vendors
  for each row execute function app.audit_deletion('vendor');

create or replace trigger audit_granted after insert on app.user_roles
  for each row when (new.role in ('admin', 'superadmin')) execute function app.audit_role();
create or replace trigger audit_revoked after delete on app.user_roles
  for each row when (old.role in ('admin', 'superadmin')) execute function app.audit_role();

-- No role has the privilege to change the log. This trigger stops owners and superusers, who don't need one. The functions that
-- erase deleted accounts and old entries say so in a setting.
create or replace function app.keep_the_log() returns trigger language plpgsql as $$
begin
  if tg_op <> 'TRUNCATE' and current_setting('serasi.erases', true) = 'yes' then
    return null;
  end if;
  raise exception 'Entries of the audit log can''t be changed or removed' using errcode = 'insufficient_privilege', table = 'audit_log';
end $$;

create or replace trigger keep_the_log before update or delete or truncate on app.audit_log
  for each statement execute function app.keep_the_log();
