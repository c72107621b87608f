//! Waits for a database that is not up yet, but fails immediately when waiting can't help.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use platform::database::{RetryReason, retry_reason};

const FIRST_DELAY: Duration = Duration::from_millis(250);
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// How often the reason for waiting is printed again.
const REMINDER: Duration = Duration::from_secs(30);

/// Retries until the database is reachable. Calls `waiting` once, after the first failed attempt.
///
/// # Errors
/// When a retry can't help, such as a wrong password, address or setting.
pub async fn until_reachable<T>(
    mut attempt: impl AsyncFnMut() -> anyhow::Result<T>,
    waiting: impl FnOnce(),
) -> anyhow::Result<T> {
    let mut waiting = Some(waiting);
    let (mut delay, mut reported) = (FIRST_DELAY, None::<(String, Instant)>);
    loop {
        let error = match attempt().await {
            Err(error) if is_temporary(&error) => error,
            outcome => return outcome,
        };
        if let Some(waiting) = waiting.take() {
            waiting();
        }
        let reason = format!("{error:#}");
        if reported.as_ref().is_none_or(|(last, at)| *last != reason || at.elapsed() > REMINDER) {
            eprintln!("  Waiting: {reason}");
            reported = Some((reason, Instant::now()));
        }
        tokio::time::sleep(delay).await;
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}

/// Whether the error is temporary: an unreachable, starting, stopping or overloaded server.
fn is_temporary(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| match cause.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Io(error)) => is_temporary_io(error),
        Some(error) => matches!(retry_reason(error), Some(RetryReason::Unavailable | RetryReason::Busy)),
        None => cause.is::<tokio::time::error::Elapsed>(),
    })
}

fn is_temporary_io(error: &std::io::Error) -> bool {
    let text = error.to_string();
    // The resolver sets no error kind. An unknown name is permanent, a resolver failure is not.
    let is_unknown_name =
        text.contains("failed to lookup") && !text.contains("Temporary failure in name resolution");
    !is_unknown_name && !matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::InvalidData)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn only_temporary_errors_are_retried() {
        let io = |kind: ErrorKind| Err::<(), _>(sqlx::Error::Io(kind.into())).context("context").unwrap_err();
        assert!(is_temporary(&io(ErrorKind::ConnectionRefused)));
        assert!(!is_temporary(&io(ErrorKind::PermissionDenied)));
        let unknown =
            std::io::Error::other("failed to lookup address information: Name or service not known");
        assert!(!is_temporary_io(&unknown));
        let resolver = "failed to lookup address information: Temporary failure in name resolution";
        assert!(is_temporary_io(&std::io::Error::other(resolver)));
        assert!(!is_temporary(&sqlx::Error::Configuration("no url".into()).into()));
    }
}
