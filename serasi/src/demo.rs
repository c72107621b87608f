//! `serasi demo` and `serasi seed`: open the database for the marketplace's demo and generated data.

use axum::Router;
use clap::Args;
use platform::env::Env;
use platform::progress::Progress;
use platform::random;
use platform::secret::Secret;

use crate::database::temporary_login::refuse_imported_triggers;
use crate::database::{Database, ensure_superuser};
use crate::keys::Keys;
use crate::{DataDir, storage_check};

pub async fn demo(options: &DataDir, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    database.migrate_marketplace("serasi demo", &progress).await?;
    let mut connection = database.connect().await?;
    refuse_imported_triggers(&mut connection).await?;
    // The pictures are uploaded through the storage service. The tokens for that are valid in this process
    // only.
    let secret = random::token(48);
    let keys = Keys::of_secret(Secret::new(&secret))?;
    let config = storage_check::config_as(env, &options.data_dir, database.admin_url(), &secret)?;
    let storage = storage_service::start(config).await?;
    let app = Router::new().nest_service("/storage/v1", storage.router());
    match site::demo::add(&mut connection, &app, &keys.service_role, &progress).await? {
        true => println!("The demo data was added."),
        false => println!("The database has accounts: nothing was added."),
    }
    Ok(())
}

#[derive(Args)]
pub struct SeedOptions {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    rows: site::seed::Options,
}

pub async fn seed(options: &SeedOptions, env: &Env) -> anyhow::Result<()> {
    options.rows.check()?;
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir.data_dir, env, &progress).await?;
    let mut connection = database.connect().await?;
    ensure_superuser(&mut connection, "serasi seed").await?;
    database.migrate_marketplace("serasi seed", &progress).await?;
    refuse_imported_triggers(&mut connection).await?;
    site::seed::run(&mut connection, &options.rows, &progress).await
}
