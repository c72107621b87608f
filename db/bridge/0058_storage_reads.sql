-- Reads of public objects query the database, so storage replicas need no leases and no notifications
-- (docs/decisions/025-reads-from-memory.md).
drop function if exists storage.tell_of_changes() cascade;
drop function if exists storage.tell_of_everything() cascade;
drop table storage.read_leases;
delete from app.retention where relation = 'storage.read_leases';
