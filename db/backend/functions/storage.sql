-- Helpers for policies on storage.objects, with the names that Supabase uses.

create or replace function storage.foldername(name text) returns text[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$$;

create or replace function storage.filename(name text) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))]
$$;

create or replace function storage.extension(name text) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case when storage.filename(name) like '%.%' then reverse(split_part(reverse(storage.filename(name)), '.', 1)) else '' end
$$;

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text)
  to anon, authenticated, service_role, storage_admin;

-- Deleting a row in SQL would leave the file behind. Only the storage service may, because it deletes both.
create or replace function storage.protect_delete() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.' using errcode = '42501';
  end if;
  return null;
end $$;

create or replace trigger protect_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();
create or replace trigger protect_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();

-- The storage service writes the rows of uploads itself, after the caller's policies have allowed them or with a signed URL.
-- In the bucket `images`, the uploader's account must still be active then. The lock makes a deletion of the account wait, so
-- that it finds the image and removes it.
create or replace function storage.check_owner() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from app.profiles where id = new.owner for key share;
  if not found or not app.is_active(new.owner) then
    raise exception 'The account was deleted or is banned' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace trigger check_owner before insert on storage.objects
  for each row when (current_user = 'storage_admin' and new.bucket_id = 'images' and new.owner_id is not null)
  execute function storage.check_owner();
