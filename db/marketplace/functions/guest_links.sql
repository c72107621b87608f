-- Links in mails to people without an account.

-- 244 random bits, in hexadecimal: a version 4 UUID has 122.
create or replace function app.random_token() returns text language sql volatile as $$
  select encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex')
$$;

-- Returns the token. Only its hash is stored.
create or replace function app.new_guest_link(purpose text, subject_id uuid, lifetime interval) returns text language plpgsql as $$
declare
  token constant text := app.random_token();
begin
  insert into app.guest_links (token_hash, purpose, subject_id, expires_at)
  values (encode(sha256(convert_to(token, 'UTF8')), 'hex'), purpose, subject_id, now() + lifetime);
  return token;
end $$;

-- The ID that the token was issued for; null if the token is unknown or expired, or has another purpose.
create or replace function app.guest_link_subject(token text, purpose text) returns uuid language sql stable as $$
  select subject_id from app.guest_links
  where token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex')
    and guest_links.purpose = guest_link_subject.purpose and expires_at > now()
$$;
