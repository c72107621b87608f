//! `serasi verify`: compares every file of a backup with its hash.

use std::io;

use anyhow::Context;
use platform::env::Env;
use platform::progress::Progress;

use super::archive::{self, Checked};
use super::options::Source;
use super::place::{Local, Place};
use super::record;
use super::record::Record;
use crate::data_dir;
use crate::database::Database;

/// # Errors
/// When the backup is incomplete, damaged or not Serasi's.
pub async fn run(options: &Source, env: &Env) -> anyhow::Result<()> {
    let (place, name) = Place::find(options.address(env)?, env).await?;
    let address = place.address(&name);
    let local = place.fetch(&name).await?;
    let checked = check(&place, &local, io::sink(), &Progress::new(), &mut Record::default()).await;
    save(options, env, &place, &name, &checked).await;
    let checked = checked.with_context(|| format!("{address} can't be verified"))?;
    println!("Verified {}", checked.summary(&address));
    Ok(())
}

/// Records the outcome if a database is available: a backup can also be verified on another machine.
async fn save<T>(options: &Source, env: &Env, place: &Place, name: &str, outcome: &anyhow::Result<T>) {
    let folder = &options.data_dir.data_dir;
    if env.optional("DATABASE_URL").is_none() && data_dir::running(folder).is_none() {
        return;
    }
    let save = async {
        let (database, _) = Database::find(folder, env, &Progress::new()).await?;
        let mut connection = database.connect().await?;
        anyhow::Ok(record::save_verified(&mut connection, place, name, outcome).await?)
    };
    if let Err(error) = save.await {
        eprintln!("  The outcome is not recorded in the database: {error:#}");
    }
}

/// Reads every file of the backup, and copies the dump of the database.
///
/// # Errors
/// When the backup is incomplete, damaged, not Serasi's or too new.
pub async fn check(
    place: &Place,
    local: &Local,
    dump: impl io::Write,
    progress: &Progress,
    record: &mut Record,
) -> anyhow::Result<Checked> {
    let step = progress.step("Checking the backup");
    record.progress("verify", 0, 1).await;
    let checked = archive::check(&local.path, place.key.as_ref(), dump)?;
    step.done();
    Ok(checked)
}
