//! What a presented refresh token means. A session has one living token at a time; the others are
//! its revoked ancestors, and showing one of those is either a lost answer or a theft.

use chrono::TimeDelta;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The living token: revoke it and issue its child.
    Rotate,
    /// The client did not get our last answer, or asks twice at once: give it the living token again.
    Repeat,
    /// Too old to be an accident: end the whole family.
    Theft,
}

/// What the store knows of the presented token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presented {
    Living,
    /// How long ago it was revoked, and how many steps down the family's living token is, if one lives.
    Revoked {
        since: TimeDelta,
        steps_to_living: Option<u32>,
    },
}

/// Generations that are looked through for the living token: far more than fit into a reuse interval.
pub const MAX_STEPS: u32 = 64;

pub fn judge(presented: Presented, reuse_interval: TimeDelta) -> Verdict {
    match presented {
        Presented::Living => Verdict::Rotate,
        Presented::Revoked { steps_to_living: Some(1), .. } => Verdict::Repeat,
        Presented::Revoked { since, steps_to_living: Some(_) } if since <= reuse_interval => Verdict::Repeat,
        Presented::Revoked { .. } => Verdict::Theft,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: TimeDelta = TimeDelta::seconds(10);

    fn revoked(seconds: i64, steps_to_living: Option<u32>) -> Verdict {
        judge(Presented::Revoked { since: TimeDelta::seconds(seconds), steps_to_living }, INTERVAL)
    }

    #[test]
    fn the_living_token_rotates() {
        assert_eq!(judge(Presented::Living, INTERVAL), Verdict::Rotate);
    }

    #[test]
    fn the_parent_of_the_living_token_may_always_come_again() {
        assert_eq!(revoked(0, Some(1)), Verdict::Repeat);
        assert_eq!(revoked(86_400, Some(1)), Verdict::Repeat);
    }

    #[test]
    fn an_older_one_may_come_again_within_the_interval() {
        assert_eq!(revoked(10, Some(2)), Verdict::Repeat);
        assert_eq!(revoked(11, Some(2)), Verdict::Theft);
    }

    #[test]
    fn nothing_brings_a_dead_family_back() {
        assert_eq!(revoked(0, None), Verdict::Theft);
    }
}
