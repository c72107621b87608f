-- Superadmins read the list of backups. app.request_backup() adds requests, and the programs that make backups connect as
-- superusers. Nobody else can write it, not even with the service key.
select app.reset_access('app.backups');

create policy "superadmins read" on app.backups for select to authenticated
  using ((select app.is_superadmin()));
-- For app.request_backup() and app.backup_state().
create policy "the owner of the schema reads" on app.backups for select to serasi_owner using (true);
create policy "the owner of the schema adds" on app.backups for insert to serasi_owner with check (state = 'requested');
-- For app.erase_member().
create policy "the owner of the schema erases" on app.backups for update to serasi_owner using (true);

grant select on app.backups to authenticated;
