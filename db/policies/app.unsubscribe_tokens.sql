-- Only app.new_unsubscribe_token(), app.unsubscribe() and app.tick_notifications() use this table. No other role has
-- privileges on it, not even the service key.
select app.reset_access('app.unsubscribe_tokens');

create policy "the owner of the schema does all" on app.unsubscribe_tokens to serasi_owner using (true) with check (true);
