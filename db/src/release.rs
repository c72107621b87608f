//! The parts of one version of the schema.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};
use sqlx::migrate::{Migration, MigrationType};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::error::MigrationError;
use crate::objects::{self, Object};
use crate::sql;

/// The version of the tables in `backend/` and `marketplace/`. Steps have higher numbers.
pub const BASELINE: i64 = 62;

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
    pub(crate) fn objects(&self) -> BTreeSet<Object> {
        objects::created_by(&self.sql)
    }
}

#[derive(Clone, Debug)]
pub struct Release {
    /// The program's version: an older one does not touch the database of a newer one.
    pub number: String,
    /// The tables, then the steps.
    pub migrations: Vec<Migration>,
    /// The files in the order in which they are applied.
    pub texts: Vec<Text>,
}

impl Release {
    /// The release that this program was built with.
    #[must_use]
    pub fn current() -> Self {
        let steps = sqlx::migrate!("./steps");
        let texts = sql::TEXTS.iter();
        Self {
            number: env!("CARGO_PKG_VERSION").to_owned(),
            migrations: [tables()].into_iter().chain(steps.iter().cloned()).collect(),
            texts: texts.map(|(file, sql)| Text { file: (*file).into(), sql: (*sql).into() }).collect(),
        }
    }

    /// The current release with the functions, views and policies that are in `folder` now.
    pub(crate) fn with_texts_from(folder: &Path) -> Result<Self, MigrationError> {
        let mut release = Self::current();
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
    pub fn objects(&self) -> BTreeSet<Object> {
        let migrations = self.migrations.iter().map(|migration| migration.sql.as_str());
        let texts = self.texts.iter().map(|text| text.sql.as_str());
        migrations.chain(texts).flat_map(objects::created_by).collect()
    }
}

/// The tables of a new database.
fn tables() -> Migration {
    let sql: String = sql::TABLES.iter().map(|(_, sql)| format!("{sql}; reset role;\n")).collect();
    // Comments may change without a new version.
    let code: Vec<&str> = sql.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let checksum = Sha256::digest(code.join("\n")).to_vec();
    let sql = AssertSqlSafe(sql).into_sql_str();
    let migration = Migration::new(BASELINE, "tables".into(), MigrationType::Simple, sql, false);
    Migration { checksum: checksum.into(), ..migration }
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
        let words = ["influencer", "agency", "agencies", "vendor", "gig", "enquir"];
        let files = sql::TABLES.iter().chain(sql::TEXTS).filter(|(file, _)| file.starts_with("backend/"));
        let named =
            files.flat_map(|(file, sql)| words.map(|word| (*file, word, sql.to_lowercase().contains(word))));
        let named: Vec<_> = named.filter(|(.., found)| *found).collect();
        assert!(named.is_empty(), "{named:?}");
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
