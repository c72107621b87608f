-- Only app.system_health() and app.request_backup() read this table. The programs that report connect as superusers.
select app.reset_access('app.system_reports');

create policy "the owner of the schema reads" on app.system_reports for select to serasi_owner using (true);
