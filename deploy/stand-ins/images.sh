#!/bin/bash
# Builds images of the names in compose.yaml without an image registry: from Debian's packages and from programs that
# were built on this machine. For `cargo xtask test containers` and `ha`; production uses the real images.
#   images.sh FOLDER [ha]   FOLDER has `bin/serasi` and `pages` (the built frontend), and optionally `bin/garage`
#                           ha: also the images of deploy/ha/compose.yaml
# Needs root, podman, debootstrap and about 1.5 GB.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$(realpath "$1")
files=$PWD/deploy/stand-ins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A Debian release that has PostgreSQL 18 and an nginx that re-resolves names (1.27.3).
release=forky
base=localhost/serasi-stand-in/$release
# This machine's own mirror.
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } \
  | sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' | head -n 1)

step() { # NAME COMMAND…: prints how long it took
  local since=$SECONDS name=$1
  shift
  "$@"
  echo "$name: $((SECONDS - since)) s"
}
missing() { ! podman image exists "$1"; }
build() { # IMAGE: a Dockerfile on standard input, with $work as its context
  if ! podman build --quiet --network host --tag "$1" --file - "$work" > "$work/log" 2>&1; then
    cat "$work/log" >&2
    return 1
  fi
}
# A mirror may be a snapshot of an earlier day.
update='apt-get update -q -o Acquire::Check-Valid-Until=false'
install() { # PACKAGE…: a line for a Dockerfile
  echo "RUN $update && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $* && apt-get clean && rm -rf /var/lib/apt/lists/*"
}

debian() {
  missing "$base" || return 0
  # The script of `sid` installs every later release.
  debootstrap --variant=minbase --include=ca-certificates "$release" "$work/root" "$mirror" \
    /usr/share/debootstrap/scripts/sid > "$work/log" || { tail -n 20 "$work/log" >&2; return 1; }
  rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
  tar -C "$work/root" -c . | podman import --quiet - "$base" > /dev/null
  rm -rf "$work/root"
}

postgres() {
  cp "$files/postgres.sh" "$work/"
  build docker.io/library/postgres:18 <<DOCKERFILE
FROM $base
RUN mkdir /etc/postgresql-common && echo create_main_cluster=false > /etc/postgresql-common/createcluster.conf
$(install postgresql-18)
RUN sed -i "s/^#listen_addresses = .*/listen_addresses = '*'/" /usr/share/postgresql/18/postgresql.conf.sample
ENV PATH=/usr/lib/postgresql/18/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
COPY --chmod=755 postgres.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
DOCKERFILE
}

nginx() {
  cp "$files/nginx.sh" "$files/nginx.conf" "$work/"
  build docker.io/library/nginx:1.30-alpine <<DOCKERFILE
FROM $base
RUN useradd --system --no-create-home nginx
$(install nginx-light gettext-base wget)
RUN rm -rf /etc/nginx/sites-enabled && mkdir -p /etc/nginx/templates /etc/nginx/conf.d /var/cache/nginx
# Podman gives a tmpfs the mode of the folder in the image, whatever compose.yaml says.
RUN chmod 1777 /etc/nginx/conf.d /var/cache/nginx
COPY nginx.conf /etc/nginx/nginx.conf
COPY --chmod=755 nginx.sh /docker-entrypoint.sh
STOPSIGNAL SIGQUIT
ENTRYPOINT ["/docker-entrypoint.sh"]
CMD ["nginx", "-g", "daemon off;"]
DOCKERFILE
}

# Like the real image, which has nothing but the program.
garage() {
  cp "$built/bin/garage" "$work/garage"
  strip "$work/garage"
  build docker.io/dxflrs/garage:v2.5.0 <<DOCKERFILE
FROM $base
COPY garage /garage
DOCKERFILE
}

mail() {
  cp "$files/mailpit.py" "$work/"
  build docker.io/axllent/mailpit:v1.27 <<DOCKERFILE
FROM $base
$(install python3-minimal python3-aiosmtpd)
COPY --chmod=755 mailpit.py /mailpit
ENTRYPOINT ["/mailpit"]
DOCKERFILE
}

etcd() {
  local image=gcr.io/etcd-development/etcd:v3.6.5
  missing $image || return 0
  build $image <<DOCKERFILE
FROM $base
$(install etcd-server etcd-client)
# The volume belongs to root, as in the real image.
RUN rm -rf /var/lib/etcd && mkdir /var/lib/etcd
DOCKERFILE
}

haproxy() {
  local image=docker.io/library/haproxy:3.2-alpine
  missing $image || return 0
  build $image <<DOCKERFILE
FROM $base
$(install haproxy wget)
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
DOCKERFILE
}

# deploy/ha/Dockerfile, with another mirror.
database() {
  cp deploy/ha/* "$work/"
  sed "s#^FROM postgres#FROM docker.io/library/postgres#; s#apt-get update#$update#" deploy/ha/Dockerfile \
    | build localhost/serasi-database:latest
}

# The contents of Distroless: the files of a few packages, without a shell.
distroless() {
  local image=gcr.io/distroless/cc-debian12:nonroot
  missing $image || return 0
  mkdir -p "$work/packages" "$work/slim"
  (cd "$work/packages" && apt-get download -q base-files ca-certificates gcc-12-base libc6 libgcc-s1 libgomp1 libssl3 \
    libstdc++6 media-types netbase tzdata > "$work/log" 2>&1) || { cat "$work/log" >&2; return 1; }
  for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/slim"; done
  rm -rf "$work/slim/usr/share/doc" "$work/slim/usr/share/man" "$work/slim/usr/share/lintian"
  cat "$work"/slim/usr/share/ca-certificates/mozilla/*.crt | install_file "$work/slim/etc/ssl/certs/ca-certificates.crt"
  printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' \
    | install_file "$work/slim/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' | install_file "$work/slim/etc/group"
  mkdir -p "$work/slim/tmp" "$work/slim/home/nonroot" "$work/slim/proc" "$work/slim/sys" "$work/slim/dev"
  chmod 1777 "$work/slim/tmp"
  chown 65532:65532 "$work/slim/home/nonroot"
  tar -C "$work/slim" -c . | podman import --quiet --change USER=65532 --change WORKDIR=/home/nonroot \
    --change ENV=SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt - $image > /dev/null
}
install_file() { mkdir -p "$(dirname "$1")" && cat > "$1"; }

# The last stage of the Dockerfile, unchanged. The programs that earlier stages compile come from this machine.
serasi() {
  rm -rf "$work/out" "$work/pages"
  cp -a "$built/pages" "$work/pages"
  mkdir -p "$work/target/dist"
  strip -o "$work/target/dist/serasi" "$built/bin/serasi"
  cp deploy/assemble.sh "$work/"
  (cd "$work" && ./assemble.sh target/dist/serasi out "$OLDPWD/db/postgres/clients")
  { cat <<'DOCKERFILE'; sed -n '/ AS serasi$/,$p' Dockerfile; } | build localhost/serasi:latest
FROM scratch AS frontend
COPY pages /src/frontend/dist
FROM scratch AS programs
COPY out /out
DOCKERFILE
}

# Compose, which earlier Debian releases lack.
compose() {
  local target=$built/bin/docker-compose
  [ ! -x "$target" ] || return 0
  mkdir -p "$work/compose"
  podman run --rm --network host --volume "$work/compose:/download" --workdir /download "$base" \
    sh -c "$update && apt-get download -q docker-compose" > "$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  dpkg -x "$work"/compose/docker-compose_*.deb "$work/compose/root"
  local program
  program=$(find "$work/compose/root" -name docker-compose -type f | head -n 1)
  cp "$program" "$target"
}

step 'Debian' debian
step 'Compose' compose
step 'PostgreSQL' postgres
step 'nginx' nginx
step 'Garage' garage
step 'mail catcher' mail
step 'Distroless' distroless
step 'Serasi' serasi
if [ "${2:-}" = ha ]; then
  step 'etcd' etcd
  step 'HAProxy' haproxy
  step 'database node' database
fi
