# One image for all services: the programs are small and share everything else.
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
RUN cargo build --locked --profile dist \
      --package rest-gateway --package auth-service --package storage-service --package functions --package serasi

FROM debian:bookworm-slim AS serasi
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home serasi && install -d -o serasi /var/lib/serasi
COPY --from=programs /src/target/dist/rest-gateway /src/target/dist/auth-service /src/target/dist/storage-service \
     /src/target/dist/functions /src/target/dist/serasi /usr/local/bin/
COPY --from=frontend /src/frontend/dist /usr/share/serasi/pages
USER serasi
WORKDIR /var/lib/serasi
