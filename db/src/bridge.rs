//! Older databases. Those from before the tables were written down by subject had numbered migrations, of which the last few
//! are in `bridge/`. Later files there change tables of an earlier baseline.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use sqlx::migrate::{MigrateError, Migration};

use crate::error::MigrationError;
use crate::release::{BASELINE, hex};

/// The earliest migration that a database must have.
const FIRST: i64 = 49;
/// The hash of the checksums of all migrations up to that one.
const HISTORY: &str = "ec9e35f2ec3cb7e7d8b04d669e9c0c34b3cb2a183ef01fb2510614baef3f3e91";

/// Earlier baselines, and their checksums.
const EARLIER: [(i64, &str); 2] = [
    (60, "e44d07345aa0179a221db07bfca45f707fab61cb7b8a0dfe27623a2a8aa93f1a"),
    (62, "92bec778c24edb48142e5ec99cd7430d469218d176a66f85ad61d8e469035144"),
];

/// The migrations that such a database lacks. `None` for a new database, and for one that has the tables of today.
///
/// # Errors
/// When the database is older than these migrations, or was not created by them.
pub(crate) fn missing(recorded: &BTreeMap<i64, Vec<u8>>) -> Result<Option<Vec<Migration>>, MigrationError> {
    let Some(last) = recorded.keys().last().copied().filter(|last| *last < BASELINE) else {
        return Ok(None);
    };
    if last < FIRST {
        return Err(MigrationError::TooOld(last));
    }
    let mut history = Sha256::new();
    recorded.range(..=FIRST).for_each(|(_, checksum)| history.update(checksum));
    let baseline =
        EARLIER.iter().find_map(|(version, known)| Some((*version, recorded.get(version)?, *known)));
    let (begin, is_known) = match baseline {
        Some((version, checksum, known)) => (version, hex(checksum) == known),
        None => (FIRST, hex(history.finalize()) == HISTORY),
    };
    if !is_known {
        return Err(MigrateError::VersionMismatch(begin).into());
    }
    let migrations = sqlx::migrate!("./bridge");
    for (version, checksum) in recorded.range(begin + 1..) {
        let known = migrations.iter().find(|one| one.version == *version);
        if known.is_none_or(|known| *known.checksum != **checksum) {
            return Err(MigrateError::VersionMismatch(*version).into());
        }
    }
    Ok(Some(migrations.iter().filter(|one| one.version > last).cloned().collect()))
}
