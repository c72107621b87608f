//! Times as clients read them: always three digits of a second, always `Z`.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;

pub fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// For `#[serde(serialize_with)]`.
///
/// # Errors
/// As the serializer.
pub fn serialize<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&iso(*time))
}

/// As [`serialize`], `null` for none.
///
/// # Errors
/// As the serializer.
pub fn serialize_optional<S: Serializer>(
    time: &Option<DateTime<Utc>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}
