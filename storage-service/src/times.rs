//! Timestamps as clients expect them: always with milliseconds and `Z`.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;

pub fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// For `#[serde(serialize_with)]`.
///
/// # Errors
/// Fails like the serializer.
pub fn serialize<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&iso(*time))
}

/// Like [`serialize`], with `null` for `None`.
///
/// # Errors
/// Fails like the serializer.
pub fn serialize_optional<S: Serializer>(
    time: &Option<DateTime<Utc>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}
