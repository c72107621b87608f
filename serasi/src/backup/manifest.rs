//! What a backup says about itself. It is the first file of the archive.

use anyhow::{Context, bail, ensure};
use db::Contents;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extensions::Extension;
use crate::import_owner::OnOurTables;

pub const PRODUCT: &str = "serasi";
/// Increased when earlier programs can't read the backup.
pub const FORMAT: u64 = 3;

#[derive(Serialize, Deserialize)]
pub struct Manifest {
    pub product: String,
    pub format: u64,
    /// The version of the program that made the backup.
    pub version: String,
    pub postgres: String,
    pub created_at: String,
    /// Whether the database has the backend alone.
    #[serde(default)]
    pub bare: bool,
    pub migrations: Vec<Applied>,
    /// The number of rows in all tables.
    pub rows: u64,
    /// The operator's policies and triggers on Serasi's tables.
    pub on_our_tables: OnOurTables,
    /// A superuser creates them before a restore.
    pub extensions: Vec<Extension>,
}

#[derive(Serialize, Deserialize)]
pub struct Applied {
    pub version: i64,
    pub checksum: String,
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
            "it has format {format} (Serasi {version}), and this program reads format {FORMAT}: restore it with that version or a later one"
        );
        let manifest: Self = serde_json::from_value(value).context("its manifest is damaged")?;
        manifest.check_migrations()?;
        Ok(manifest)
    }

    fn check_migrations(&self) -> anyhow::Result<()> {
        let ours = db::Release::with(self.contents()).migrations;
        for applied in &self.migrations {
            ensure!(
                applied.version >= db::BASELINE,
                "it was made by an older Serasi ({}, migration {}): restore it with the program that made it, then start this one",
                self.version,
                applied.version
            );
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

    pub fn contents(&self) -> Contents {
        if self.bare { Contents::Backend } else { Contents::Marketplace }
    }

    pub fn last_migration(&self) -> i64 {
        self.migrations.iter().map(|one| one.version).max().unwrap_or_default()
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
