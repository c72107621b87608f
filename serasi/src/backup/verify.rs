//! `serasi verify`: compares every file of a backup with its hash.

use std::io::{self, Read};

use anyhow::{Context, bail, ensure};
use platform::env::Env;
use sha2::{Digest, Sha256};

use super::manifest::{Contents, FILE, Manifest, hex};
use super::options::Source;
use super::pictures::{self, Picture};
use super::place::Place;
use super::record::{Record, Step};
use super::stored::Stored;
use super::{find, own, record, tables};
use crate::data_dir;
use crate::database::Database;
use crate::import::own::OwnTables;
use crate::progress::Progress;

/// # Errors
/// When the backup is incomplete, damaged or not Serasi's.
pub async fn run(options: &Source, env: &Env) -> anyhow::Result<()> {
    let (place, name) = find::find(options.address(env)?, env).await?;
    let address = place.address(&name);
    let checked = check(&place.stored(&name)?, &Progress::new(), &mut Record::default()).await;
    save(options, env, &place, &name, &checked).await;
    let Checked { manifest, .. } = checked.with_context(|| format!("{address} can't be verified"))?;
    println!("Verified {}", manifest.summary(&address));
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

/// A backup that can be restored.
pub struct Checked {
    pub manifest: Manifest,
    pub pictures: Vec<Picture>,
    pub own_tables: Option<OwnTables>,
}

/// Reads every file of the backup.
///
/// # Errors
/// When the backup is incomplete, damaged, not Serasi's or too new.
pub async fn check(backup: &Stored<'_>, progress: &Progress, record: &mut Record) -> anyhow::Result<Checked> {
    let manifest = match backup.read(FILE).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("it has no {FILE}: it is not a complete backup")
        }
        text => Manifest::parse(&text.with_context(|| FILE.to_owned())?)?,
    };
    let step = progress.step("Checking the backup's tables");
    let total = manifest.tables.len() as u64 + manifest.pictures.count;
    for (done, table) in (0..).zip(&manifest.tables) {
        record.progress(Step::Verify, done, total).await;
        let file = tables::file_name(&table.name)?;
        compare(backup, &file, &table.file).await?;
    }
    if let Some(saved) = manifest.saved_own_tables() {
        compare(backup, own::FILE, &saved.file).await?;
    }
    let own_tables = own::contents(backup, &manifest).await?;
    step.done();
    compare(backup, pictures::LIST, &manifest.pictures.list).await?;
    let pictures = pictures::parse_list(&backup.read(pictures::LIST).await?)?;
    ensure!(pictures.len() as u64 == manifest.pictures.count, "{} is damaged", pictures::LIST);
    let bar = progress.bar("Checking the backup's pictures", pictures.len() as u64);
    for (done, picture) in (manifest.tables.len() as u64..).zip(&pictures) {
        record.progress(Step::Verify, done, total).await;
        let file = picture.file_name();
        let content = backup.read(&file).await.map_err(|error| unreadable(&file, &error))?;
        ensure!(picture.has(&content), "{file} is damaged: its content differs from its hash");
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Checked { manifest, pictures, own_tables })
}

async fn compare(backup: &Stored<'_>, name: &str, expected: &Contents) -> anyhow::Result<()> {
    let found = async { contents(backup.open(name).await?) }.await;
    let found = found.map_err(|error| unreadable(name, &error))?;
    ensure!(found == *expected, "{name} is damaged: its content differs from its hash");
    Ok(())
}

fn unreadable(name: &str, error: &io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::NotFound => anyhow::anyhow!("{name} is missing"),
        _ => anyhow::anyhow!("{name} can't be read: {error}"),
    }
}

fn contents(mut file: impl Read) -> io::Result<Contents> {
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(Contents { bytes, sha256: hex(hash.finalize()) }),
            length => {
                hash.update(&chunk[..length]);
                bytes += length as u64;
            }
        }
    }
}
