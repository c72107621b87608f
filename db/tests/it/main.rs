//! Tests on a real PostgreSQL. `TEST_DATABASE_URL` names a superuser of version 15 or later.

#![expect(clippy::expect_used, reason = "a panic fails the test")]

mod applications;
mod backups;
mod bare;
mod catalog;
mod enquiries;
mod erasure;
mod limits;
mod locks;
mod migrate;
mod notifications;
mod pinned;
mod reports;
mod reviews;
mod schema;
mod seed;
mod superadmins;
mod support;
mod told_later;
mod upgrades;
mod upserts;
