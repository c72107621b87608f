-- Deleting a profile also deletes its images: those that its owner uploaded for it. The kind at the start of
-- the file name ('cover-…', 'gallery-3-…') tells the portals apart. The storage service removes the queued
-- images.

create or replace function app.queue_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into storage.removals (bucket_id, name)
  select bucket_id, name
  from storage.objects
  where bucket_id = 'images'
    -- All names below the folder: '0' is the character after '/'.
    and name collate "C" >= old.user_id || '/' and name collate "C" < old.user_id || '0'
    and storage.filename(name) ~ ('^(' || tg_argv[0] || ')-')
  -- If the image was uploaded and deleted again while the first removal waited, this deletion counts.
  on conflict (bucket_id, name) do update
    set queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at, attempts = 0;
  return null;
end $$;

create or replace trigger queue_images after delete on app.influencers
  for each row execute function app.queue_images('cover|profile|content');
create or replace trigger queue_images after delete on app.agencies
  for each row execute function app.queue_images('banner|logo|gallery');
create or replace trigger queue_images after delete on app.vendors
  for each row execute function app.queue_images('vendor-logo');
