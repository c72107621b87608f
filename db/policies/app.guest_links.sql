-- Not accessible through the API. Security definer functions create and check links.
select app.reset_access('app.guest_links');

create policy "the owner of the schema does all" on app.guest_links to serasi_owner using (true) with check (true);
