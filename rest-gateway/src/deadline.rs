//! Request deadlines, so that no request hangs on an unresponsive database.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::auth::Caller;
use crate::error::Error;
use crate::outage::Outage;
use crate::plan::Plan;
use crate::pool::error::DatabaseError;
use crate::schema_cache::roles::RoleSettings;

/// A statement that runs longer than this triggers a check of the database.
const SLOW: Duration = Duration::from_secs(2);
/// Lets PostgreSQL's own timeout fire first.
const MARGIN: Duration = Duration::from_secs(1);

/// The time limit of a request. A longer `statement_timeout` of the role or the function extends it.
pub fn time_limit(
    plan: &Plan<'_>,
    caller: &Caller,
    roles: &RoleSettings,
    default: Duration,
) -> Option<Duration> {
    let settings = |settings: &[(String, String)]| {
        let found = settings.iter().find(|(name, _)| name == "statement_timeout");
        found.and_then(|(_, value)| statement_timeout(value))
    };
    let of_routine = match plan {
        Plan::Call { routine, .. } => settings(&routine.settings),
        _ => None,
    };
    let of_role = || roles.settings.get(&*caller.role).and_then(|of_role| settings(of_role));
    match of_routine.or_else(of_role) {
        Some(Duration::ZERO) => None,
        Some(own) => Some(default.max(own + MARGIN)),
        None => Some(default),
    }
}

/// Parses PostgreSQL's format: milliseconds, or a number with a unit.
fn statement_timeout(text: &str) -> Option<Duration> {
    let unit = text.find(|found: char| !found.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..unit].parse().ok()?;
    let milliseconds = match text[unit..].trim() {
        "us" => return Some(Duration::from_micros(number)),
        "" | "ms" => 1,
        "s" => 1000,
        "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.checked_mul(milliseconds).map(Duration::from_millis)
}

/// Runs the work within a time limit. A read also fails as soon as an outage is known.
///
/// # Errors
/// When the work fails or takes too long.
pub async fn enforce<T>(
    work: impl Future<Output = Result<T, Error>>,
    outage: &Outage,
    began: Instant,
    limit: Option<Duration>,
    reads_only: bool,
) -> Result<T, Error> {
    let mut work = std::pin::pin!(work);
    let left = || limit.map_or(Duration::MAX, |limit| limit.saturating_sub(began.elapsed()));
    // Boxed like all timers of a request, because tokio aligns them to 128 bytes, and with them every future
    // that contains one.
    if let Ok(done) = Box::pin(timeout(SLOW.min(left()), &mut work)).await {
        return done;
    }
    outage.suspect();
    let mut known = outage.watch();
    tokio::select! {
        done = &mut work => return done,
        Ok(_) = known.wait_for(|is_known| *is_known), if reads_only => {}
        () = Box::pin(tokio::time::sleep(left())) => {}
    }
    Err(DatabaseError::no_response(began.elapsed()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postgresql_timeouts_are_parsed() {
        for (text, milliseconds) in
            [("3s", 3000), ("1500", 1500), ("250ms", 250), ("2min", 120_000), ("1 h", 3_600_000), ("0", 0)]
        {
            assert_eq!(statement_timeout(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        assert_eq!(statement_timeout("soon"), None);
    }
}
