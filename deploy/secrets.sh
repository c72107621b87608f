#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets/. Existing ones are kept, and so are values in the environment
# or in an `.env` of an earlier version. The keys that are derived from JWT_SECRET are rewritten.
#
#   docker build --target serasi -t serasi . && deploy/secrets.sh
#
# CONTAINERS=podman uses podman instead of docker.
set -eu
cd "$(dirname "$0")/.."
containers=${CONTAINERS:-docker}
folder=$PWD/deploy/secrets

# A setting of the environment or of `.env`.
setting() { # NAME
  eval "value=\${$1:-}"
  if [ -z "$value" ] && [ -f .env ]; then value=$(sed -n "s/^$1=//p" .env | tail -n 1 | tr -d "'\""); fi
  printf '%s' "$value"
}

if [ -n "$(setting JWT_SIGNING_KEYS)" ]; then
  echo "secrets.sh: move JWT_SIGNING_KEYS from .env to a file, and name the file in JWT_SIGNING_KEYS_FILE" >&2
  exit 1
fi

# Only the owner can enter the folder. The files are world-readable, because the containers' users read them.
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

put() { # NAME VALUE
  printf '%s\n' "$2" > "$folder/$1.partial"
  mv "$folder/$1.partial" "$folder/$1"
}
create() { # FILE SETTING BYTES [PREFIX]
  if [ ! -s "$folder/$1" ]; then
    given=$(setting "$2")
    put "$1" "${given:-${4:-}$(openssl rand -hex "$3")}"
  fi
}
create jwt_secret JWT_SECRET 32
create postgres_password POSTGRES_PASSWORD 32
create login_password LOGIN_PASSWORD 32
create s3_access_key_id S3_ACCESS_KEY_ID 12 GK
create s3_secret_access_key S3_SECRET_ACCESS_KEY 32
create garage_rpc_secret GARAGE_RPC_SECRET 32
put pictures.env "GARAGE_DEFAULT_ACCESS_KEY=$(cat "$folder/s3_access_key_id")
GARAGE_DEFAULT_SECRET_KEY=$(cat "$folder/s3_secret_access_key")"
chmod 600 "$folder/pictures.env"

# The API keys, and the keys that the gateway verifies tokens with.
set -- --env JWT_SECRET_FILE=/run/secrets/jwt_secret --volume "$folder/jwt_secret:/run/secrets/jwt_secret:ro"
keys=$(setting JWT_SIGNING_KEYS_FILE)
if [ -n "$keys" ]; then
  keys=$(realpath "$keys")
  set -- "$@" --env JWT_SIGNING_KEYS_FILE=/run/secrets/jwt_signing_keys \
    --volume "$keys:/run/secrets/jwt_signing_keys:ro"
fi
previous=$(setting JWT_PREVIOUS_SECRETS_FILE)
if [ -n "$previous" ]; then
  previous=$(realpath "$previous")
  set -- "$@" --env JWT_PREVIOUS_SECRETS_FILE=/run/secrets/jwt_previous_secrets \
    --volume "$previous:/run/secrets/jwt_previous_secrets:ro"
fi
derived=$("$containers" run --rm --network none "$@" serasi serasi keys)
value_of() { printf '%s\n' "$derived" | sed -n "s/^$1=//p" | sed "s/^'\(.*\)'\$/\1/"; }
put anon_key "$(value_of ANON_KEY)"
put service_role_key "$(value_of SERVICE_ROLE_KEY)"
put pgrst_jwt_secret "$(value_of PGRST_JWT_SECRET)"
echo "The secrets are in $folder."
