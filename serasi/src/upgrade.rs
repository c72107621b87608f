//! Upgrades of the database: its schema by `serasi migrate`, and the embedded server's major version when `serasi up` starts.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use platform::env::Env;
use platform::progress::Progress;
use platform::secret::Secret;
use sqlx::Connection;

use crate::backup::dump;
use crate::backup::load::Load;
use crate::data_dir::DataDir;
use crate::database::{Database, LOGINS};
use crate::postgres::cluster::Cluster;
use crate::postgres::package::{MAJOR_VERSION, Package};
use crate::programs::{self, Programs};
use crate::{DataDir as Options, import_owner};

/// Marks a new cluster into which the old one was copied completely. PostgreSQL ignores files with this name.
const COMPLETE: &str = "serasi.complete";

/// Migrates the database to this version's schema. If `LOGIN_PASSWORD` is set, it also becomes the password of the services'
/// logins, for separately deployed services (compose).
///
/// # Errors
/// When a migration fails.
pub async fn migrate(options: &Options, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _data_dir) = Database::open(&options.data_dir, env, &progress).await?;
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
    let new = Cluster::choose(&Package::find(progress).await?, data_dir)?;
    let data = new.data.clone();
    complete_exchange(&data)?;
    let Some(major) = earlier_version(&data) else { return Ok(()) };
    let package = earlier_package(env, major)?;
    let (partial, previous) =
        (data.with_file_name("postgres-new"), data.with_file_name(format!("postgres-{major}")));
    ensure!(!previous.exists(), "{} exists already: move it elsewhere, and start again", previous.display());
    if partial.exists() {
        fs::remove_dir_all(&partial).with_context(|| partial.display().to_string())?;
    }
    eprintln!("  Upgrading the data directory from PostgreSQL {major}");
    let copied = async {
        let database = Database::start_in(Cluster { package, ..new.clone() }, data_dir).await?;
        // Without a name, so that nothing is left of an interrupted upgrade.
        let dump = tempfile::tempfile_in(data_dir.path())?;
        let mut connection = database.connect().await?;
        let manifest = match dump::has_tables(&mut connection).await? {
            true => Some(dump::save(&database, &mut connection, &dump, env, progress).await?.0),
            false => None,
        };
        connection.close().await?;
        drop(database);
        let database = Database::create_in(Cluster { data: partial.clone(), ..new }, data_dir).await?;
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
    fs::write(partial.join(COMPLETE), "")?;
    fs::File::open(&partial)?.sync_all()?;
    fs::rename(&data, &previous).with_context(|| data.display().to_string())?;
    complete_exchange(&data)?;
    eprintln!("  The previous data is kept in {}: delete it when everything works", previous.display());
    Ok(())
}

/// Gives a complete new cluster its name, also after an interruption.
fn complete_exchange(data: &Path) -> anyhow::Result<()> {
    let new = data.with_file_name("postgres-new");
    if !data.exists() && new.join(COMPLETE).exists() {
        fs::rename(&new, data).with_context(|| data.display().to_string())?;
    }
    Ok(())
}

/// The cluster's major version, if this program's PostgreSQL is a later one.
fn earlier_version(data: &Path) -> Option<u32> {
    let version = fs::read_to_string(data.join("PG_VERSION")).ok()?;
    version.trim().parse().ok().filter(|major| *major < MAJOR_VERSION)
}

/// The installed server of an earlier version.
fn earlier_package(env: &Env, major: u32) -> anyhow::Result<Package> {
    let mut folders = programs::folders(env).into_iter();
    let folder = folders.find(|folder| programs::version(&folder.join("postgres")) == Some(major));
    let native = folder.and_then(|folder| Some(folder.parent()?.to_path_buf())).with_context(|| {
        format!(
            "the data directory is PostgreSQL {major}'s, and this program has PostgreSQL {MAJOR_VERSION}: install PostgreSQL \
             {major} (Debian: `apt-get install postgresql-{major}`), and start again; nothing was changed"
        )
    })?;
    Ok(Package { native })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_exchange_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let (data, new) = (folder.path().join("postgres"), folder.path().join("postgres-new"));
        for (cluster, version) in [(&data, 15), (&new, MAJOR_VERSION)] {
            fs::create_dir(cluster).unwrap();
            fs::write(cluster.join("PG_VERSION"), format!("{version}\n")).unwrap();
        }
        assert_eq!(earlier_version(&data), Some(15));
        fs::rename(&data, folder.path().join("postgres-15")).unwrap();
        complete_exchange(&data).unwrap();
        assert!(!data.exists(), "the new cluster is incomplete");
        fs::write(new.join(COMPLETE), "").unwrap();
        complete_exchange(&data).unwrap();
        assert_eq!(earlier_version(&data), None);
        assert_eq!(fs::read_to_string(data.join("PG_VERSION")).unwrap(), format!("{MAJOR_VERSION}\n"));
    }

    #[test]
    fn missing_programs_are_named() {
        let error = earlier_package(&Env::default(), 9).err().unwrap().to_string();
        assert!(error.contains("apt-get install postgresql-9`"), "{error}");
    }
}
