//! Validates the time zone preference.

use crate::error_body::{ErrorBody, Rejection};
use crate::request::preferences::Preferences;

/// The buffer that `to_char` reserves for a time zone abbreviation.
const MAX_LENGTH: usize = 24;

/// The first minor release of each major version that fixes the bug.
const FIXED_IN: [i32; 5] = [140_024, 150_019, 160_015, 170_011, 180_006];

/// In older servers a zone with a long abbreviation overflows a buffer (CVE-2026-14669). Such a zone contains an
/// offset, whereas names of places contain no digits.
///
/// # Errors
/// When the time zone could crash the server.
pub fn check(preferences: &Preferences, server_version: i32) -> Result<(), Rejection> {
    let long = |zone: &String| zone.len() > MAX_LENGTH && zone.bytes().any(|byte| byte.is_ascii_digit());
    if preferences.timezone.as_ref().is_some_and(long) && !is_fixed(server_version) {
        return Err(ErrorBody::bad_request("PGRST129", "The timezone preference is too long"));
    }
    Ok(())
}

fn is_fixed(version: i32) -> bool {
    let major = version / 10_000;
    version >= 190_000 || FIXED_IN.iter().any(|first| first / 10_000 == major && version >= *first)
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
        for (version, is_allowed) in [
            (130_099, false),
            (140_023, false),
            (140_024, true),
            (180_004, false),
            (180_006, true),
            (190_000, true),
        ] {
            assert_eq!(allowed(&long, version), is_allowed, "{version}");
            assert!(allowed("America/Argentina/Buenos_Aires", version));
            assert!(allowed("<+0530>-05:30", version));
        }
    }
}
