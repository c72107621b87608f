//! `serasi migrate`: migrates the database to this version's schema. If `LOGIN_PASSWORD` is set, it also
//! becomes the password of the services' logins, for separately deployed services (compose).

use std::time::Duration;

use anyhow::Context;
use platform::env::Env;
use platform::secret::Secret;
use sqlx::Connection;

use crate::database::Database;
use crate::progress::Progress;
use crate::reachable::until_reachable;
use crate::{DataDir, import};

/// How long to wait for a database that is still starting.
const PATIENCE: Duration = Duration::from_mins(1);

pub async fn run(options: &DataDir, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    let waiting = until_reachable(async || Ok(database.connect().await?.close().await?), || {});
    tokio::time::timeout(PATIENCE, waiting)
        .await
        .with_context(|| format!("the database could not be reached for {} seconds", PATIENCE.as_secs()))??;
    import::lock_out(&database).await?;
    database.migrate(&progress).await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(|_| Secret::new(password)).await?;
    }
    println!("The database schema is up to date.");
    Ok(())
}
