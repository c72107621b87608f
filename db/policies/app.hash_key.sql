-- The key of hashes. No role of the API or of a service reads it, not even with the service key.
select app.reset_access('app.hash_key');

create policy "the owner of the schema reads" on app.hash_key for select to serasi_owner using (true);
