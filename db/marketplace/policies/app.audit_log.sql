-- Superadmins read the log, and triggers write it. Nobody can change entries, not even with the service key: only
-- app.erase_from_log() and app.end_retention() can (app.keep_the_log).
select app.reset_access('app.audit_log');

create policy "superadmins read" on app.audit_log for select to authenticated
  using ((select app.is_superadmin()));
-- For app.audit().
create policy "the owner of the schema adds" on app.audit_log for insert to serasi_owner with check (true);
create policy "the owner of the schema finds" on app.audit_log for select to serasi_owner using (true);
create policy "the owner of the schema erases" on app.audit_log for update to serasi_owner using (true);
create policy "the owner of the schema prunes" on app.audit_log for delete to serasi_owner using (true);

grant select on app.audit_log to authenticated, service_role;

select app.reset_access('app.audit_actions');

create policy "the owner of the schema reads" on app.audit_actions for select to serasi_owner using (true);
