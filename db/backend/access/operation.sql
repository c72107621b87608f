-- Mails, backups and what the owner of the schema needs to run.

-- Not readable through the API, because it contains addresses, codes and links. The auth service adds its own mails and
-- delivers all of them, but can't change a mail's recipient or template.
select serasi.reset_access('serasi.mail_outbox');
select serasi.on_deletion('serasi.mail_outbox', 'removed by the account''s address; waiting mails to others lose name and texts');

create policy "the auth service does all" on serasi.mail_outbox to auth_admin using (true) with check (true);

grant select, delete on serasi.mail_outbox to auth_admin;
grant insert (template, recipient, data) on serasi.mail_outbox to auth_admin;
grant update (data, attempts, next_attempt_at, sent_at, given_up_at, last_error) on serasi.mail_outbox to auth_admin;

select serasi.reset_access('serasi.mail_templates');
select serasi.on_deletion('serasi.mail_templates', 'kept: of the operator');

-- The programs that make backups connect as superusers. Nobody else can write the table, not even with the service key.
select serasi.reset_access('serasi.backups');
select serasi.on_deletion('serasi.backups', 'replaced by a pseudonym', 'requested_by');
select serasi.on_deletion('serasi.backups', 'kept: of the operator', 'place, error');

-- Only functions read this table. The programs that report connect as superusers.
select serasi.reset_access('serasi.system_reports');
select serasi.on_deletion('serasi.system_reports', 'kept: of the operator');

-- How long rows are kept. Operators change periods as superusers.
select serasi.reset_access('serasi.retention');
select serasi.on_deletion('serasi.retention', 'kept: of the operator');
