-- Not readable through the API, because it contains guests' addresses.
select app.reset_access('app.enquiry_briefs');

create policy "the owner of the schema does all" on app.enquiry_briefs to serasi_owner using (true) with check (true);
