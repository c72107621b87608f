#!/bin/sh
# Assembles the files of the image: one program, which acts as the service whose name it is started by, and folders for
# uploads and backups.
#   assemble.sh PROGRAM FOLDER
set -eu
install -D "$1" "$2/usr/local/bin/serasi"
for name in rest-gateway auth-service storage-service functions; do
  ln -s serasi "$2/usr/local/bin/$name"
done
mkdir -p "$2/storage" "$2/backups"
