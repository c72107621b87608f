-- The sweeper asks which of the blobs that lie in the storage a row names.
set local role serasi_owner;

create index objects_version on storage.objects (version collate "C");

reset role;
