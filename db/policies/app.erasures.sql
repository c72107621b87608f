-- What is left to erase after deletions. Only triggers and app.tick_erasure() use this table.
select app.reset_access('app.erasures');

create policy "the owner of the schema does all" on app.erasures to serasi_owner using (true) with check (true);
