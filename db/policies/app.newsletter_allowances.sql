-- Counted by app.limit_subscriptions() alone. Nobody else has any privilege here, the service key included.
select app.reset_access('app.newsletter_allowances');

create policy "the owner of the schema counts" on app.newsletter_allowances to serasi_owner using (true) with check (true);
