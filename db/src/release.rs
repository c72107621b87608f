//! The parts of one version of the schema.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};
use sqlx::migrate::{Migration, MigrationType};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::error::{MigrationError, Result};
use crate::objects;
use crate::sql;

/// The version of the tables in `backend/` and `marketplace/`. Steps have higher numbers.
pub const BASELINE: i64 = 64;

/// What a database has. It is decided when the database is created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contents {
    /// What any app needs.
    Backend,
    #[default]
    Marketplace,
}

impl Contents {
    /// The description of the tables in `migration.applied`. Earlier versions had only the marketplace, and other descriptions.
    pub(crate) const BACKEND: &str = "backend";

    fn description(self) -> &'static str {
        match self {
            Self::Backend => Self::BACKEND,
            Self::Marketplace => "marketplace",
        }
    }
}

/// A file of functions, views or policies.
#[derive(Clone, Debug)]
pub struct Text {
    pub file: String,
    pub sql: String,
}

impl Text {
    pub(crate) fn hash(&self) -> String {
        hex(Sha256::digest(&self.sql))
    }

    /// The objects that this file creates.
    pub(crate) fn objects(&self) -> BTreeSet<String> {
        objects::created_by(&self.sql)
    }
}

#[derive(Clone, Debug)]
pub struct Release {
    pub contents: Contents,
    /// The program's version: an older one does not touch the database of a newer one.
    pub number: String,
    /// The tables, then the steps.
    pub migrations: Vec<Migration>,
    /// The files in the order in which they are applied.
    pub texts: Vec<Text>,
}

impl Release {
    /// The marketplace of the release that this program was built with.
    #[must_use]
    pub fn current() -> Self {
        Self::with(Contents::Marketplace)
    }

    /// The release that this program was built with.
    #[must_use]
    pub fn with(contents: Contents) -> Self {
        let steps = sql::files(contents, sql::STEPS);
        let mut migrations: Vec<Migration> = steps.iter().map(|(file, sql)| step(file, sql)).collect();
        migrations.push(tables(contents));
        migrations.sort_by_key(|migration| migration.version);
        let texts = sql::TEXTS.iter().flat_map(|folder| sql::files(contents, folder));
        Self {
            contents,
            number: env!("CARGO_PKG_VERSION").to_owned(),
            migrations,
            texts: texts.map(|(file, sql)| Text { file, sql: sql.into() }).collect(),
        }
    }

    /// The current release with the functions, views and policies that are in `folder` now.
    pub(crate) fn with_texts_from(contents: Contents, folder: &Path) -> Result<Self> {
        let mut release = Self::with(contents);
        for text in &mut release.texts {
            let read = std::fs::read_to_string(folder.join(&text.file));
            text.sql = read.map_err(|error| MigrationError::Unreadable { file: text.file.clone(), error })?;
        }
        Ok(release)
    }

    /// A hash of everything that an upgrade applies: equal hashes produce equal databases.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for migration in &self.migrations {
            hash.update(&migration.checksum);
        }
        for text in &self.texts {
            hash.update(&text.file);
            hash.update(&text.sql);
        }
        hex(hash.finalize())
    }

    pub(crate) fn last_migration(&self) -> i64 {
        self.migrations.iter().map(|migration| migration.version).max().unwrap_or_default()
    }

    /// Everything that this release creates, including objects that later migrations dropped.
    #[must_use]
    pub fn objects(&self) -> BTreeSet<String> {
        let migrations = self.migrations.iter().map(|migration| migration.sql.as_str());
        let texts = self.texts.iter().map(|text| text.sql.as_str());
        migrations.chain(texts).flat_map(objects::created_by).collect()
    }
}

/// The tables of a new database.
fn tables(contents: Contents) -> Migration {
    let files = sql::files(contents, sql::TABLES);
    let sql: String = files.iter().map(|(_, sql)| format!("{sql}; reset role;\n")).collect();
    // Comments may change without a new version.
    let code: Vec<&str> = sql.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let checksum = Sha256::digest(code.join("\n")).to_vec();
    let sql = AssertSqlSafe(sql).into_sql_str();
    let migration =
        Migration::new(BASELINE, contents.description().into(), MigrationType::Simple, sql, false);
    Migration { checksum: checksum.into(), ..migration }
}

/// `backend/steps/0065_add_a_column.sql`
fn step(file: &str, sql: &'static str) -> Migration {
    let name = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".sql");
    let (version, subject) = name.split_once('_').unwrap_or((name, ""));
    // A test finds a name without a number.
    let version = version.parse().unwrap_or_default();
    let is_online = sql.starts_with("-- no-transaction");
    Migration::new(
        version,
        subject.replace('_', " ").into(),
        MigrationType::Simple,
        sql.into_sql_str(),
        is_online,
    )
}

pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// An upgrade looks for functions with earlier parameters in the file that creates the name.
    #[test]
    fn an_object_is_created_by_one_file() {
        let mut owners = BTreeMap::new();
        for Text { file, sql } in Release::current().texts {
            for object in objects::created_by(&sql) {
                let other = owners.insert(object.clone(), file.clone());
                assert_eq!(other, None, "{object} is also in {file}");
            }
        }
    }

    /// Other apps could be built on the backend.
    #[test]
    fn the_backend_knows_nothing_of_the_marketplace() {
        let words = [
            "influencer",
            "agency",
            "agencies",
            "vendor",
            "gig",
            "enquir",
            "marketplace",
            " app.",
            "(app.",
            "'app.",
        ];
        let release = Release::with(Contents::Backend);
        let tables = release.migrations.iter().map(|step| step.sql.as_str());
        for sql in release.texts.iter().map(|text| text.sql.as_str()).chain(tables) {
            let sql = sql.to_lowercase();
            let lines = sql.lines().filter(|line| words.iter().any(|word| line.contains(word)));
            assert_eq!(lines.collect::<Vec<_>>(), Vec::<&str>::new());
        }
    }

    #[test]
    fn steps_follow_the_tables() {
        let versions: Vec<i64> = Release::current().migrations.iter().map(|one| one.version).collect();
        assert_eq!(versions[0], BASELINE);
        assert!(
            versions.is_sorted() && versions[1..].iter().all(|version| *version > BASELINE),
            "{versions:?}"
        );
    }
}
