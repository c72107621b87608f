//! The options and settings of backups.

use std::num::NonZeroU32;

use anyhow::Context;
use clap::Args;
use platform::env::Env;

use crate::DataDir;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    pub data_dir: DataDir,
    /// The folder for the backups, or s3://BUCKET/PREFIX [default: the setting BACKUP_TO]
    #[arg(long, value_name = "PLACE")]
    pub to: Option<String>,
    /// Afterwards, remove all backups except the newest COUNT [default: the setting BACKUP_KEEP]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: Option<u32>,
    /// Afterwards, remove backups older than DAYS days [default: the setting BACKUP_KEEP_DAYS]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_days: Option<u32>,
    /// Afterwards, compare every file of the backup with its hash
    #[arg(long)]
    pub verify: bool,
    /// Do nothing unless a superadmin requested a backup, or BACKUP_EVERY hours have passed since the last one
    #[arg(long)]
    pub if_due: bool,
    /// Keep running, and make the backups that are due or requested by superadmins
    #[arg(long, conflicts_with_all = ["verify", "if_due", "keep", "keep_days"])]
    pub watch: bool,
}

/// An existing backup.
#[derive(Args)]
pub struct Source {
    #[command(flatten)]
    pub data_dir: DataDir,
    /// The file or s3:// address of a backup, or of a place, whose newest backup is used [default: the setting BACKUP_TO]
    #[arg(value_name = "BACKUP")]
    pub from: Option<String>,
}

#[derive(Args)]
pub struct Restore {
    #[command(flatten)]
    pub source: Source,
    /// Leave out your own tables, functions and policies
    #[arg(long)]
    pub without_own_tables: bool,
}

/// How many backups the settings keep, and for how many days.
pub fn kept(env: &Env) -> anyhow::Result<(Option<u32>, Option<u32>)> {
    let number = |name: &str| {
        let number = env.optional(name).map(|_| env.parse_or(name, NonZeroU32::MIN)).transpose()?;
        anyhow::Ok(number.map(NonZeroU32::get))
    };
    Ok((number("BACKUP_KEEP")?, number("BACKUP_KEEP_DAYS")?))
}

impl Source {
    pub fn address<'a>(&'a self, env: &'a Env) -> anyhow::Result<&'a str> {
        let from = self.from.as_deref().or_else(|| env.optional("BACKUP_TO"));
        from.context("say which backup: a folder or s3://BUCKET/PREFIX")
    }
}
