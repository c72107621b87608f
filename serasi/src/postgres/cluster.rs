//! The cluster of the server: its programs and its data, which `initdb` creates once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use platform::secret::Secret;

use super::address::{runtime_dir, short_hash};
use super::identity::Identity;
use super::package::{MAJOR_VERSION, Package};
use crate::data_dir::{DataDir, make_private};

pub const SUPERUSER: &str = "postgres";

/// The programs of a server, and where its cluster is.
#[derive(Clone)]
pub struct Cluster {
    pub package: Package,
    pub data: PathBuf,
    pub identity: Identity,
}

impl Cluster {
    /// # Errors
    /// When the programs can't be copied to a folder that the server's account can reach.
    pub fn choose(package: &Package, data_dir: &DataDir) -> anyhow::Result<Self> {
        let data = data_dir.path().join("postgres");
        if let Some(identity) = Identity::choose(&package.native, &data) {
            return Ok(Self { package: package.clone(), data, identity });
        }
        let folder = Path::new("/var/lib/serasi").join(short_hash(&data));
        let package = package.copy_to(&folder)?;
        Ok(Self { package, data: folder.join("postgres"), identity: Identity::Nobody })
    }

    /// Runs `initdb` unless the cluster exists. The cluster appears completely or not at all.
    ///
    /// # Errors
    /// When another major version created the cluster, or `initdb` fails. The message contains its output.
    pub fn create(&self, password: &Secret) -> anyhow::Result<()> {
        let Self { package, data, identity } = self;
        if let Ok(version) = fs::read_to_string(data.join("PG_VERSION")) {
            return check_version(version.trim());
        }
        // If `initdb` created the folder, the parent would have to be writable for the server's account. Create
        // it here and change its owner instead.
        let partial = data.with_extension("partial");
        let _ = fs::remove_dir_all(&partial);
        make_private(&partial)?;
        let runtime = runtime_dir(data)?;
        let password_file = runtime.join("superuser-password");
        fs::write(&password_file, password.expose())?;
        identity.take_over(&partial)?;
        identity.take_over(&runtime)?;

        let mut initdb = Command::new(package.program("initdb"));
        initdb
            .arg("--pgdata")
            .arg(&partial)
            .args(["--username", SUPERUSER, "--encoding", "UTF8", "--auth", "scram-sha-256"])
            // The bundled ICU is old. The built-in provider sorts in the same way on every platform.
            .args(["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--locale", "C"])
            .arg("--pwfile")
            .arg(&password_file)
            .stdin(Stdio::null());
        identity.apply(&mut initdb);
        let output = initdb.output();
        let _ = fs::remove_file(&password_file);
        let output = output.context("initdb can't be started")?;
        ensure!(output.status.success(), "initdb failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        fs::rename(&partial, data).with_context(|| data.display().to_string())
    }
}

fn check_version(version: &str) -> anyhow::Result<()> {
    ensure!(
        version == MAJOR_VERSION.to_string(),
        "the data directory is PostgreSQL {version}'s, and this program has PostgreSQL {MAJOR_VERSION}: \
         `serasi up` upgrades an earlier version; a later one needs the program that created it"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_has_the_version_that_is_checked() {
        let package = fs::read_to_string("../db/postgres/package.json").unwrap();
        let pinned =
            package.lines().filter(|line| line.contains("@embedded-postgres/") && !line.contains("true"));
        for line in pinned {
            assert!(line.contains(&format!(": \"{MAJOR_VERSION}.")), "{line}");
        }
    }

    #[test]
    fn the_cluster_of_another_major_version_is_refused() {
        let error = check_version("17").unwrap_err().to_string();
        assert!(error.starts_with("the data directory is PostgreSQL 17's, and this program has "), "{error}");
        check_version("18").unwrap();
    }
}
