//! Raises the limit on file descriptors. Every connection needs one, and many need a second one for what they
//! read or write.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For database connections, the log and other open files.
const OTHER_FILES: usize = 256;

/// The minimum number of connections, however low the limit is.
const MIN_CONNECTIONS: usize = 64;

/// Raises the limit on open files as far as the system allows. Returns how many of the configured connections it
/// suffices for, and warns when these are fewer.
pub(super) fn sufficient_for(connections: usize) -> usize {
    let wanted = (2 * connections + OTHER_FILES) as u64;
    let limit = getrlimit(Resource::Nofile);
    let Some(current) = limit.current.filter(|current| *current < wanted) else { return connections };
    let possible = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted)).max(current);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(possible), maximum: limit.maximum });
    let reached = if raised.is_ok() { possible } else { current };
    if reached == wanted {
        return connections;
    }
    tracing::warn!(
        limit = reached,
        wanted,
        "the limit on open files allows fewer connections than configured"
    );
    let files = usize::try_from(reached).unwrap_or(usize::MAX);
    (files.saturating_sub(OTHER_FILES) / 2).clamp(MIN_CONNECTIONS.min(connections), connections)
}
