//! The file of a backup: a tar archive with `manifest.json`, `database.dump`, the images in `objects/`, and at its end
//! `SHA256SUMS`, without which the archive is incomplete.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

use anyhow::{Context, bail, ensure};
use sha2::{Digest, Sha256};

use super::crypt::{self, Key};
use super::manifest::Manifest;

pub const MANIFEST: &str = "manifest.json";
pub const DUMP: &str = "database.dump";
pub const OBJECTS: &str = "objects/";
const SUMS: &str = "SHA256SUMS";

const CHUNK: usize = 1 << 16;

/// The number of images, and the bytes of all files.
#[derive(Clone, Copy, Default)]
pub struct Size {
    pub pictures: u64,
    pub bytes: u64,
}

pub struct Writer {
    archive: tar::Builder<Box<dyn crypt::Output>>,
    sums: String,
    size: Size,
}

impl Writer {
    /// # Errors
    /// When the file can't be written.
    pub fn new(file: File, key: Option<&Key>, manifest: &Manifest) -> anyhow::Result<Self> {
        let archive = tar::Builder::new(crypt::output(file, key)?);
        let mut writer = Self { archive, sums: String::new(), size: Size::default() };
        let manifest = serde_json::to_vec_pretty(manifest)?;
        writer.add(MANIFEST, manifest.len() as u64, &manifest[..])?;
        Ok(writer)
    }

    /// # Errors
    /// When the archive can't be written.
    pub fn add(&mut self, name: &str, bytes: u64, content: impl Read) -> io::Result<()> {
        let mut content = Hashing { inner: content, hash: Sha256::new() };
        self.append(name, bytes, &mut content)?;
        self.sums += &format!("{:x}  {name}\n", content.hash.finalize());
        self.size.bytes += bytes;
        self.size.pictures += u64::from(name.starts_with(OBJECTS));
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: u64, content: impl Read) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes);
        header.set_mode(0o600);
        self.archive.append_data(&mut header, name, content)
    }

    /// Writes the sums, and syncs the file to disk.
    ///
    /// # Errors
    /// See [`Writer::add`].
    pub fn finish(mut self) -> io::Result<Size> {
        let sums = std::mem::take(&mut self.sums);
        self.append(SUMS, sums.len() as u64, sums.as_bytes())?;
        self.archive.into_inner()?.finish()?;
        Ok(self.size)
    }
}

/// A complete archive whose files have their hashes.
pub struct Checked {
    pub manifest: Manifest,
    pub size: Size,
    /// The versions of the images.
    pub pictures: Vec<String>,
    /// The hashes of all files, by name.
    pub sums: BTreeMap<String, String>,
}

/// Of the manifest and of the hashes: those of a million pictures take 110 MB.
const MAX_TEXT: u64 = 500_000_000;

impl Checked {
    pub fn summary(&self, address: &str) -> String {
        summary(&self.manifest, self.size, address)
    }
}

pub fn summary(manifest: &Manifest, size: Size, address: &str) -> String {
    let megabytes = size.bytes as f64 / 1e6;
    format!("{address}: {} rows and {} pictures, {megabytes:.1} MB.", manifest.rows, size.pictures)
}

/// Opens an archive.
///
/// # Errors
/// When it can't be read or decrypted.
pub fn open(mut file: &File, key: Option<&Key>) -> io::Result<tar::Archive<Box<dyn Read>>> {
    file.rewind()?;
    Ok(tar::Archive::new(crypt::open(file.try_clone()?, key)?))
}

/// Reads the whole archive, compares its files with their hashes, and copies the dump of the database.
///
/// # Errors
/// When it is incomplete, damaged, not Serasi's or too new.
pub fn check(file: &File, key: Option<&Key>, mut dump: impl Write) -> anyhow::Result<Checked> {
    let damaged = "it is damaged, or not a backup of Serasi";
    let mut archive = open(file, key)?;
    let (mut manifest, mut found, mut sums) = (None, BTreeMap::new(), None);
    let (mut pictures, mut size) = (Vec::new(), Size::default());
    for entry in archive.entries().context(damaged)? {
        let mut entry = entry.context(damaged)?;
        let name = entry.path().context(damaged)?.display().to_string();
        // A sparse file of 1 KB would become terabytes.
        ensure!(entry.header().entry_type().is_file() && !found.contains_key(&name), "{damaged}: {name}");
        let mut content = Hashing { inner: &mut entry, hash: Sha256::new() };
        match (name.as_str(), &manifest) {
            (MANIFEST, None) => {
                manifest = Some(Manifest::parse(&short_text(&mut content).context(damaged)?)?);
            }
            (_, None) => bail!("it is not a backup of Serasi"),
            (SUMS, _) => {
                sums = Some(String::from_utf8(short_text(&mut content).context(damaged)?).context(damaged)?);
                break;
            }
            (DUMP, _) => copy(&mut content, &mut dump)?,
            (name, _) => {
                let version = name.strip_prefix(OBJECTS).filter(|version| is_version(version));
                pictures
                    .push(version.with_context(|| format!("{name} is not a file of a backup"))?.to_owned());
                copy(&mut content, &mut io::sink())?;
            }
        }
        let hash = format!("{:x}", content.hash.finalize());
        size.bytes += entry.size();
        found.insert(name, hash);
    }
    let manifest = manifest.context("it is not a backup of Serasi")?;
    let sums = sums.context("it is truncated: it is not a complete backup")?;
    let sums = parse(&sums);
    for (name, sum) in &sums {
        let found = found.get(name).with_context(|| format!("{name} is missing"))?;
        ensure!(found == sum, "{name} is damaged: its content differs from its hash");
    }
    ensure!(sums.len() == found.len() && sums.contains_key(DUMP), "{SUMS} is damaged");
    size.pictures = pictures.len() as u64;
    Ok(Checked { manifest, size, pictures, sums })
}

/// A longer text is cut, so that its hash differs.
fn short_text(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(MAX_TEXT).read_to_end(&mut text)?;
    Ok(text)
}

/// The version of an image becomes a file name.
fn is_version(version: &str) -> bool {
    version.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-')
}

fn parse(sums: &str) -> BTreeMap<String, String> {
    let lines = sums.lines().filter_map(|line| line.split_once("  "));
    lines.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect()
}

fn copy(from: &mut impl Read, to: &mut impl Write) -> anyhow::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = from.read(&mut chunk).context("it is truncated or damaged")?;
        if length == 0 {
            return Ok(());
        }
        to.write_all(&chunk[..length]).context("there is no space for the dump of the database")?;
    }
}

struct Hashing<R> {
    inner: R,
    hash: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.hash.update(&buffer[..length]);
        Ok(length)
    }
}
