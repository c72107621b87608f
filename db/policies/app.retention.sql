-- How long rows are kept. Operators change periods as superusers.
select app.reset_access('app.retention');

create policy "the owner of the schema reads" on app.retention for select to serasi_owner using (true);
