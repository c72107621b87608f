-- Operators manage buckets with the service key. Users can't list, create or change them, unless an imported project's
-- policies allow it.
select app.reset_access('storage.buckets');

create policy "the storage service does all" on storage.buckets to storage_admin using (true) with check (true);

grant select, insert, update, delete on storage.buckets to storage_admin, service_role;
grant references (id) on storage.buckets to developer;
select app.grant_to_imported_policies('storage.buckets');
