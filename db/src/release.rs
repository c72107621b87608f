//! The parts of one version of the schema.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};
use sqlx::migrate::Migration;

use crate::error::MigrationError;
use crate::objects::{self, Object};
use crate::sql;

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
    pub migrations: Vec<Migration>,
    /// The files in the order in which they are applied.
    pub texts: Vec<Text>,
}

impl Release {
    /// The release that this program was built with.
    #[must_use]
    pub fn current() -> Self {
        let texts = sql::REAPPLIED.iter();
        Self {
            number: env!("CARGO_PKG_VERSION").to_owned(),
            migrations: sqlx::migrate!("./migrations").iter().cloned().collect(),
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

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
