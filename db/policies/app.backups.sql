-- Superadmins read it. Backups are requested through app.request_backup(), and the programs that make them connect as
-- superusers, so that nobody else writes it, not even with the service key.
select app.reset_access('app.backups');

create policy "superadmins read" on app.backups for select to authenticated
  using ((select app.is_superadmin()));
-- For security definer functions: app.request_backup(), app.backup_state().
create policy "the owner of the schema reads" on app.backups for select to serasi_owner using (true);
create policy "the owner of the schema adds" on app.backups for insert to serasi_owner with check (state = 'requested');

grant select on app.backups to authenticated;
