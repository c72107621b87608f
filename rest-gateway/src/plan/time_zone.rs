//! Which time zones may be asked for.

use crate::error::RequestError;
use crate::request::preferences::Preferences;

/// What `to_char` keeps free for an abbreviation.
const LONGEST: usize = 24;

/// The first release of each major version in which `to_char` has room for long abbreviations.
const REPAIRED: [i32; 5] = [140_024, 150_019, 160_015, 170_011, 180_006];

/// Elsewhere a zone that brings its own long abbreviation overruns a buffer of the server
/// (CVE-2026-14669). Such a zone has to have an offset; names of places have no digits.
///
/// # Errors
/// When the time zone would be dangerous.
pub fn check(preferences: &Preferences, server_version: i32) -> Result<(), RequestError> {
    let long = |zone: &String| zone.len() > LONGEST && zone.bytes().any(|byte| byte.is_ascii_digit());
    if preferences.timezone.as_ref().is_some_and(long) && !is_repaired(server_version) {
        return Err(RequestError::TimeZoneTooLong);
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
    fn long_abbreviations_are_kept_from_servers_that_they_harm() {
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
