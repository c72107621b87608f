//! Raises the limit on file descriptors. Every connection needs one, and many need a second one for what they
//! read or write.

use super::Limits;

/// For database connections, the log and other open files.
#[cfg(unix)]
const OTHERS: u64 = 256;

/// The minimum number of connections, however low the limit is.
#[cfg(unix)]
const LEAST: u64 = 64;

/// Raises the limit on open files as far as the system allows, and warns when it is too low for the
/// configured connections.
#[cfg(unix)]
pub(super) fn make_room(limits: &Limits) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = 2 * limits.connections.max() as u64 + OTHERS;
    let now = getrlimit(Resource::Nofile);
    let Some(current) = now.current.filter(|current| *current < wanted) else { return };
    let possible = now.maximum.map_or(wanted, |maximum| maximum.min(wanted)).max(current);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(possible), maximum: now.maximum });
    let reached = if raised.is_ok() { possible } else { current };
    let connections = (reached.saturating_sub(OTHERS) / 2).max(LEAST);
    limits.connections.lower_max(usize::try_from(connections).unwrap_or(usize::MAX));
    if reached < wanted {
        tracing::warn!(
            limit = reached,
            wanted,
            "the limit on open files allows fewer connections than configured"
        );
    }
}

#[cfg(not(unix))]
pub(super) fn make_room(_: &Limits) {}
