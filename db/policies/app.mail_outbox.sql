-- Nobody's to read through the API: it holds addresses.
select app.reset_access('app.mail_outbox');

-- For security definer functions: the approval's trigger.
create policy "the owner of the schema adds" on app.mail_outbox for insert to serasi_owner with check (true);
