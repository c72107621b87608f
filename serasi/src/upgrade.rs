//! Upgrades of the database: its schema by `serasi migrate`, and the embedded server's major version when `serasi up` starts.

use anyhow::Context;
use platform::env::Env;
use platform::progress::Progress;
use platform::secret::Secret;
use sqlx::Connection;

use crate::backup::{dump, restore};
use crate::data_dir::DataDir;
use crate::database::{Database, LOGINS};
use crate::postgres::Settings;
use crate::postgres::identity::Place;
use crate::postgres::older::{self, Clusters};
use crate::postgres::package::Package;
use crate::postgres::server::Server;
use crate::programs::{BUNDLED, Programs};
use crate::{DataDir as Options, import_owner};

/// Migrates the database to this version's schema. If `LOGIN_PASSWORD` is set, it also becomes the password of the services'
/// logins, for separately deployed services (compose).
///
/// # Errors
/// When a migration fails.
pub async fn migrate(options: &Options, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    import_owner::lock_out(&database).await?;
    database.migrate(&progress).await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(&LOGINS, |_| Secret::new(password)).await?;
    }
    println!("The database schema is up to date.");
    Ok(())
}

/// Copies the embedded database from an earlier major version of PostgreSQL. The old cluster is not changed, and is kept
/// afterwards. Does nothing for a cluster of the current version.
///
/// # Errors
/// When the old version's programs are missing, or the database can't be copied. In that case, nothing has changed.
pub async fn postgres_if_needed(data_dir: &DataDir, env: &Env, progress: &Progress) -> anyhow::Result<()> {
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
    let copied = async {
        let old = Place { package: programs, data: clusters.old.clone(), ..place.clone() };
        let database = Database::serve(Server::start_in(old, data_dir, settings).await?).await?;
        // Without a name, so that nothing is left of an interrupted upgrade.
        let dump = tempfile::tempfile_in(data_dir.path())?;
        let mut connection = database.connect().await?;
        let manifest = match dump::has_tables(&mut connection).await? {
            true => Some(dump::save(&database, &mut connection, &dump, env, progress).await?.0),
            false => None,
        };
        connection.close().await?;
        drop(database);
        let new = Place { data: clusters.new.clone(), ..place };
        let database = Database::serve(Server::create_in(new, data_dir, settings).await?).await?;
        let Some(manifest) = manifest else { return Ok(()) };
        let programs = Programs::find(env, database.major_version().await?.max(BUNDLED), progress).await?;
        eprint!("{}", restore::load(&database, &programs, &dump, &manifest, true, progress).await?);
        let mut connection = database.connect().await?;
        sqlx::raw_sql("analyze").execute(&mut connection).await?;
        Ok(connection.close().await?)
    };
    let outcome: anyhow::Result<()> = copied.await;
    outcome.context("the upgrade of PostgreSQL failed, and nothing was changed")?;
    let kept = clusters.exchange()?;
    eprintln!("  The previous data is kept in {}: delete it when everything works", kept.display());
    Ok(())
}
