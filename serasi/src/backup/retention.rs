//! Chooses which old backups to remove after a new one was made.

use chrono::{DateTime, TimeDelta, Utc};

use super::place::time_of;

/// The names to remove. A backup is kept as long as at least one rule keeps it; without rules, all are kept.
/// The newest is always kept.
pub fn expired(
    backups: &[String],
    keep: Option<u32>,
    keep_days: Option<u32>,
    now: DateTime<Utc>,
) -> Vec<&String> {
    if keep.is_none() && keep_days.is_none() {
        return Vec::new();
    }
    let newest_first = backups.iter().rev().enumerate();
    let is_expired = |index: usize, name: &str| {
        let by_count = keep.is_none_or(|keep| index >= keep as usize);
        let oldest = keep_days.map(|days| now - TimeDelta::days(days.into()));
        let by_age = oldest.is_none_or(|oldest| time_of(name).is_some_and(|time| time < oldest));
        by_count && by_age
    };
    newest_first.skip(1).filter(|(index, name)| is_expired(*index, name)).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(keep: Option<u32>, keep_days: Option<u32>) -> Vec<String> {
        let names =
            ["serasi-20260101T000000Z.tar", "serasi-20260108T000000Z.tar", "serasi-20260109T000000Z.tar"];
        let backups: Vec<String> = names.map(str::to_owned).to_vec();
        let now = time_of("serasi-20260110T000000Z.tar").unwrap();
        let expired = expired(&backups, keep, keep_days, now);
        backups.iter().filter(|name| !expired.contains(name)).map(|name| name[13..15].to_owned()).collect()
    }

    #[test]
    fn a_backup_is_removed_when_no_rule_keeps_it() {
        assert_eq!(left(Some(1), None), ["09"]);
        assert_eq!(left(Some(2), None), ["08", "09"]);
        assert_eq!(left(None, Some(3)), ["08", "09"]);
        assert_eq!(left(Some(3), Some(1)), ["01", "08", "09"]);
        assert_eq!(left(None, None), ["01", "08", "09"]);
    }

    #[test]
    fn the_newest_backup_is_always_kept() {
        let backups = ["serasi-20200101T000000Z.tar".to_owned()];
        let now = time_of("serasi-20260110T000000Z.tar").unwrap();
        assert!(expired(&backups, None, Some(1), now).is_empty());
    }
}
