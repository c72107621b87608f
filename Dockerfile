# One image for all services. It contains one program, which acts as the service whose name it is started by.
#   docker build --target serasi -t serasi .
# compose.yaml chooses the program with `command:`.

FROM node:22-bookworm-slim AS frontend
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend .
RUN npm run build

FROM rust:1.95-bookworm AS programs
WORKDIR /src
COPY . .
# The commit, for `serasi --version`.
ARG SERASI_COMMIT
RUN apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends python3-pip \
  && python3 db/postgres/clients.py /clients
RUN cargo build --locked --profile dist --package serasi && deploy/assemble.sh target/dist/serasi /out /clients

# The C library, certificates and time zones: no shell, no package manager.
FROM gcr.io/distroless/cc-debian12:nonroot AS serasi
COPY --from=programs /out/usr /usr
COPY --from=programs --chown=65532:65532 /out/storage /var/lib/serasi/storage
COPY --from=programs --chown=65532:65532 /out/backups /var/lib/serasi/backups
COPY --from=frontend /src/frontend/dist /usr/share/serasi/pages
WORKDIR /var/lib/serasi
