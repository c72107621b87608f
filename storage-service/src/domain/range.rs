//! Parses the single byte range of a download.

use std::ops::Range;

#[derive(Debug, PartialEq, Eq)]
pub struct Unsatisfiable;

/// Accepts `bytes=a-b`, `bytes=a-` and `bytes=-n`. The end is clamped to the object's size. `None` for several ranges and for
/// other units, which RFC 9110 lets a server ignore.
///
/// # Errors
/// Fails when the range is malformed or starts past the end.
pub fn parse(header: &str, size: u64) -> Result<Option<Range<u64>>, Unsatisfiable> {
    let Some(range) = header.trim().strip_prefix("bytes=").filter(|range| !range.contains(',')) else {
        return Ok(None);
    };
    let (first, last) = range.split_once('-').ok_or(Unsatisfiable)?;
    let range = match (first, last) {
        ("", suffix) => size.saturating_sub(number(suffix)?)..size,
        (first, "") => number(first)?..size,
        (first, last) => number(first)?..number(last)?.saturating_add(1).min(size),
    };
    if range.is_empty() { Err(Unsatisfiable) } else { Ok(Some(range)) }
}

/// Accepts digits only: `u64::from_str` would accept a sign.
fn number(text: &str) -> Result<u64, Unsatisfiable> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().map_err(|_| Unsatisfiable)
    } else {
        Err(Unsatisfiable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_are_parsed_and_clamped() {
        assert_eq!(parse("bytes=0-3", 10), Ok(Some(0..4)));
        assert_eq!(parse("bytes=7-99", 10), Ok(Some(7..10)));
        assert_eq!(parse("bytes=4-", 10), Ok(Some(4..10)));
        assert_eq!(parse("bytes=-3", 10), Ok(Some(7..10)));
        assert_eq!(parse("bytes=-30", 10), Ok(Some(0..10)));
    }

    #[test]
    fn other_ranges_are_unsatisfiable() {
        for header in ["bytes=10-", "bytes=5-3", "bytes=-0", "bytes=", "bytes=a-b", "bytes=+1-2", "bytes=-"] {
            assert_eq!(parse(header, 10), Err(Unsatisfiable), "{header}");
        }
        assert_eq!(parse("bytes=0-", 0), Err(Unsatisfiable));
    }

    #[test]
    fn several_ranges_and_other_units_are_ignored() {
        for header in ["bytes=0-1,3-4", "items=0-1", "", "0-1"] {
            assert_eq!(parse(header, 10), Ok(None), "{header}");
        }
    }
}
