-- Tables that the API can't reach. Security definer functions use them, and no other role has privileges on them, not even the
-- service key.
select serasi.reset_access(name)
from unnest('{app.digests, app.enquiry_briefs, app.erasures, app.guest_links, app.hash_key, app.newsletter_allowances, app.unsubscribe_tokens}'::regclass[]) as name;
select serasi.on_deletion('app.enquiry_briefs', 'replaced: keyed hashes, and a guest''s address with the account of the same address', 'sender_key, client, guest_email');
select serasi.on_deletion('app.erasures', 'removed by app.tick_erasure(), when all is erased');
select serasi.on_deletion('app.guest_links', 'kept until it expires: the hash of a random token');
select serasi.on_deletion('app.hash_key', 'kept: random');
select serasi.on_deletion('app.newsletter_allowances', 'kept for a day: the keyed hash of a client');

-- For app.send_digest().
create policy "the owner of the schema records" on app.digests to serasi_owner using (true) with check (true);
-- Contains guests' addresses.
create policy "the owner of the schema does all" on app.enquiry_briefs to serasi_owner using (true) with check (true);
-- What is left to erase after deletions, for triggers and app.tick_erasure().
create policy "the owner of the schema does all" on app.erasures to serasi_owner using (true) with check (true);
create policy "the owner of the schema does all" on app.guest_links to serasi_owner using (true) with check (true);
create policy "the owner of the schema reads" on app.hash_key for select to serasi_owner using (true);
-- For app.limit_subscriptions().
create policy "the owner of the schema counts" on app.newsletter_allowances to serasi_owner using (true) with check (true);
-- For app.new_unsubscribe_token(), app.unsubscribe() and app.tick_notifications().
create policy "the owner of the schema does all" on app.unsubscribe_tokens to serasi_owner using (true) with check (true);
