-- How many mails of accounts an hour has left, for one address and for all together, whichever service sends them.
set local role serasi_owner;

-- Each mail moves `used_until` on by its share of an hour; a mail that would move it further than an hour ahead is
-- not sent. Addresses as keyed hashes; the empty one stands for all together. What lies in the past counts no more.
create table auth.mail_allowances (
  address_hash text primary key,
  used_until timestamptz not null
);
create index mail_allowances_used_until on auth.mail_allowances (used_until);

reset role;
