//! `serasi restore`: restores into an empty database and an empty image storage. Migrations create Serasi's tables; `pg_restore`
//! then loads their rows as a login that can only insert, and the operator's objects as `import_owner`. A backup may have been
//! tampered with: no code of it runs as a superuser. If something fails, the database is emptied again.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::Read;

use anyhow::{Context, bail, ensure};
use platform::env::Env;
use platform::http::server::stop_signal;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use storage_service::archive::Blobs;

use super::archive::{self, Checked, OBJECTS};
use super::manifest::Manifest;
use super::options::Restore;
use super::place::{Local, Place};
use super::record::Record;
use super::{dump, lock, pg_dump, toc, undo, verify};
use crate::database::temporary_login::TemporaryLogin;
use crate::database::{Database, LOGINS, ensure_superuser};
use crate::extensions::Extension;
use crate::programs::{BUNDLED, Programs};
use crate::progress::Progress;
use crate::{extensions, import_owner, storage_check};

/// Keeps a second restore into the same database from starting.
const RESTORE_LOCK: i64 = 0x5e7a_51bb;

/// # Errors
/// When the backup is damaged, or the database or image storage is not empty. In that case, nothing has changed.
pub async fn run(options: &Restore, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let Restore { source, without_own_tables } = options;
    let (place, name) = Place::find(source.address(env)?, env).await?;
    let address = place.address(&name);
    let local = place.fetch(&name).await?;
    let dump = tempfile::tempfile().context("there is no temporary folder")?;
    let checked = verify::check(&place, &local, &dump, &progress, &mut Record::default()).await;
    let checked = checked.with_context(|| format!("{address} can't be restored"))?;

    let folder = &source.data_dir.data_dir;
    let (database, _held) = Database::open(folder, env, &progress).await?;
    let mut connection = database.connect().await?;
    ensure_superuser(&mut connection, "serasi restore").await?;
    lock(&mut connection, RESTORE_LOCK, "restore into this database").await?;
    undo::if_interrupted(&database, &mut connection).await?;
    ensure_empty(&mut connection).await?;
    let before = extensions::names(&mut connection).await?;
    let programs = Programs::find(env, database.major_version().await?.max(BUNDLED), &progress).await?;
    let blobs = Blobs::open(storage_check::config(env, folder, &database)?).await?;
    ensure_no_other_pictures(&blobs, &checked.pictures).await?;

    let restored = async {
        save_pictures(&blobs, &place, &local, &checked, &progress).await?;
        load(&database, &programs, &dump, &checked.manifest, !without_own_tables, &progress).await
    };
    let restored = tokio::select! {
        restored = restored => restored,
        () = stop_signal() => Err(undo::undo(&database, &before).await.err().unwrap_or_else(|| anyhow::anyhow!("interrupted"))),
    };
    let report = match restored {
        Ok(report) => report,
        Err(error) => {
            remove_pictures(&blobs, &checked.pictures).await;
            return Err(error.context("nothing was restored"));
        }
    };
    connection.execute("analyze").await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(&LOGINS, |_| Secret::new(password)).await?;
    }
    println!("Restored {}", checked.summary(&address));
    print!("{report}");
    Ok(connection.close().await?)
}

async fn ensure_no_other_pictures(blobs: &Blobs, pictures: &[String]) -> anyhow::Result<()> {
    let known: HashSet<&str> = pictures.iter().map(String::as_str).collect();
    // A killed restore may have left pictures of this backup.
    let others = blobs.prepare(&known).await.context("the pictures can't be stored")?;
    ensure!(
        others == 0,
        "the image storage is not empty ({others} other files): restore into another STORAGE_DIR or bucket"
    );
    Ok(())
}

async fn remove_pictures(blobs: &Blobs, pictures: &[String]) {
    for picture in pictures {
        let _ = blobs.remove(picture).await;
    }
}

/// Nobody's tables and functions may be in the way.
async fn ensure_empty(connection: &mut PgConnection) -> anyhow::Result<()> {
    let is_empty: bool = sqlx::query_scalar(
        "select not exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
           where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
             and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e'))
         and not exists (select from pg_proc where pronamespace = 'public'::regnamespace
             and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e'))
         and not exists (select from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'migration', 'extensions'))",
    )
    .fetch_one(&mut *connection)
    .await?;
    ensure!(
        is_empty,
        "the database is not empty: restore into a new --data-dir, or into a new database with DATABASE_URL"
    );
    Ok(())
}

async fn save_pictures(
    blobs: &Blobs,
    place: &Place,
    local: &Local,
    checked: &Checked,
    progress: &Progress,
) -> anyhow::Result<()> {
    let bar = progress.bar("Restoring pictures", checked.pictures.len() as u64);
    let mut archive = archive::open(&local.path, place.key.as_ref())?;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.display().to_string();
        let Some(version) = name.strip_prefix(OBJECTS) else { continue };
        let mut content = Vec::new();
        entry.read_to_end(&mut content).with_context(|| name.clone())?;
        // The file may have changed since the check.
        checked.compare(&name, &content)?;
        blobs.write(version, &content).await.context("a picture can't be stored")?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Restores Serasi's tables, then the operator's objects. Returns a report about the latter.
///
/// # Errors
/// When something can't be restored. The database is empty again, unless the message says that this failed.
pub async fn load(
    database: &Database,
    programs: &Programs,
    dump: &File,
    manifest: &Manifest,
    with_own_tables: bool,
    progress: &Progress,
) -> anyhow::Result<String> {
    let before = extensions::names(&mut database.connect().await?).await?;
    let loaded = async {
        let toc = pg_dump::list(programs, dump).await?;
        load_rows(database, programs, dump, manifest, &toc, progress).await?;
        let report = match with_own_tables {
            true => load_operators_objects(database, programs, dump, manifest, &toc, progress).await?,
            false => "Your own tables were left out.\n".to_owned(),
        };
        let mut connection = database.connect().await?;
        db::end_restore(&mut connection).await?;
        anyhow::Ok(report)
    };
    match loaded.await {
        Ok(report) => Ok(report),
        Err(error) => match undo::undo(database, &before).await {
            Ok(()) => Err(error),
            Err(undone) => Err(error.context(format!(
                "the database could not be emptied again ({undone:#}): the next `serasi restore` into it will do that"
            ))),
        },
    }
}

/// Creates the tables of the backup's version, loads the rows, and upgrades them. The database is marked as incomplete.
async fn load_rows(
    database: &Database,
    programs: &Programs,
    dump: &File,
    manifest: &Manifest,
    toc: &str,
    progress: &Progress,
) -> anyhow::Result<()> {
    let step = progress.step("Restoring tables");
    let mut connection = database.connect().await?;
    let mut transaction = connection.begin().await?;
    db::create_tables(&mut transaction, manifest.last_migration()).await?;
    let tables: Vec<String> = sqlx::query_scalar(dump::TABLES).fetch_all(&mut *transaction).await?;
    // Migrations add initial rows to some tables.
    let empty: String = tables.iter().map(|table| format!("delete from {table};")).collect();
    let empty = format!(
        "set local session_replication_role = replica; {empty} set local session_replication_role = origin"
    );
    transaction.execute(AssertSqlSafe(empty)).await?;
    transaction.execute("insert into migration.version (hash) values ('')").await?;
    db::begin_restore(&mut transaction).await?;
    transaction.commit().await?;

    let mut login = TemporaryLogin::create(database, None).await?;
    let schemas = "select string_agg(quote_ident(nspname), ', ') from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'extensions')";
    let schemas: String = sqlx::query_scalar(schemas).fetch_one(&mut connection).await?;
    // Constraints and generated columns call functions.
    for privileges in
        ["usage on", "execute on all functions in", "insert on all tables in", "update on all sequences in"]
    {
        login.grant(&format!("{privileges} schema {schemas}")).await?;
    }
    login.bypass_row_security().await?;
    // Triggers don't run and references are not checked: the rows come from a consistent snapshot.
    login.set("session_replication_role", "replica").await?;
    let unquoted = tables.iter().map(|table| table.replace('"', "")).collect::<BTreeSet<_>>();
    let loaded = pg_dump::restore(programs, &login.url, dump, &toc::our_rows(toc, &unquoted)).await;
    login.end().await?;
    loaded?;

    let mut transaction = connection.begin().await?;
    transaction.execute("delete from migration.version").await?;
    db::migrate(&mut transaction, |what| step.now(what)).await.context("the backup can't be upgraded")?;
    db::begin_restore(&mut transaction).await?;
    transaction.commit().await?;
    step.done();
    Ok(connection.close().await?)
}

/// Whether there is nothing of the operator's to create or to report.
async fn has_nothing(
    manifest: &Manifest,
    selection: &toc::Selection,
    connection: &mut PgConnection,
) -> sqlx::Result<bool> {
    let present = extensions::all(connection).await?;
    let is_present =
        |wanted: &Extension| present.iter().any(|one| one.name == wanted.name && one.schema == wanted.schema);
    let has_objects = !selection.list.is_empty() || !selection.left_out.is_empty();
    Ok(!has_objects && manifest.extensions.iter().all(is_present) && manifest.on_our_tables.is_empty())
}

async fn load_operators_objects(
    database: &Database,
    programs: &Programs,
    dump: &File,
    manifest: &Manifest,
    toc: &str,
    progress: &Progress,
) -> anyhow::Result<String> {
    let step = progress.step("Restoring your own tables");
    let mut connection = database.connect().await?;
    let schemas: Vec<&str> =
        manifest.extensions.iter().map(|extension| extension.schema.trim_matches('"')).collect();
    let selection = toc::operators_objects(toc, &schemas);
    if has_nothing(manifest, &selection, &mut connection).await? {
        step.done();
        return Ok(String::new());
    }
    let login = import_owner::sign_in(database).await?;
    let left_out = extensions::create(&mut connection, &manifest.extensions).await?;
    let restored = pg_dump::restore(programs, &login.url, dump, &selection.list).await;
    import_owner::sign_out(database, login).await?;
    let privileges = match restored {
        Ok(privileges) => privileges,
        Err(error) if left_out.is_empty() => return Err(error.context("your own tables can't be restored")),
        Err(error) => bail!(
            "your own tables can't be restored: {error:#}; the extensions {} do not exist here: install them, or add \
             --without-own-tables",
            left_out.join(", ")
        ),
    };
    let unsafe_statements = manifest.on_our_tables.create(&mut connection, true).await?;
    let why_left_out = format!("left out, because {}", import_owner::WHY_LEFT_OUT);
    step.done();
    let mut report = String::new();
    for (what, names) in [
        ("objects that belonged to another role, and belong to import_owner now", selection.adopted),
        ("extensions that do not exist here", left_out),
        ("left out, because only a superuser can create them", selection.left_out.into_iter().collect()),
        ("privileges left out, because their roles do not exist here", privileges),
        (&why_left_out, unsafe_statements),
    ] {
        if !names.is_empty() {
            report += &format!("  {what}: {}\n    {}\n", names.len(), names.join("\n    "));
        }
    }
    Ok(report)
}
