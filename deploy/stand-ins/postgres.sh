#!/bin/bash
# Like the official image's entrypoint: the first start initializes the cluster with a server that listens only on its
# socket.
set -euo pipefail
export PGDATA=/var/lib/postgresql/18/docker
if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  chown postgres: /var/lib/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
mkdir -p /var/run/postgresql
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  initdb --username=postgres --pwfile="${POSTGRES_PASSWORD_FILE:?}" --auth-host=scram-sha-256 --auth-local=trust
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -w start -o "-c listen_addresses=''"
  createdb --username postgres "${POSTGRES_DB:?}"
  # An operator's scripts can take long here. A health check must not mistake this server for the real one.
  sleep "${STAND_IN_INITIALIZATION_SECONDS:-3}"
  pg_ctl -w -m fast stop
fi
exec "$@"
