//! A backup that is being written.

use std::fs::{self, File};
use std::io::{BufWriter, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use super::crypt::{self, Writer};
use super::manifest::FILE as MANIFEST;
use super::place::{At, LOCK, PARTIAL, Place};

/// When it is dropped unfinished, its files on disk are removed. The next backup removes its files in S3.
pub struct Draft<'a> {
    place: &'a Place,
    name: String,
    work: PathBuf,
    lock: Option<File>,
    _temporary: Option<TempDir>,
}

impl<'a> Draft<'a> {
    /// # Errors
    /// When the folder can't be created.
    pub fn begin(place: &'a Place, name: &str) -> anyhow::Result<Self> {
        let (work, temporary) = match &place.at {
            At::Folder(folder) => {
                let work = folder.join(format!("{name}{PARTIAL}"));
                let taken = folder.join(name).exists() || work.exists();
                ensure!(!taken, "{} exists already", folder.join(name).display());
                create_private(&work)?;
                (work, None)
            }
            At::S3 { .. } => {
                let temporary = TempDir::new().context("there is no temporary folder")?;
                (temporary.path().to_path_buf(), Some(temporary))
            }
        };
        let mut draft = Self { place, name: name.to_owned(), work, lock: None, _temporary: temporary };
        let lock = File::create(draft.work.join(LOCK)).with_context(|| draft.cant_write())?;
        lock.try_lock().map_err(std::io::Error::from).with_context(|| draft.cant_write())?;
        draft.lock = Some(lock);
        Ok(draft)
    }

    /// Creates a local file; call [`Draft::store`] when it is finished.
    ///
    /// # Errors
    /// When it can't be created.
    pub fn create(&self, name: &str) -> anyhow::Result<Writer<BufWriter<File>>> {
        let create =
            || Writer::new(BufWriter::new(File::create(self.file(name)?)?), self.place.key.as_ref(), name);
        create().with_context(|| self.cant_write())
    }

    /// Reads a finished local file, before it is stored.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn open(&self, name: &str) -> std::io::Result<Box<dyn Read + Send>> {
        crypt::open(File::open(self.work.join(name))?, self.place.key.as_ref(), name)
    }

    fn file(&self, name: &str) -> std::io::Result<PathBuf> {
        let file = self.work.join(name);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(file)
    }

    /// Uploads a finished local file, if the backup is written to S3.
    ///
    /// # Errors
    /// When the upload fails.
    pub async fn store(&self, name: &str) -> anyhow::Result<()> {
        if let At::S3 { folder, .. } = &self.place.at {
            let file = self.work.join(name);
            folder
                .put_file(&format!("{}/{name}", self.name), &file)
                .await
                .with_context(|| self.cant_write())?;
            fs::remove_file(file)?;
        }
        Ok(())
    }

    /// # Errors
    /// When the file can't be written.
    pub async fn put(&self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        let content = crypt::encrypted(content, self.place.key.as_ref(), name)?;
        let put = match &self.place.at {
            At::Folder(_) => self.file(name).and_then(|file| fs::write(file, &content)),
            At::S3 { folder, .. } => folder.put(&format!("{}/{name}", self.name), &content).await,
        };
        put.with_context(|| self.cant_write())
    }

    /// Completes the backup: writes the manifest last, syncs all files, then gives the folder its final name.
    ///
    /// # Errors
    /// When a file can't be written or synced.
    pub async fn finish(mut self, manifest: &[u8]) -> anyhow::Result<()> {
        self.put(MANIFEST, manifest).await?;
        if let At::Folder(folder) = &self.place.at {
            let work = &self.work;
            let publish = || -> std::io::Result<()> {
                fs::remove_file(work.join(LOCK))?;
                sync(work)?;
                fs::rename(work, folder.join(&self.name))?;
                File::open(folder)?.sync_all()
            };
            publish().with_context(|| self.cant_write())?;
        }
        self.lock = None;
        Ok(())
    }

    pub fn cant_write(&self) -> String {
        format!("the backup can't be written to {}", self.place.address(""))
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if matches!(self.place.at, At::Folder(_)) {
            let _ = fs::remove_dir_all(&self.work);
        }
    }
}

/// Syncs everything below the folder to disk, with a single call for the whole file system if the platform
/// has one.
fn sync(folder: &Path) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        Ok(nix::unistd::syncfs(File::open(folder)?)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { sync(&path)? } else { File::open(path)?.sync_all()? }
        }
        File::open(folder)?.sync_all()
    }
}

fn create_private(folder: &Path) -> anyhow::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("{} can't be created", folder.display()))
}
