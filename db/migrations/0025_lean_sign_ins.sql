-- A sign-in is a hash and hardly anything else: what it reads it finds by an index, and it writes no more than it must.

-- Tables in memory or on a solid-state disk. At the default of 4 a hundred accounts are all read to find one.
alter role auth_admin set random_page_cost = 1.1;

set local role serasi_owner;

-- The session says whose the token is.
alter table auth.refresh_tokens drop column user_id;

reset role;
