//! Waits for a database that is not there yet, and tells it from one that never will be.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

const FIRST_DELAY: Duration = Duration::from_millis(250);
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// How often somebody who waits is told so again.
const REMINDER: Duration = Duration::from_secs(30);

/// Tries until the database is reached. `waiting` is called once, when it is not there at first.
///
/// # Errors
/// When trying again can't help: a wrong password, address or setting.
pub async fn until_reachable<T>(
    mut attempt: impl AsyncFnMut() -> anyhow::Result<T>,
    waiting: impl FnOnce(),
) -> anyhow::Result<T> {
    let mut waiting = Some(waiting);
    let (mut delay, mut said) = (FIRST_DELAY, None::<(String, Instant)>);
    loop {
        let error = match attempt().await {
            Err(error) if may_come(&error) => error,
            outcome => return outcome,
        };
        if let Some(waiting) = waiting.take() {
            waiting();
        }
        let reason = format!("{error:#}");
        if said.as_ref().is_none_or(|(last, at)| *last != reason || at.elapsed() > REMINDER) {
            eprintln!("  Waiting: {reason}");
            said = Some((reason, Instant::now()));
        }
        tokio::time::sleep(delay).await;
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}

/// Whether the cause is one that passes: nobody there, a server that starts, stops or is overrun.
fn may_come(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        if cause.is::<tokio::time::error::Elapsed>() {
            return true;
        }
        match cause.downcast_ref::<sqlx::Error>() {
            Some(sqlx::Error::Io(error)) => is_passing(error),
            Some(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| code == "53300" || code.starts_with("57P0"))
            }
            _ => false,
        }
    })
}

fn is_passing(error: &std::io::Error) -> bool {
    match error.kind() {
        ErrorKind::ConnectionRefused
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::TimedOut
        | ErrorKind::UnexpectedEof
        // A socket's file.
        | ErrorKind::NotFound => true,
        // The resolver gives no kind. A name that nobody knows is a mistake, a resolver that is down is not.
        _ => error.to_string().contains("Temporary failure in name resolution"),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn only_what_passes_is_waited_for() {
        let io = |kind: ErrorKind| Err::<(), _>(sqlx::Error::Io(kind.into())).context("context").unwrap_err();
        assert!(may_come(&io(ErrorKind::ConnectionRefused)));
        assert!(!may_come(&io(ErrorKind::PermissionDenied)));
        let unknown =
            std::io::Error::other("failed to lookup address information: Name or service not known");
        assert!(!is_passing(&unknown));
        let resolver = "failed to lookup address information: Temporary failure in name resolution";
        assert!(is_passing(&std::io::Error::other(resolver)));
        assert!(!may_come(&sqlx::Error::Configuration("no url".into()).into()));
    }
}
