-- Until when each replica of the storage service may answer from memory (docs/decisions/025-reads-from-memory.md).
-- Unlogged, so that renewing one writes nothing to disk. After a crash it is empty, and no replica has a lease.
set local role serasi_owner;

create unlogged table storage.read_leases (
  replica uuid primary key,
  until timestamptz not null
);

reset role;
