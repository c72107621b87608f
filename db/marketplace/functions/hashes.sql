-- Hashes of addresses, with a key that only the owner of the schema reads: without it, anyone with a copy of a table could
-- compute the hashes of all network addresses, or of a list of e-mail addresses.

create or replace function app.keyed_hash(given text) returns text language sql stable as $$
  select encode(extensions.hmac(convert_to(encode(sha256(convert_to(given, 'UTF8')), 'hex'), 'UTF8'), key, 'sha256'), 'hex') from app.hash_key
$$;

-- All spellings of a mailbox have the same key.
create or replace function app.address_key(address text) returns text
language sql stable as $$ select app.keyed_hash(serasi.mailbox_of(address)) $$;

-- What replaces the ID of a deleted account wherever rows of the same account must stay together.
create or replace function app.pseudonym(account uuid) returns uuid
language sql stable as $$ select left(app.keyed_hash('account ' || account), 32)::uuid $$;
