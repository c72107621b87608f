-- The storage service's work list; triggers of the profiles add to it.
select app.reset_access('storage.removals');

create policy "the storage service does all" on storage.removals to storage_admin using (true) with check (true);
-- For security definer functions: app.queue_images().
create policy "the owner of the schema adds" on storage.removals for insert to serasi_owner with check (true);

grant select, insert, update, delete on storage.removals to storage_admin;
