# What breaks and mends. The stage sets DB (a superuser's URL that bypasses the proxy), POSTGRES, SERASI and READER (process ids;
# READER reads the log), DATA, STORAGE and DISK (folders), FAKETIME (the library) and CLOCK (its file).

# A disk of so many megabytes. Needs root.
small_disk() {
  mkdir -p "$1" && mount -t tmpfs -o "size=$2m,mode=0755" tmpfs "$1"
}

prepare_clock() {
  [ -n "$FAKETIME" ] || { echo 'needs libfaketime' >&2; return 1; }
  echo +0s > "$CLOCK"
}

sql() {
  psql -XqAtd "$DB" "$@"
}

# Waits until PostgreSQL answers.
await_postgres() {
  for turn in $(seq 200); do
    sql -c 'select 1' > /dev/null 2>&1 && return
    sleep 0.1
  done
  echo 'PostgreSQL is not back after 20 s' >&2
  return 1
}

kill_postmaster() {
  kill -KILL "$POSTGRES"
  sleep 0.2
}

kill_backend() {
  kill -KILL "$(sql -c "select pid from pg_stat_activity where usename = 'authenticator' limit 1")"
  await_postgres
}

# The postmaster first, so that it can't start new backends.
freeze_postgres() {
  kill -STOP "$POSTGRES"
  kill -STOP $(pgrep -P "$POSTGRES")
}

thaw_postgres() {
  kill -CONT "$POSTGRES" $(pgrep -P "$POSTGRES")
}

# Leaves the connections reserved for superusers. Again, because the product reopens some in the meantime.
exhaust_connections() {
  sql -c 'create role others login' 2> /dev/null
  for turn in 1 2 3; do
    sql -c "select pg_terminate_backend(pid) from pg_stat_activity
            where usename in ('authenticator', 'auth_admin', 'storage_admin')" > /dev/null
    for connection in $(seq 100); do
      psql -Xqd "${DB/postgres@/others@}" -c 'select pg_sleep(20)' > /dev/null 2>&1 &
    done
    sleep 0.5
  done
}

release_connections() {
  sql -c "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'others'" > /dev/null
}

# Holds a lock for eight seconds.
hold_lock() {
  sql -c "begin; $1; select pg_sleep(8); rollback" > /dev/null
}

set_read_only() {
  sql -c "alter system set default_transaction_read_only = $1" -c 'select pg_reload_conf()' > /dev/null
}

# Fills the last blocks, too.
fill_disk() {
  dd if=/dev/zero of="$1/filler" bs=1M 2> /dev/null
  dd if=/dev/zero of="$1/filler" bs=4k oflag=append conv=notrunc 2> /dev/null
  true
}

# Writes more than the recycled WAL segments hold. The server may close the connection because of it.
fill_database_disk() {
  fill_disk "$DATA"
  timeout 10 psql -Xqd "$DB" -c "select pg_logical_emit_message(false, 'faults', repeat('x', 1000000))
                                 from generate_series(1, 120)" > /dev/null 2>&1
  true
}

# The service may have created an empty folder in the meantime.
bring_storage_back() {
  mv "$STORAGE" "$STORAGE.empty" 2> /dev/null
  mv "$STORAGE.away" "$STORAGE"
}

# Fails while a file is open for writing.
make_disk_read_only() {
  for turn in $(seq 50); do
    mount -o remount,ro "$DISK" 2> /dev/null && return
    sleep 0.02
  done
  return 1
}

lose_blob() {
  version=$(sql -c "select version from storage.objects where name like '%/to-delete.gif'")
  find "$STORAGE" -path "*$version*" -type f -delete
}

# libfaketime takes a while to notice.
set_clock() {
  echo "$1" > "$CLOCK"
  sleep 2.5
}
