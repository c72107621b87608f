-- The first folder of a path in `images` is the id of its owner. The storage service itself serves public
-- pictures, so nobody needs to read another user's row.
select app.reset_access('storage.objects');

create policy "people read their own images" on storage.objects for select to authenticated
  using (bucket_id = 'images' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people add images under their own id" on storage.objects for insert to authenticated
  with check (bucket_id = 'images' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people replace their own images" on storage.objects for update to authenticated
  using (bucket_id = 'images' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id = 'images' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "people delete their own images" on storage.objects for delete to authenticated
  using (bucket_id = 'images' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "the storage service does all" on storage.objects to storage_admin using (true) with check (true);
-- For security definer functions: app.queue_images().
create policy "the owner of the schema reads" on storage.objects for select to serasi_owner using (true);

grant select, insert, update, delete on storage.objects to authenticated, service_role, storage_admin;
