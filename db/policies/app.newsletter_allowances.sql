-- Only app.limit_subscriptions() uses this table. No other role has privileges on it, not even the service key.
select app.reset_access('app.newsletter_allowances');

create policy "the owner of the schema counts" on app.newsletter_allowances to serasi_owner using (true) with check (true);
