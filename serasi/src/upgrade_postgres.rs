//! Copies the embedded database from an earlier major version of PostgreSQL at startup. The old cluster is
//! not changed, and is kept afterwards.

use std::fs;

use anyhow::Context;
use platform::env::Env;

use crate::backup::transfer;
use crate::data_dir::DataDir;
use crate::database::Database;
use crate::postgres::older::{self, Clusters};
use crate::postgres::package::Package;
use crate::postgres::server::{Place, Server};
use crate::postgres::settings::Settings;
use crate::progress::Progress;

/// Does nothing for a cluster of the current version.
///
/// # Errors
/// When the old version's programs are missing, or the database can't be copied. In that case, nothing has changed.
pub async fn if_needed(data_dir: &DataDir, env: &Env, progress: &Progress) -> anyhow::Result<()> {
    if env.optional("DATABASE_URL").is_some() || older::is_present(&data_dir.path().join("postgres")) {
        return Ok(());
    }
    let package = Package::find(env, progress).await?;
    let settings = Settings::from_env(env)?;
    let place = Place::choose(&package, data_dir)?;
    let Some(clusters) = Clusters::to_upgrade(&place.data)? else { return Ok(()) };
    let programs = clusters.programs(env)?;
    clusters.prepare()?;
    eprintln!("  Upgrading the data directory from PostgreSQL {}", clusters.major);
    let saved = data_dir.path().join("postgres-saved");
    let _ = fs::remove_dir_all(&saved);
    fs::create_dir(&saved).with_context(|| saved.display().to_string())?;
    let copied = async {
        let old = Place { package: programs, data: clusters.old.clone(), ..place.clone() };
        let database = Database::serve(Server::start_in(old, data_dir, settings).await?).await?;
        let contents = transfer::save(&database, &saved, env, progress).await?;
        drop(database);
        let new = Place { data: clusters.new.clone(), ..place };
        let database = Database::serve(Server::create_in(new, data_dir, settings).await?).await?;
        transfer::load(&database, contents.as_ref(), env, progress).await
    };
    let outcome: anyhow::Result<()> = copied.await;
    let _ = fs::remove_dir_all(&saved);
    outcome.context("the upgrade of PostgreSQL failed, and nothing was changed")?;
    let kept = clusters.exchange()?;
    eprintln!("  The previous data is kept in {}: delete it when everything works", kept.display());
    Ok(())
}
