//! Pagination: `limit`, `offset` and the `Range` header.

use axum::http::StatusCode;

use crate::error_body::{ErrorBody, Rejection};

/// Rows from `first` to `last`, zero-based and inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowRange {
    pub first: i64,
    pub last: Option<i64>,
}

impl RowRange {
    pub const ALL: Self = Self { first: 0, last: None };
    /// `limit=0`.
    pub const NONE: Self = Self { first: 0, last: Some(-1) };

    /// Reads the `limit` and `offset` parameters. Ignores values that are not numbers.
    pub fn from_parameters(limit: Option<&str>, offset: Option<&str>) -> Self {
        let first = offset.and_then(|text| text.parse().ok()).unwrap_or(0_i64);
        let limit: Option<i64> = limit.and_then(|text| text.parse().ok());
        Self { first, last: limit.map(|limit| first.saturating_add(limit.saturating_sub(1))) }
    }

    /// Reads a `Range` header such as `0-9` or `10-`. Any other format means all rows.
    pub fn from_header(text: &str) -> Self {
        let Some((first, last)) = text.split_once('-') else { return Self::ALL };
        let Some(first) = digits(first) else { return Self::ALL };
        match last {
            "" => Self { first, last: None },
            last => match digits(last) {
                Some(last) => Self { first, last: Some(last) },
                None => Self::ALL,
            },
        }
    }

    pub fn limit(self) -> Option<i64> {
        self.last.map(|last| last.saturating_sub(self.first).saturating_add(1))
    }

    pub fn is_empty(self) -> bool {
        self.last.is_some_and(|last| last < self.first)
    }

    pub fn is_limit_zero(self) -> bool {
        self.first.checked_sub(1).is_some_and(|before| self.last == Some(before))
    }

    pub fn intersection(self, other: Self) -> Self {
        let last = match (self.last, other.last) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        Self { first: self.first.max(other.first), last }
    }

    /// Limits the range to at most `limit` rows.
    pub fn restricted(self, limit: Option<i64>) -> Self {
        match limit {
            None => self,
            Some(limit) => {
                let last = self.first.saturating_add(limit.saturating_sub(1));
                self.intersection(Self { first: 0, last: Some(last) })
            }
        }
    }
}

fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

const NEGATIVE_LIMIT: &str = "Limit should be greater than or equal to zero.";
const LOWER_ABOVE_UPPER: &str =
    "The lower boundary must be lower than or equal to the upper boundary in the Range header.";

pub fn unsatisfiable(details: &str) -> Rejection {
    ErrorBody::new(StatusCode::RANGE_NOT_SATISFIABLE, "PGRST103", "Requested range not satisfiable")
        .details(details)
}

/// The range of the top-level resource.
///
/// # Errors
/// When header and parameters don't overlap, or when the method does not support ranges.
pub fn top_level(
    method: &str,
    header: Option<&str>,
    parameters: Option<RowRange>,
) -> Result<RowRange, Rejection> {
    let header = match (method, header) {
        ("GET", Some(text)) => RowRange::from_header(text),
        _ => RowRange::ALL,
    };
    let parameters = parameters.unwrap_or(RowRange::ALL);
    let range = if parameters.is_limit_zero() { RowRange::NONE } else { header.intersection(parameters) };
    if header.is_empty() {
        return Err(unsatisfiable(LOWER_ABOVE_UPPER));
    }
    if range.is_empty() && !range.is_limit_zero() {
        return Err(unsatisfiable(NEGATIVE_LIMIT));
    }
    if method == "PUT" && range != RowRange::ALL {
        let message = "limit/offset querystring parameters are not allowed for PUT";
        return Err(ErrorBody::bad_request("PGRST114", message));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: i64, last: i64) -> RowRange {
        RowRange { first, last: Some(last) }
    }

    #[test]
    fn limit_and_offset_make_a_range() {
        assert_eq!(RowRange::from_parameters(Some("5"), Some("10")), range(10, 14));
        assert_eq!(RowRange::from_parameters(Some("x"), None), RowRange::ALL);
        assert!(RowRange::from_parameters(Some("0"), Some("3")).is_limit_zero());
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let largest = i64::MAX.to_string();
        for text in [format!("0-{largest}"), format!("{largest}-{largest}"), format!("{largest}-")] {
            let narrowed = top_level("GET", Some(&text), None).unwrap();
            assert!(narrowed.limit().is_none_or(|limit| limit > 0), "{text}");
            assert!(narrowed.restricted(Some(i64::MAX)).limit().is_some_and(|limit| limit > 0), "{text}");
        }
        assert_eq!(RowRange::from_header(&format!("0-{largest}")).limit(), Some(i64::MAX));
        let parameters = RowRange::from_parameters(Some(&largest), Some(&largest));
        assert_eq!((parameters.first, parameters.limit()), (i64::MAX, Some(1)));
        assert!(!RowRange { first: i64::MIN, last: Some(i64::MAX) }.is_limit_zero());
    }

    #[test]
    fn the_range_header_narrows_the_parameters() {
        let narrowed = top_level("GET", Some("0-4"), Some(range(2, 9))).unwrap();
        assert_eq!(narrowed, range(2, 4));
        assert_eq!(top_level("PATCH", Some("0-4"), None).unwrap(), RowRange::ALL);
    }

    #[test]
    fn impossible_ranges_are_rejected() {
        let details = |header, parameters| top_level("GET", header, parameters).unwrap_err().details;
        assert_eq!(details(Some("9-2"), None), LOWER_ABOVE_UPPER);
        assert_eq!(details(None, Some(range(0, -2))), NEGATIVE_LIMIT);
        assert_eq!(top_level("PUT", None, Some(range(0, 0))).unwrap_err().code, "PGRST114");
    }
}
