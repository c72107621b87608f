-- A profile takes its images with it: those its owner uploaded, told from another portal's by the kind that
-- begins the file's name ('cover-…', 'gallery-3-…'). The storage service removes what is queued here.

create or replace function app.queue_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into storage.removals (bucket_id, name)
  select bucket_id, name
  from storage.objects
  where bucket_id = 'images'
    -- The whole folder by its prefix: '0' is the character after '/'.
    and name collate "C" >= old.user_id || '/' and name collate "C" < old.user_id || '0'
    and storage.filename(name) ~ ('^(' || tg_argv[0] || ')-')
  -- Uploaded again and deleted again while the first removal waits: this deletion counts.
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
