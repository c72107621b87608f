-- Only app.send_digest() uses this table. No other role has privileges on it, not even the service key.
select app.reset_access('app.digests');

create policy "the owner of the schema records" on app.digests to serasi_owner using (true) with check (true);
