-- Rows of Supabase's auth and storage servers, as seeds and data dumps insert them. The triggers also fire for dumps that set
-- session_replication_role to `replica`.

-- Replaces null, where the other servers store it, by our defaults.
create or replace function serasi.complete_row() returns trigger language plpgsql as $$
begin
  new := jsonb_populate_record(new,
    jsonb_build_object('created_at', now(), 'updated_at', now()) || tg_argv[0]::jsonb
    || (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(new)) where value <> 'null'));
  return new;
end $$;

create or replace function serasi.complete_account() returns trigger language plpgsql as $$
begin
  new.aud := coalesce(nullif(new.aud, ''), 'authenticated');
  new.role := coalesce(nullif(new.role, ''), 'authenticated');
  new.email := nullif(lower(new.email), '');
  new.phone := nullif(ltrim(new.phone, '+'), '');
  new.encrypted_password := nullif(new.encrypted_password, '');
  new.raw_app_meta_data := coalesce(nullif(new.raw_app_meta_data, 'null'), '{}');
  new.raw_user_meta_data := coalesce(nullif(new.raw_user_meta_data, 'null'), '{}');
  new.is_anonymous := coalesce(new.is_anonymous, false);
  new.is_sso_user := coalesce(new.is_sso_user, false);
  -- 2: both halves of a change are confirmed, and no change is pending.
  new.email_change_confirm_status := coalesce(nullif(new.email_change_confirm_status, 2), 0);
  new.created_at := coalesce(new.created_at, now());
  new.updated_at := coalesce(new.updated_at, now());
  return new;
end $$;

-- Skips rows that only the other server can use: tokens with another hash, factors with another key.
create or replace function serasi.skip_row() returns trigger language plpgsql as $$
begin
  return null;
end $$;

create or replace trigger complete_account before insert on auth.users for each row execute function serasi.complete_account();
create or replace trigger complete_row before insert on auth.identities
  for each row when (new.created_at is null or new.updated_at is null) execute function serasi.complete_row('{}');
create or replace trigger complete_row before insert on auth.sessions
  for each row when (new.aal is null or new.created_at is null or new.updated_at is null) execute function serasi.complete_row('{"aal": "aal1"}');
create or replace trigger complete_row before insert on storage.buckets
  for each row when (new.public is null or new.created_at is null or new.updated_at is null) execute function serasi.complete_row('{"public": false}');
create or replace trigger complete_row before insert on storage.objects
  for each row when (new.created_at is null or new.updated_at is null or new.last_accessed_at is null) execute function serasi.complete_row('{"last_accessed_at": "now"}');

create or replace trigger skip_row before insert on auth.refresh_tokens
  for each row when (new.token is not null) execute function serasi.skip_row();
create or replace trigger skip_row before insert on auth.flow_state
  for each row when (new.auth_code is not null or new.provider_type is not null) execute function serasi.skip_row();
create or replace trigger skip_row before insert on auth.one_time_tokens
  for each row when (new.updated_at is not null) execute function serasi.skip_row();
create or replace trigger skip_row before insert on auth.mfa_factors
  for each row when (new.factor_type is not null) execute function serasi.skip_row();
create or replace trigger skip_row before insert on auth.mfa_challenges
  for each row when (new.ip_address is not null) execute function serasi.skip_row();

alter table auth.users enable always trigger complete_account;
alter table auth.identities enable always trigger complete_row;
alter table auth.sessions enable always trigger complete_row;
alter table storage.buckets enable always trigger complete_row;
alter table storage.objects enable always trigger complete_row;
alter table auth.refresh_tokens enable always trigger skip_row;
alter table auth.flow_state enable always trigger skip_row;
alter table auth.one_time_tokens enable always trigger skip_row;
alter table auth.mfa_factors enable always trigger skip_row;
alter table auth.mfa_challenges enable always trigger skip_row;
