-- Tables that the API can't reach. Security definer functions use them, and no other role has privileges on them, not even the
-- service key.
select serasi.reset_access(name)
from unnest('{app.digests, app.enquiry_briefs, app.erasures, app.guest_links, app.hash_key, app.newsletter_allowances, app.unsubscribe_tokens}'::regclass[]) as name;
select serasi.on_deletion('app.enquiry_briefs', 'replaced: keyed hashes, and a guest''s address with the account of the same address', 'sender_key, client, guest_email');
select serasi.on_deletion('app.erasures', 'removed by app.tick_erasure(), when all is erased');
select serasi.on_deletion('app.guest_links', 'kept until it expires: the hash of a random token');
select serasi.on_deletion('app.hash_key', 'kept: random');
select serasi.on_deletion('app.newsletter_allowances', 'kept for a day: the keyed hash of a client');
