-- In the bucket `images`, the first folder of a key is the ID of its owner; a key without a folder has no owner.
-- `path_tokens` is the key split at slashes, and its first element is indexed, unlike (storage.foldername(name))[1]. The
-- storage service itself serves public images, so users don't need to read each other's rows.
select app.reset_access('storage.objects');
select app.on_deletion('storage.objects', 'removed with the file, by the storage service; other buckets than images are the operator''s');

create policy "people read their own images" on storage.objects for select to authenticated
  using (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1);
create policy "people add images under their own id" on storage.objects for insert to authenticated
  with check (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1);
create policy "people replace their own images" on storage.objects for update to authenticated
  using (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1)
  with check (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1);
create policy "people delete their own images" on storage.objects for delete to authenticated
  using (bucket_id = 'images' and path_tokens[1] = (select app.account_id())::text and cardinality(path_tokens) > 1);
create policy "the storage service does all" on storage.objects to storage_admin using (true) with check (true);
-- For app.queue_folder() and app.queue_replaced_images().
create policy "the owner of the schema reads" on storage.objects for select to serasi_owner using (true);

grant select, insert, update, delete on storage.objects to authenticated, service_role, storage_admin;
grant references (id) on storage.objects to developer;
select app.grant_to_imported_policies('storage.objects');
-- Operators manage buckets with the service key. Users can't list, create or change them, unless an imported project's
-- policies allow it.
select app.reset_access('storage.buckets');
select app.on_deletion('storage.buckets', 'kept: of the operator');

create policy "the storage service does all" on storage.buckets to storage_admin using (true) with check (true);

grant select, insert, update, delete on storage.buckets to storage_admin, service_role;
grant references (id) on storage.buckets to developer;
select app.grant_to_imported_policies('storage.buckets');
-- The queue of images that the storage service will remove. Triggers on profiles add to it.
select app.reset_access('storage.removals');
select app.on_deletion('storage.removals', 'removed with the file');

create policy "the storage service does all" on storage.removals to storage_admin using (true) with check (true);
-- For app.queue_folder() and app.queue_replaced_images().
create policy "the owner of the schema reads" on storage.removals for select to serasi_owner using (true);
create policy "the owner of the schema adds" on storage.removals for insert to serasi_owner with check (true);
create policy "the owner of the schema queues again" on storage.removals for update to serasi_owner using (true);

grant select, insert, update, delete on storage.removals to storage_admin;
