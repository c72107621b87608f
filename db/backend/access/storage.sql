-- What an app's policies and imported ones allow. Without any, only the storage service sees the rows.
select serasi.reset_access('storage.objects');
select serasi.on_deletion('storage.objects', 'removed with the file, by the storage service; other buckets than images are the operator''s');

grant select, insert, update, delete on storage.objects to authenticated, service_role, storage_admin;
grant references (id) on storage.objects to developer;
select serasi.grant_to_imported_policies('storage.objects');
-- Operators manage buckets with the service key. Users can't list, create or change them, unless an imported project's
-- policies allow it.
select serasi.reset_access('storage.buckets');
select serasi.on_deletion('storage.buckets', 'kept: of the operator');

grant select, insert, update, delete on storage.buckets to storage_admin, service_role;
grant references (id) on storage.buckets to developer;
select serasi.grant_to_imported_policies('storage.buckets');
-- The queue of files that the storage service will remove. An app's triggers add to it.
select serasi.reset_access('storage.removals');
select serasi.on_deletion('storage.removals', 'removed with the file');

grant select, insert, update, delete on storage.removals to storage_admin;
