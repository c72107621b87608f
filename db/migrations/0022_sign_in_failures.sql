-- Wrong passwords, counted per address whether it has an account or not, so that a restart forgives nothing.
set local role serasi_owner;

-- Addresses as keyed hashes: people type other addresses than their own, and passwords, into the wrong field.
-- created_at: the first of these failures; the service knows how long they count, and removes what counts no more.
create table auth.sign_in_failures (
  address_hash text primary key,
  failures integer not null,
  created_at timestamptz not null,
  constraint sign_in_failures_failures_counted check (failures > 0)
);
create index sign_in_failures_created_at on auth.sign_in_failures (created_at);

reset role;
