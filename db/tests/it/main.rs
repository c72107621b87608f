//! Through a real PostgreSQL: `TEST_DATABASE_URL` names a superuser of version 15 or later.

mod migrate;
mod seed;
mod support;
