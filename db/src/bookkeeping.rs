//! The schema `migration`: the migrations and files that a database has, and the program that upgraded it
//! last.

use std::collections::BTreeMap;

use sqlx::PgConnection;
use sqlx::migrate::{Migrate, Migration};

use crate::error::{MigrationError, Result};
use crate::release::{BASELINE, Contents, Release};

/// The table of sqlx's migrator.
const APPLIED: &str = "migration.applied";

pub(crate) struct Recorded {
    /// The checksums.
    pub(crate) migrations: BTreeMap<i64, Vec<u8>>,
    /// An online step that began.
    pub(crate) unfinished: Option<i64>,
    /// The hash of each file of functions, views and policies.
    pub(crate) texts: BTreeMap<String, String>,
    /// The version of the program that upgraded the database last.
    number: Option<String>,
    /// `None` for a new database.
    contents: Option<Contents>,
}

/// The hash of the release that the database has; `None` when it has never been migrated.
pub(crate) async fn applied_hash(connection: &mut PgConnection) -> Result<Option<String>, sqlx::Error> {
    let known: bool = sqlx::query_scalar("select pg_catalog.to_regclass('migration.version') is not null")
        .fetch_one(&mut *connection)
        .await?;
    if !known {
        return Ok(None);
    }
    sqlx::query_scalar("select hash from migration.version").fetch_optional(connection).await
}

/// Creates the tables that an earlier version did not have, then reads them.
pub(crate) async fn read(connection: &mut PgConnection) -> Result<Recorded> {
    sqlx::raw_sql(
        "create schema if not exists migration;
         create table if not exists migration.version (hash text not null, applied_at timestamptz not null default now());
         alter table migration.version add column if not exists number text;
         create table if not exists migration.reapplied (file text primary key, hash text not null);
         create table if not exists migration.objects (object text primary key);
         create table if not exists migration.kept (object text not null, key text primary key)",
    )
    .execute(&mut *connection)
    .await?;
    connection.ensure_migrations_table(APPLIED).await?;
    let unfinished = connection.dirty_version(APPLIED).await?;
    let migrations = connection.list_applied_migrations(APPLIED).await?;
    // Versions without hashes stored no number. If one of them upgraded last, the hashes are outdated.
    let texts: Vec<(String, String)> = sqlx::query_as(
        "select file, hash from migration.reapplied where exists (select from migration.version where number is not null)",
    )
    .fetch_all(&mut *connection)
    .await?;
    let number: Option<Option<String>> =
        sqlx::query_scalar("select number from migration.version").fetch_optional(&mut *connection).await?;
    let contents = contents(connection).await?;
    Ok(Recorded {
        migrations: migrations
            .into_iter()
            .filter(|one| Some(one.version) != unfinished)
            .map(|one| (one.version, one.checksum.into_owned()))
            .collect(),
        unfinished,
        texts: texts.into_iter().collect(),
        number: number.flatten(),
        contents,
    })
}

/// What the database has; `None` when it has never been migrated.
///
/// # Errors
/// When the query fails.
pub async fn contents(connection: &mut PgConnection) -> Result<Option<Contents>, sqlx::Error> {
    let known: bool = sqlx::query_scalar("select pg_catalog.to_regclass('migration.applied') is not null")
        .fetch_one(&mut *connection)
        .await?;
    if !known {
        return Ok(None);
    }
    let tables: Option<String> =
        sqlx::query_scalar("select description from migration.applied order by version limit 1")
            .fetch_optional(connection)
            .await?;
    Ok(tables.map(|tables| match tables.as_str() {
        Contents::BACKEND => Contents::Backend,
        _ => Contents::Marketplace,
    }))
}

/// The tables of today include what these migrations did.
pub(crate) async fn forget_history(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("delete from migration.applied where version < $1")
        .bind(BASELINE)
        .execute(connection)
        .await
        .map(drop)
}

/// Records migrations as sqlx's migrator does, with their checksums. An online step that begins is not finished.
pub(crate) async fn record(
    connection: &mut PgConnection,
    migrations: &[&Migration],
    is_finished: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into migration.applied (version, description, success, checksum, execution_time)
         select version, description, $4, checksum, -1 from unnest($1::bigint[], $2::text[], $3::bytea[]) as one (version, description, checksum)
         on conflict (version) do update set success = excluded.success",
    )
    .bind(migrations.iter().map(|one| one.version).collect::<Vec<_>>())
    .bind(migrations.iter().map(|one| one.description.to_string()).collect::<Vec<_>>())
    .bind(migrations.iter().map(|one| one.checksum.to_vec()).collect::<Vec<_>>())
    .bind(is_finished)
    .execute(connection)
    .await
    .map(drop)
}

pub(crate) async fn write(connection: &mut PgConnection, release: &Release) -> Result<(), sqlx::Error> {
    let (files, hashes): (Vec<&str>, Vec<String>) =
        release.texts.iter().map(|text| (text.file.as_str(), text.hash())).unzip();
    sqlx::raw_sql("delete from migration.reapplied; delete from migration.version")
        .execute(&mut *connection)
        .await?;
    sqlx::query("insert into migration.reapplied (file, hash) select * from unnest($1::text[], $2::text[])")
        .bind(files)
        .bind(hashes)
        .execute(&mut *connection)
        .await?;
    sqlx::query("insert into migration.version (hash, number) values ($1, $2)")
        .bind(release.hash())
        .bind(&release.number)
        .execute(connection)
        .await
        .map(drop)
}

impl Recorded {
    /// An older program would restore earlier functions and policies, although the tables have changed.
    pub(crate) fn refuse_others(&self, release: &Release) -> Result {
        if self.contents.is_some_and(|contents| contents != release.contents) {
            return Err(MigrationError::OtherContents(match release.contents {
                Contents::Backend => {
                    "the database has the marketplace: start without --bare, or use an empty database"
                }
                Contents::Marketplace => {
                    "the database has the backend alone: start with --bare, or use an empty database"
                }
            }));
        }
        // Earlier ones were migrations of their own (`bridge.rs`).
        let known = |version: &i64| {
            *version < BASELINE || release.migrations.iter().any(|one| one.version == *version)
        };
        let unknown = self.migrations.keys().rev().find(|version| !known(version));
        let number = self.number.as_deref().filter(|number| parsed(number) > parsed(&release.number));
        if unknown.is_none() && number.is_none() {
            return Ok(());
        }
        let migration = self.migrations.keys().last().copied().unwrap_or_default();
        Err(MigrationError::NewerDatabase {
            database: match number {
                Some(number) => format!("of version {number} (migration {migration})"),
                None => format!("of a newer version (migration {})", unknown.unwrap_or(&migration)),
            },
            program: format!("version {} (migration {})", release.number, release.last_migration()),
        })
    }
}

fn parsed(number: &str) -> Vec<u64> {
    number.split(['.', '-', '+']).take(3).map(|part| part.parse().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(parsed("0.10.0") > parsed("0.9.3"));
        assert!(parsed("1.0.0") > parsed("0.99.0"));
        assert_eq!(parsed("1.2.3-rc.1"), parsed("1.2.3"));
    }
}
