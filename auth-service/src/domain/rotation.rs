//! Decides what a presented refresh token means. A session has one active token; the others are its revoked
//! ancestors. A client that presents a revoked one either missed a response or stole the token.

use chrono::TimeDelta;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The active token: revoke it and issue its child.
    Rotate,
    /// The client missed the last response or sent two requests at once: return the active token again.
    Repeat,
    /// Too old to be an accident: revoke the whole family.
    Theft,
}

/// The stored state of the presented token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresentedToken {
    Active,
    /// How long ago it was revoked, and the distance to the family's active token, if there is one.
    Revoked {
        since: TimeDelta,
        steps_to_active: Option<u32>,
    },
}

/// Generations searched for the active token: far more than fit into a reuse interval.
pub const MAX_STEPS: u32 = 64;

pub fn decide(presented: PresentedToken, reuse_interval: TimeDelta) -> Verdict {
    match presented {
        PresentedToken::Active => Verdict::Rotate,
        PresentedToken::Revoked { steps_to_active: Some(1), .. } => Verdict::Repeat,
        PresentedToken::Revoked { since, steps_to_active: Some(_) } if since <= reuse_interval => {
            Verdict::Repeat
        }
        PresentedToken::Revoked { .. } => Verdict::Theft,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: TimeDelta = TimeDelta::seconds(10);

    fn revoked(seconds: i64, steps_to_active: Option<u32>) -> Verdict {
        decide(PresentedToken::Revoked { since: TimeDelta::seconds(seconds), steps_to_active }, INTERVAL)
    }

    #[test]
    fn the_active_token_rotates() {
        assert_eq!(decide(PresentedToken::Active, INTERVAL), Verdict::Rotate);
    }

    #[test]
    fn the_parent_of_the_active_token_may_always_be_reused() {
        assert_eq!(revoked(0, Some(1)), Verdict::Repeat);
        assert_eq!(revoked(86_400, Some(1)), Verdict::Repeat);
    }

    #[test]
    fn older_tokens_may_be_reused_within_the_interval() {
        assert_eq!(revoked(10, Some(2)), Verdict::Repeat);
        assert_eq!(revoked(11, Some(2)), Verdict::Theft);
    }

    #[test]
    fn a_revoked_family_stays_revoked() {
        assert_eq!(revoked(0, None), Verdict::Theft);
    }
}
