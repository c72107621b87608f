-- Images whose profile is gone, until the storage service has removed the bytes and the row.
set local role serasi_owner;

create table storage.removals (
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  queued_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  primary key (bucket_id, name),
  constraint removals_attempts_counted check (attempts >= 0)
);
create index removals_due on storage.removals (next_attempt_at);

reset role;
