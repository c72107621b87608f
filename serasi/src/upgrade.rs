//! Upgrades of the database: its schema by `serasi migrate`, and the embedded server's major version when `serasi up` starts.

use anyhow::Context;
use platform::env::Env;
use platform::progress::Progress;
use platform::secret::Secret;
use sqlx::Connection;

use crate::backup::dump;
use crate::backup::load::Load;
use crate::data_dir::DataDir;
use crate::database::{Database, LOGINS};
use crate::postgres::cluster::Cluster;
use crate::postgres::older::Clusters;
use crate::postgres::package::{MAJOR_VERSION, Package};
use crate::programs::Programs;
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
    if env.optional("DATABASE_URL").is_some() {
        return Ok(());
    }
    let data = data_dir.path().join("postgres");
    let Some(clusters) = Clusters::to_upgrade(&data)? else { return Ok(()) };
    let programs = clusters.programs(env)?;
    let new = Cluster::choose(&Package::find(progress).await?, data_dir)?;
    clusters.prepare()?;
    eprintln!("  Upgrading the data directory from PostgreSQL {}", clusters.major);
    let copied = async {
        let old = Cluster { package: programs, data: clusters.old.clone(), ..new.clone() };
        let database = Database::start_in(old, data_dir).await?;
        // Without a name, so that nothing is left of an interrupted upgrade.
        let dump = tempfile::tempfile_in(data_dir.path())?;
        let mut connection = database.connect().await?;
        let manifest = match dump::has_tables(&mut connection).await? {
            true => Some(dump::save(&database, &mut connection, &dump, env, progress).await?.0),
            false => None,
        };
        connection.close().await?;
        drop(database);
        let database = Database::create_in(Cluster { data: clusters.new.clone(), ..new }, data_dir).await?;
        let Some(manifest) = manifest else { return Ok(()) };
        let programs = &Programs::for_restore(env, MAJOR_VERSION, progress).await?;
        let load = Load { database: &database, programs, dump: &dump, manifest: &manifest, progress };
        eprint!("{}", load.run(true, async { Ok(()) }).await?);
        let mut connection = database.connect().await?;
        sqlx::raw_sql("analyze").execute(&mut connection).await?;
        Ok(connection.close().await?)
    };
    let outcome: anyhow::Result<()> = copied.await;
    outcome.context("the upgrade of PostgreSQL failed, and nothing was changed")?;
    let previous = clusters.exchange()?;
    eprintln!("  The previous data is kept in {}: delete it when everything works", previous.display());
    Ok(())
}
