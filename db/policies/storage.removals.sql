-- The queue of images that the storage service will remove. Triggers on profiles add to it.
select app.reset_access('storage.removals');

create policy "the storage service does all" on storage.removals to storage_admin using (true) with check (true);
-- For app.queue_folder() and app.queue_replaced_images().
create policy "the owner of the schema reads" on storage.removals for select to serasi_owner using (true);
create policy "the owner of the schema adds" on storage.removals for insert to serasi_owner with check (true);
create policy "the owner of the schema queues again" on storage.removals for update to serasi_owner using (true);

grant select, insert, update, delete on storage.removals to storage_admin;
