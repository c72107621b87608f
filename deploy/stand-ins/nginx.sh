#!/bin/sh
# Like the official image's entrypoint: fills environment variables into templates.
set -eu
NGINX_LOCAL_RESOLVERS=$(awk '$1 == "nameserver" { print $2 }' /etc/resolv.conf | head -n 1)
export NGINX_LOCAL_RESOLVERS
defined=$(env | sed 's/=.*//; s/^/${/; s/$/}/' | tr '\n' ' ')
for template in /etc/nginx/templates/*.template; do
  envsubst "$defined" < "$template" > "/etc/nginx/conf.d/$(basename "$template" .template)"
done
exec "$@"
