-- Superadmins read the log, and triggers write it. Nobody can change entries, not even with the service key.
select app.reset_access('app.audit_log');

create policy "superadmins read" on app.audit_log for select to authenticated
  using ((select app.is_superadmin()));
-- For app.audit().
create policy "the owner of the schema adds" on app.audit_log for insert to serasi_owner with check (true);

grant select on app.audit_log to authenticated, service_role;
