//! `serasi migrate`: brings the database to this version's schema.

use platform::env::Env;

use crate::DataDir;
use crate::database::Database;
use crate::progress::Progress;

pub async fn run(options: &DataDir, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    database.migrate(None, &progress).await?;
    println!("The database has this version's schema.");
    Ok(())
}
