-- Only the storage service's replicas read and write their leases.
select app.reset_access('storage.read_leases');

create policy "the storage service does all" on storage.read_leases to storage_admin using (true) with check (true);

grant select, insert, update, delete on storage.read_leases to storage_admin;
