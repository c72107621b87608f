-- Mails, backups and what the owner of the schema needs to run.

-- Not readable through the API, because it contains addresses, codes and links. The auth service adds its own mails and
-- delivers all of them, but can't change a mail's recipient or template.
select app.reset_access('app.mail_outbox');

create policy "the auth service does all" on app.mail_outbox to auth_admin using (true) with check (true);
-- For security definer functions: app.tell_of_approval(), and app.notify(), which replaces unsent mails.
create policy "the owner of the schema adds" on app.mail_outbox for insert to serasi_owner with check (true);
create policy "the owner of the schema replaces" on app.mail_outbox for delete to serasi_owner using (true);
-- For app.erase_copies().
create policy "the owner of the schema erases" on app.mail_outbox for update to serasi_owner using (true);
-- For app.outbox_state(), which only counts rows, and for app.notify().
create policy "the owner of the schema counts" on app.mail_outbox for select to serasi_owner using (true);

grant select, delete on app.mail_outbox to auth_admin;
grant insert (template, recipient, data) on app.mail_outbox to auth_admin;
grant update (data, attempts, next_attempt_at, sent_at, given_up_at, last_error) on app.mail_outbox to auth_admin;

select app.reset_access('app.mail_templates');

create policy "the owner of the schema reads" on app.mail_templates for select to serasi_owner using (true);

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

-- Only app.system_health() and app.request_backup() read this table. The programs that report connect as superusers.
select app.reset_access('app.system_reports');

create policy "the owner of the schema reads" on app.system_reports for select to serasi_owner using (true);

-- How long rows are kept. Operators change periods as superusers.
select app.reset_access('app.retention');

create policy "the owner of the schema reads" on app.retention for select to serasi_owner using (true);

-- The key of hashes. No role of the API or of a service reads it, not even with the service key.
select app.reset_access('app.hash_key');

create policy "the owner of the schema reads" on app.hash_key for select to serasi_owner using (true);

