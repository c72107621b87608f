-- The moderation row, which admins write, is created with the profile. Its approval and badge are copied to the profile for
-- lists.

-- One function for all three kinds of profile would have to run dynamic SQL as the owner, so there are three.
create or replace function app.open_influencer_moderation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.influencer_moderation (user_id, approved, badge_type) select user_id, approved, badge_type from fresh;
  return null;
end $$;

create or replace function app.open_agency_moderation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.agency_moderation (user_id, badge_type) select user_id, badge_type from fresh;
  return null;
end $$;

create or replace function app.open_vendor_moderation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.vendor_moderation (user_id, badge_type) select user_id, badge_type from fresh;
  return null;
end $$;

create or replace function app.mirror_influencer_moderation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.influencers set approved = new.approved, badge_type = new.badge_type where user_id = new.user_id;
  return null;
end $$;

create or replace function app.mirror_agency_moderation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.agencies set badge_type = new.badge_type where user_id = new.user_id;
  return null;
end $$;

create or replace function app.mirror_vendor_moderation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.vendors set badge_type = new.badge_type where user_id = new.user_id;
  return null;
end $$;

-- Admins can't revoke an approval. The service key and superusers can.
create or replace function app.keep_approval() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not pg_has_role('service_role', 'usage') then
    raise exception 'An approval can''t be taken back'
      using errcode = 'check_violation', constraint = 'influencer_moderation_approval_is_final', table = 'influencer_moderation';
  end if;
  return new;
end $$;

create or replace trigger open_moderation after insert on app.influencers
  referencing new table as fresh for each statement execute function app.open_influencer_moderation();
create or replace trigger open_moderation after insert on app.agencies
  referencing new table as fresh for each statement execute function app.open_agency_moderation();
create or replace trigger open_moderation after insert on app.vendors
  referencing new table as fresh for each statement execute function app.open_vendor_moderation();

create or replace trigger mirror_moderation after update on app.influencer_moderation
  for each row when ((old.approved, old.badge_type) is distinct from (new.approved, new.badge_type))
  execute function app.mirror_influencer_moderation();
create or replace trigger mirror_moderation after update on app.agency_moderation
  for each row when (old.badge_type is distinct from new.badge_type) execute function app.mirror_agency_moderation();
create or replace trigger mirror_moderation after update on app.vendor_moderation
  for each row when (old.badge_type is distinct from new.badge_type) execute function app.mirror_vendor_moderation();

create or replace trigger keep_approval before update of approved on app.influencer_moderation
  for each row when (old.approved and not new.approved) execute function app.keep_approval();
