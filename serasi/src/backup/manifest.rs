//! What a backup consists of. The manifest is written last: a backup without one is incomplete.

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub const FILE: &str = "manifest.json";
pub const PRODUCT: &str = "serasi";
/// The newest format that this program reads. Increased when earlier programs can't read the backup.
pub const FORMAT: u64 = 2;
/// The format of backups without the operator's tables.
const FORMAT_WITHOUT_OWN_TABLES: u64 = 1;

#[derive(Serialize, Deserialize)]
pub struct Manifest {
    pub product: String,
    pub format: u64,
    /// The version of the program that made the backup.
    pub version: String,
    pub postgres: String,
    pub created_at: String,
    pub seconds: f64,
    pub compression: String,
    pub migrations: Vec<Applied>,
    pub tables: Vec<Table>,
    pub sequences: Vec<Sequence>,
    pub pictures: Pictures,
    /// `None` if the database has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_tables: Option<OwnTables>,
}

/// The operator's tables, functions and policies, which Serasi did not create.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTables {
    Saved(Saved),
    /// Excluded by `--without-own-tables`.
    LeftOut,
}

#[derive(Serialize, Deserialize)]
pub struct Saved {
    /// The version of the program that wrote the dump.
    pub pg_dump: String,
    pub rows: u64,
    #[serde(flatten)]
    pub file: Contents,
}

/// The lowest format that can represent the backup, so that earlier programs read as many as possible.
pub fn format(own_tables: Option<&OwnTables>) -> u64 {
    match own_tables {
        Some(OwnTables::Saved(_)) => FORMAT,
        Some(OwnTables::LeftOut) | None => FORMAT_WITHOUT_OWN_TABLES,
    }
}

#[derive(Serialize, Deserialize)]
pub struct Applied {
    pub version: i64,
    pub checksum: String,
}

#[derive(Serialize, Deserialize)]
pub struct Table {
    /// The table's name with its schema.
    pub name: String,
    pub columns: Vec<String>,
    pub rows: u64,
    #[serde(flatten)]
    pub file: Contents,
}

/// The size and hash of a file.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub struct Contents {
    pub bytes: u64,
    pub sha256: String,
}

#[derive(Serialize, Deserialize)]
pub struct Sequence {
    pub name: String,
    pub last_value: i64,
}

#[derive(Serialize, Deserialize)]
pub struct Pictures {
    pub count: u64,
    pub bytes: u64,
    /// Objects without a file: deleted during the backup, or already missing their file.
    pub missing: u64,
    /// The file with the hashes of all pictures.
    pub list: Contents,
}

impl Manifest {
    /// # Errors
    /// When this program can't restore the backup; the message says why.
    pub fn parse(text: &[u8]) -> anyhow::Result<Self> {
        let foreign = "it is not a backup of Serasi";
        let value: Value = serde_json::from_slice(text).context(foreign)?;
        ensure!(value["product"] == PRODUCT, foreign);
        let format = value["format"].as_u64().context(foreign)?;
        let version = value["version"].as_str().unwrap_or("?").to_owned();
        ensure!(
            format <= FORMAT,
            "it has format {format} (Serasi {version}), and this program reads formats up to {FORMAT}: restore it with that version or a later one"
        );
        let manifest: Self = serde_json::from_value(value).context("its manifest is damaged")?;
        manifest.check_migrations()?;
        Ok(manifest)
    }

    fn check_migrations(&self) -> anyhow::Result<()> {
        let ours = db::Release::current().migrations;
        for applied in &self.migrations {
            let Some(known) = ours.iter().find(|one| one.version == applied.version) else {
                bail!(
                    "it was made by a newer Serasi ({}, migration {}): restore it with that version or a later one",
                    self.version,
                    applied.version
                );
            };
            ensure!(
                hex(&known.checksum) == applied.checksum,
                "it was made by a different build of Serasi: migration {} differs; restore it with the program that made it",
                applied.version
            );
        }
        ensure!(!self.migrations.is_empty(), "its manifest is damaged: it names no migrations");
        Ok(())
    }

    pub fn last_migration(&self) -> i64 {
        self.migrations.iter().map(|one| one.version).max().unwrap_or_default()
    }

    pub fn saved_own_tables(&self) -> Option<&Saved> {
        match &self.own_tables {
            Some(OwnTables::Saved(saved)) => Some(saved),
            Some(OwnTables::LeftOut) | None => None,
        }
    }

    pub fn rows(&self) -> u64 {
        let own = self.saved_own_tables().map_or(0, |saved| saved.rows);
        self.tables.iter().map(|table| table.rows).sum::<u64>() + own
    }

    pub fn bytes(&self) -> u64 {
        let tables: u64 = self.tables.iter().map(|table| table.file.bytes).sum();
        let own = self.saved_own_tables().map_or(0, |saved| saved.file.bytes);
        tables + own + self.pictures.bytes + self.pictures.list.bytes
    }

    /// A one-line summary.
    pub fn summary(&self, address: &str) -> String {
        let megabytes = self.bytes() as f64 / 1e6;
        let own = match &self.own_tables {
            Some(OwnTables::Saved(saved)) => format!(" Includes {} rows of your own tables.", saved.rows),
            Some(OwnTables::LeftOut) => " YOUR OWN TABLES ARE LEFT OUT.".to_owned(),
            None => String::new(),
        };
        format!(
            "{address}: {} rows and {} pictures, {megabytes:.1} MB, {:.1} s.{own}",
            self.rows(),
            self.pictures.count,
            self.seconds
        )
    }
}

pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    use std::fmt::Write;
    bytes.as_ref().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
