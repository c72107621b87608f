-- Only app.new_unsubscribe_token() and app.unsubscribe() use it. Nobody else has any privilege, not even the service key.
select app.reset_access('app.unsubscribe_tokens');

create policy "the owner of the schema does all" on app.unsubscribe_tokens to serasi_owner using (true) with check (true);
