-- The schema of the marketplace, and functions that constraints, indexes and generated columns call. They are not in functions/: stored
-- rows were checked and computed with them, so that a change needs a step that goes through the rows.
create schema app authorization serasi_owner;
revoke all on schema app from public;
grant usage on schema app to anon, authenticated, service_role, auth_admin, functions_admin;

set local role serasi_owner;

-- Names, titles and addresses are one line of visible text. Otherwise a character that nobody sees, or that changes the direction
-- of text, makes a name look like another account's, and a line break splits mails and lists.
-- Rejects control characters, line breaks, spaces other than ' ', marks that change the direction, and invisible characters.
-- Joiners and variation selectors are part of emoji and of some scripts: they are rejected at the ends and next to ASCII.
create function app.is_one_line(variadic fields text[]) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select not exists (
    select from unnest(fields) as field
    where field ~ ('[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]'
      || '|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]'
      || '|(^|[\u0001-\u007f])[\u200c\u200d]|[\u200c\u200d]([\u0001-\u007f]|$)|(^|[A-Za-z _.-])[\ufe00-\ufe0f]'))
$$;

-- The text without what app.is_one_line() rejects; '-' if nothing is left.
create function app.one_line(field text) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case when app.is_one_line(field) then field else coalesce(nullif(btrim(regexp_replace(
    regexp_replace(field, '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+', ' ', 'g'),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g')), ''), '-') end
$$;

create function app.is_email(address text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select char_length(address) <= 254 and address ~ '^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+\.[^\s@,;:<>()"\\.]+$' and app.is_one_line(address)
$$;

-- A check runs with the privileges of the role that writes the row.
grant execute on function app.is_email(text), app.is_one_line(text[]) to anon, authenticated, service_role;

-- The key of all hashes of addresses, and of pseudonyms: without it, hashes of all addresses can be computed. No role of the API or
-- of a service reads it.
create table app.hash_key (
  only_row boolean primary key default true,
  key bytea not null default extensions.gen_random_bytes(32),
  constraint hash_key_one_row check (only_row)
);
reset role;
insert into app.hash_key default values;
