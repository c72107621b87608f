//! Finds the backup at an address.

use std::path::Path;

use anyhow::{bail, ensure};
use platform::env::Env;

use super::place::{At, Place, time_of};

/// Returns the place and name of the backup at this address. The address of a place means its newest backup.
///
/// # Errors
/// When there is no backup.
pub async fn find(address: &str, env: &Env) -> anyhow::Result<(Place, String)> {
    let trimmed = address.trim_end_matches('/');
    let (parent, name) = trimmed.rsplit_once('/').unwrap_or((".", trimmed));
    ensure!(
        !Path::new(address).join("manifest.json").is_file(),
        "{address} is a backup of a development version, in an earlier format: restore it with the program that made it"
    );
    // A file may have been renamed.
    if time_of(name).is_some() || Path::new(address).is_file() {
        return Ok((Place::open(if parent.is_empty() { "/" } else { parent }, env)?, name.to_owned()));
    }
    let place = Place::open(address, env)?;
    match place.backups().await?.pop() {
        Some(newest) => Ok((place, newest)),
        None => match &place.at {
            At::Folder(folder) if !folder.exists() => bail!("{address} does not exist"),
            _ => bail!("there is no backup in {address}"),
        },
    }
}
