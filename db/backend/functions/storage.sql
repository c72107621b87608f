-- Helpers for policies on storage.objects, with the names that Supabase uses.

create or replace function storage.foldername(name text) returns text[] language sql immutable parallel safe as $$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$$;

create or replace function storage.filename(name text) returns text language sql immutable parallel safe as $$
  select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))]
$$;

create or replace function storage.extension(name text) returns text language sql immutable parallel safe as $$
  select case when storage.filename(name) like '%.%' then reverse(split_part(reverse(storage.filename(name)), '.', 1)) else '' end
$$;

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text) to anon, authenticated, service_role,
  storage_admin;

-- Deleting a row in SQL would leave the file behind. Only the storage service may, because it deletes both.
create or replace function storage.protect_delete() returns trigger language plpgsql as $$
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
