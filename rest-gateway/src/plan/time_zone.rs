//! Validates the time zone preference.

use super::error::PlanError;
use crate::request::preferences::Preferences;

/// Buffer space that `to_char` reserves for a time zone abbreviation.
const LONGEST: usize = 24;

/// The first minor release of each major version that fixes the bug.
const REPAIRED: [i32; 5] = [140_024, 150_019, 160_015, 170_011, 180_006];

/// In older servers a zone that defines a long abbreviation overflows a buffer (CVE-2026-14669). Such a
/// zone always contains an offset, whereas place names contain no digits.
///
/// # Errors
/// When the time zone could crash the server.
pub fn check(preferences: &Preferences, server_version: i32) -> Result<(), PlanError> {
    let long = |zone: &String| zone.len() > LONGEST && zone.bytes().any(|byte| byte.is_ascii_digit());
    if preferences.timezone.as_ref().is_some_and(long) && !is_repaired(server_version) {
        return Err(PlanError::TimeZoneTooLong);
    }
    Ok(())
}

fn is_repaired(version: i32) -> bool {
    let major = version / 10_000;
    version >= 190_000 || REPAIRED.iter().any(|first| first / 10_000 == major && version >= *first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(zone: &str, server_version: i32) -> bool {
        let header = format!("timezone={zone}");
        check(&Preferences::parse([header.as_str()].into_iter(), false), server_version).is_ok()
    }

    #[test]
    fn long_abbreviations_are_rejected_for_vulnerable_servers() {
        let long = format!("{}5", "X".repeat(40));
        for (version, is_harmless) in [
            (130_099, false),
            (140_023, false),
            (140_024, true),
            (180_004, false),
            (180_006, true),
            (190_000, true),
        ] {
            assert_eq!(allowed(&long, version), is_harmless, "{version}");
            assert!(allowed("America/Argentina/Buenos_Aires", version));
            assert!(allowed("<+0530>-05:30", version));
        }
    }
}
