//! The server's address: the folder of its socket, and a port.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

/// Socket paths are limited to 107 bytes, so the socket is in a short folder named after a hash of the data
/// path.
pub fn runtime_dir(data: &Path) -> anyhow::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("serasi-{}", short_hash(data)));
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Ok(()) => Ok(folder),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && is_ours(&folder) => Ok(folder),
        Err(error) => {
            Err(error).with_context(|| format!("{} can't be used for the server's socket", folder.display()))
        }
    }
}

/// In a world-writable folder, another user could have created it.
fn is_ours(folder: &Path) -> bool {
    let caller = nix::unistd::geteuid().as_raw();
    folder.symlink_metadata().is_ok_and(|about| about.is_dir() && (about.uid() == caller || caller == 0))
}

pub fn short_hash(path: &Path) -> String {
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// The port of the last start if it is still free, because users save it in their tools.
pub fn free_port(data: &Path) -> anyhow::Result<u16> {
    let last = fs::read_to_string(data.join("postmaster.opts"))
        .ok()
        .and_then(|options| options.split("port=").nth(1)?.split('"').next()?.parse::<u16>().ok());
    let listener = last
        .and_then(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok())
        .map_or_else(|| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)), Ok)
        .context("no free port for PostgreSQL")?;
    Ok(listener.local_addr()?.port())
}
