-- Deleting a profile queues the images that its owner uploaded for it; the storage service removes them. The prefix of the
-- file name ('cover-…', 'gallery-3-…') tells which kind of profile an image belongs to.

-- Queues the images in the folder of the profile's or the account's owner whose file names match the argument. The time is the
-- clock's and not the transaction's, because an image may be younger than the transaction: only images up to this time are removed.
create or replace function app.queue_images() returns trigger language plpgsql security definer as $$
declare
  account constant text := coalesce(to_jsonb(old) ->> 'user_id', old.id::text);
begin
  insert into storage.removals (bucket_id, name, queued_at)
  select bucket_id, name, clock_timestamp()
  from storage.objects
  where bucket_id = 'images'
    -- All names in the folder: '0' is the character after '/'.
    and name collate "C" >= account || '/' and name collate "C" < account || '0'
    and storage.filename(name) ~ tg_argv[0]
  -- The image may have been uploaded again while an earlier removal was queued: the removal starts over.
  on conflict (bucket_id, name) do update
    set queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at, attempts = 0;
  return null;
end $$;

create or replace trigger queue_images after delete on app.influencers
  for each row execute function app.queue_images('^(cover|profile|content)-');
create or replace trigger queue_images after delete on app.agencies
  for each row execute function app.queue_images('^(banner|logo|gallery)-');
create or replace trigger queue_images after delete on app.vendors
  for each row execute function app.queue_images('^vendor-logo-');
-- All images of the account.
create or replace trigger queue_images after delete on app.profiles for each row execute function app.queue_images('');

-- Queues the images that an update replaced or removed. Arguments: the columns with images.
create or replace function app.queue_replaced_images() returns trigger language plpgsql security definer as $$
begin
  insert into storage.removals (bucket_id, name)
  select bucket_id, name
  from storage.objects
  where bucket_id = 'images'
    and name in (
      select app.image_names(to_jsonb(old), tg_argv) except select app.image_names(to_jsonb(new), tg_argv)
    )
    -- Only the owner's images: a profile can link to those of others.
    and name collate "C" >= old.user_id || '/' and name collate "C" < old.user_id || '0'
  on conflict (bucket_id, name) do nothing;
  return null;
end $$;

-- The names of the stored images that these columns link to.
create or replace function app.image_names(record jsonb, columns text[]) returns setof text language sql immutable as $$
  select link[1]
  from unnest(columns) as name,
    regexp_matches(record ->> name, '/storage/v1/object/public/images/([^"?#]+)', 'g') as link
$$;

create or replace trigger queue_replaced_images after update of cover_image, profile_image, content_posts on app.influencers
  for each row execute function app.queue_replaced_images('cover_image', 'profile_image', 'content_posts');
create or replace trigger queue_replaced_images after update of banner_url, logo_url, gallery on app.agencies
  for each row execute function app.queue_replaced_images('banner_url', 'logo_url', 'gallery');
create or replace trigger queue_replaced_images after update of logo_url on app.vendors
  for each row execute function app.queue_replaced_images('logo_url');

-- The storage service writes the rows of uploads itself, after the caller's policies have allowed them or with a signed URL.
-- In the bucket `images`, the uploader's account must still be active then. The lock makes a deletion of the account wait, so
-- that it finds the image and removes it.
create or replace function app.check_image_owner() returns trigger language plpgsql security definer as $$
begin
  perform from app.profiles where id = new.owner for key share;
  perform app.refuse_if(not found or not app.is_active(new.owner), '42501', 'The account was deleted or is banned');
  return new;
end $$;

create or replace trigger check_owner before insert on storage.objects
  for each row when (current_user = 'storage_admin' and new.bucket_id = 'images' and new.owner_id is not null)
  execute function app.check_image_owner();
