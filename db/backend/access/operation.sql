-- Mails, backups and what the owner of the schema needs to run.

-- Not readable through the API, because it contains addresses, codes and links. The auth service adds and delivers its own
-- mails, the functions deliver all others. Neither can change a mail's recipient or template, and the functions can't read the
-- codes and links of accounts.
select app.reset_access('app.mail_outbox');
select app.on_deletion('app.mail_outbox', 'removed by the account''s address; waiting mails to others lose name and texts');

create policy "the auth service does all" on app.mail_outbox to auth_admin using (true) with check (true);
create policy "the functions deliver notifications" on app.mail_outbox to functions_admin
  using (urgency > 0) with check (urgency > 0);
-- For security definer functions: app.tell_of_approval(), and app.notify(), which replaces unsent mails.
create policy "the owner of the schema adds" on app.mail_outbox for insert to serasi_owner with check (true);
create policy "the owner of the schema replaces" on app.mail_outbox for delete to serasi_owner using (true);
-- For app.erase_copies().
create policy "the owner of the schema erases" on app.mail_outbox for update to serasi_owner using (true);
-- For app.outbox_state(), which only counts rows, and for app.notify().
create policy "the owner of the schema counts" on app.mail_outbox for select to serasi_owner using (true);

grant select, delete on app.mail_outbox to auth_admin;
grant insert (template, recipient, data) on app.mail_outbox to auth_admin;
grant select, delete on app.mail_outbox to functions_admin;
grant update (data, attempts, next_attempt_at, sent_at, given_up_at, last_error) on app.mail_outbox to auth_admin, functions_admin;

select app.reset_access('app.mail_templates');
select app.on_deletion('app.mail_templates', 'kept: of the operator');

create policy "the owner of the schema reads" on app.mail_templates for select to serasi_owner using (true);

-- Superadmins read the list of backups. app.request_backup() adds requests, and the programs that make backups connect as
-- superusers. Nobody else can write it, not even with the service key.
select app.reset_access('app.backups');
select app.on_deletion('app.backups', 'replaced by a pseudonym', 'requested_by');
select app.on_deletion('app.backups', 'kept: of the operator', 'place, error');

create policy "superadmins read" on app.backups for select to authenticated
  using ((select app.is_superadmin()));
-- For app.request_backup() and app.backup_state().
create policy "the owner of the schema reads" on app.backups for select to serasi_owner using (true);
create policy "the owner of the schema adds" on app.backups for insert to serasi_owner with check (state = 'requested');
-- For app.erase_member().
create policy "the owner of the schema erases" on app.backups for update to serasi_owner using (true);

-- Only app.system_health() and app.request_backup() read this table. The programs that report connect as superusers.
select app.reset_access('app.system_reports');
select app.on_deletion('app.system_reports', 'kept: of the operator');

create policy "the owner of the schema reads" on app.system_reports for select to serasi_owner using (true);

-- How long rows are kept. Operators change periods as superusers.
select app.reset_access('app.retention');
select app.on_deletion('app.retention', 'kept: of the operator');

create policy "the owner of the schema reads" on app.retention for select to serasi_owner using (true);

-- The key of hashes. No role of the API or of a service reads it, not even with the service key.
select app.reset_access('app.hash_key');
select app.on_deletion('app.hash_key', 'kept: random');

create policy "the owner of the schema reads" on app.hash_key for select to serasi_owner using (true);

-- The backups that were requested or made, for superadmins.
create or replace view public.backups with (security_invoker = true) as
select id, created_at, requested_by, state, started_at, finished_at, step, percent, place, bytes, row_count, picture_count,
  verified_at, verified, removed_at, error
from app.backups;

select app.reset_access('public.backups');

grant select on app.backups, public.backups to authenticated;
