//! `serasi verify`: compares every file of a backup with its hash.

use std::io;

use anyhow::Context;
use platform::env::Env;
use platform::progress::Progress;

use super::place::Place;
use super::{Source, archive, record};
use crate::data_dir;
use crate::database::Database;

/// # Errors
/// When the backup is incomplete, damaged or not Serasi's.
pub async fn run(options: &Source, env: &Env) -> anyhow::Result<()> {
    let (place, name) = Place::find(options.address(env)?, env).await?;
    let address = place.address(&name);
    let backup = place.fetch(&name).await?;
    let step = Progress::new().step("Checking the backup");
    let checked = archive::check(&backup, place.key.as_ref(), io::sink());
    step.done();
    // A backup can also be verified on another machine, without a database.
    let folder = &options.data_dir.data_dir;
    if env.optional("DATABASE_URL").is_some() || data_dir::running(folder).is_some() {
        let save = async {
            let (database, _) = Database::find(folder, env, &Progress::new()).await?;
            let mut connection = database.connect().await?;
            anyhow::Ok(record::save_verified(&mut connection, &place, &name, &checked).await?)
        };
        if let Err(error) = save.await {
            eprintln!("  The outcome is not recorded in the database: {error:#}");
        }
    }
    let checked = checked.with_context(|| format!("{address} can't be verified"))?;
    println!("Verified {}", checked.summary(&address));
    Ok(())
}
