#!/bin/sh
# Creates the cluster's secrets in addition to those of deploy/secrets.sh: two passwords, and the certificate of the
# database nodes and PgBouncer, with its own CA. Existing ones are kept.
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/deploy/secrets
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

for name in replication_password patroni_password; do
  [ -s "$folder/$name" ] || openssl rand -hex 32 > "$folder/$name"
done

if [ ! -s "$folder/database_certificate" ]; then
  names=DNS:db1,DNS:db2,DNS:db3,DNS:haproxy1,DNS:haproxy2,DNS:pgbouncer1,DNS:pgbouncer2
  elliptic='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650'
  # shellcheck disable=SC2086
  openssl req -x509 $elliptic -subj '/CN=Serasi database authority' -keyout "$folder/database_ca_key" \
    -out "$folder/database_ca" 2> /dev/null
  # shellcheck disable=SC2086
  openssl req -x509 $elliptic -CA "$folder/database_ca" -CAkey "$folder/database_ca_key" -subj /CN=database \
    -addext "subjectAltName=$names" -addext basicConstraints=critical,CA:false \
    -keyout "$folder/database_key" -out "$folder/database_certificate" 2> /dev/null
  # The containers' users read all files but the CA's key, which only this script needs.
  chmod 644 "$folder/database_key"
  chmod 600 "$folder/database_ca_key"
fi
echo "The cluster's secrets are in $folder."
