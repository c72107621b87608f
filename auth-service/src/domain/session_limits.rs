//! When a session expires. No background job ends it: the limits are checked when the session is used.

use chrono::{DateTime, TimeDelta, Utc};

/// Every limit is off unless operators set it.
#[derive(Debug, Clone, Copy, Default)]
pub struct SessionLimits {
    /// Measured from the sign-in.
    pub time_box: Option<TimeDelta>,
    /// Measured from the last refresh.
    pub inactivity_timeout: Option<TimeDelta>,
    /// Whether a newer sign-in of the same account ends the session.
    pub single_per_user: bool,
}

/// The stored timestamps of a session.
#[derive(Debug, Clone, Copy)]
pub struct Lifetime {
    pub created_at: DateTime<Utc>,
    pub refreshed_at: Option<DateTime<Utc>>,
    pub not_after: Option<DateTime<Utc>>,
}

impl Lifetime {
    pub fn last_active_at(self) -> DateTime<Utc> {
        self.refreshed_at.unwrap_or(self.created_at)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExpiryReason {
    #[error("Session Expired")]
    Expired,
    #[error("Session Expired (Inactivity)")]
    Inactive,
    #[error("Session Expired (Revoked by Newer Login)")]
    Superseded,
}

impl SessionLimits {
    /// Checks the time limits.
    ///
    /// # Errors
    /// Fails with the reason when the session has expired.
    pub fn check(&self, session: Lifetime, now: DateTime<Utc>) -> Result<(), ExpiryReason> {
        let time_box = self.time_box.map(|life| session.created_at + life);
        if [session.not_after, time_box].into_iter().flatten().any(|end| end <= now) {
            return Err(ExpiryReason::Expired);
        }
        match self.inactivity_timeout {
            Some(timeout) if session.last_active_at() + timeout <= now => Err(ExpiryReason::Inactive),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        limits: SessionLimits,
        refreshed: Option<i64>,
        ends: Option<i64>,
        now: i64,
    ) -> Result<(), ExpiryReason> {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
        let (created_at, refreshed_at, not_after) = (at(1000), refreshed.map(at), ends.map(at));
        limits.check(Lifetime { created_at, refreshed_at, not_after }, at(now))
    }

    #[test]
    fn without_limits_only_not_after_ends_a_session() {
        assert_eq!(check(SessionLimits::default(), None, None, 9_999_999), Ok(()));
        assert_eq!(check(SessionLimits::default(), None, Some(1500), 1499), Ok(()));
        assert_eq!(check(SessionLimits::default(), Some(1499), Some(1500), 1500), Err(ExpiryReason::Expired));
    }

    #[test]
    fn the_time_box_starts_at_the_sign_in() {
        let limits = SessionLimits { time_box: Some(TimeDelta::seconds(60)), ..SessionLimits::default() };
        assert_eq!(check(limits, Some(1059), None, 1059), Ok(()));
        assert_eq!(check(limits, Some(1059), None, 1060), Err(ExpiryReason::Expired));
    }

    #[test]
    fn the_inactivity_timeout_starts_at_the_last_refresh() {
        let timeout = Some(TimeDelta::seconds(60));
        let limits = SessionLimits { inactivity_timeout: timeout, ..SessionLimits::default() };
        assert_eq!(check(limits, None, None, 1059), Ok(()));
        assert_eq!(check(limits, None, None, 1060), Err(ExpiryReason::Inactive));
        assert_eq!(check(limits, Some(1059), None, 1118), Ok(()));
        assert_eq!(check(limits, Some(1059), None, 1119), Err(ExpiryReason::Inactive));
    }
}
