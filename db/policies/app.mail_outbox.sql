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
