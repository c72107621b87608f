//! Finds the backup at an address.

use anyhow::bail;
use platform::env::Env;

use super::manifest::FILE as MANIFEST;
use super::place::{At, Place, time_of};

/// Returns the place and name of the backup at this address. The address of a place means its newest backup.
///
/// # Errors
/// When there is no backup.
pub async fn find(address: &str, env: &Env) -> anyhow::Result<(Place, String)> {
    let trimmed = address.trim_end_matches('/');
    if let Some((parent, name)) = trimmed.rsplit_once('/').or(Some((".", trimmed)))
        && time_of(name).is_some()
    {
        return Ok((Place::open(if parent.is_empty() { "/" } else { parent }, env)?, name.to_owned()));
    }
    let place = Place::open(address, env)?;
    // The folder of a backup may have been renamed.
    if let At::Folder(folder) = &place.at
        && folder.join(MANIFEST).exists()
    {
        let folder = folder.canonicalize()?;
        let parent = folder.parent().unwrap_or(&folder).to_path_buf();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok((Place { at: At::Folder(parent), key: place.key }, name));
    }
    match place.backups().await?.pop() {
        Some(newest) => Ok((place, newest)),
        None => bail!("there is no backup in {address}"),
    }
}
