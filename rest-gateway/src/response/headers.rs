//! Header values.

use crate::config::POSTGREST_VERSION;
use crate::plan::mutate::MutatePlan;
use crate::plan::read;
use crate::plan::types::ReadPlan;
use crate::request::preferences::Preferences;
use crate::request::query_string::{self, encoded};
use crate::request::{Action, Request};

/// For example `0-9/100`. A star stands for an empty or unknown part.
pub fn content_range(first: i64, last: i64, total: Option<i64>) -> String {
    let total_shown = total.map_or_else(|| "*".to_owned(), |total| total.to_string());
    if total == Some(0) || first > last {
        return format!("*/{total_shown}");
    }
    format!("{first}-{last}/{total_shown}")
}

pub fn content_location(request: &Request, query: &str) -> String {
    let canonical = query_string::canonical(query);
    let separator = if canonical.is_empty() { "" } else { "?" };
    format!("/{}{separator}{canonical}", request.resource)
}

/// The URL of the new row, from `column=eq.value` parts.
pub fn location(request: &Request, parts: &[String]) -> String {
    let pairs = parts.iter().filter_map(|part| part.split_once('='));
    let encoded: Vec<String> =
        pairs.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    format!("/{}?{}", request.resource, encoded.join("&"))
}

/// The preferences that took effect.
pub fn applied(request: &Request) -> Option<String> {
    let all = &request.preferences;
    let mutates = matches!(request.action, Action::Create | Action::Update | Action::Upsert | Action::Delete);
    Preferences {
        resolution: None,
        representation: if mutates { all.representation } else { None },
        missing: if request.action == Action::Update { all.missing } else { None },
        max_affected: match request.action {
            Action::Update | Action::Delete | Action::Call => all.max_affected,
            _ => None,
        },
        ..all.clone()
    }
    .applied()
}

pub fn applied_to_insert(request: &Request, has_conflict_target: bool) -> Option<String> {
    let all = &request.preferences;
    Preferences {
        resolution: if has_conflict_target { all.resolution } else { None },
        max_affected: None,
        ..all.clone()
    }
    .applied()
}

/// Whether there is a key or column that rows can conflict on.
pub fn has_conflict_target(plan: &MutatePlan, request: &Request) -> bool {
    let has_key = plan.insert().is_some_and(|insert| !insert.primary_key.is_empty());
    has_key || request.query.on_conflict.is_some()
}

/// Warns about parameters that use an embedded resource's name instead of its alias.
pub fn legacy_names_warning(plan: &ReadPlan) -> Option<String> {
    let changes: Vec<String> = read::called_by_name(plan)
        .into_iter()
        .map(|(name, alias)| format!("`{name}` to `{alias}`"))
        .collect();
    if changes.is_empty() {
        return None;
    }
    let changes = changes.join(", ");
    Some(format!(
        "299 PostgRESTv{POSTGREST_VERSION} \"Embedded resource was referenced by relation name even though it has an \
         alias. This is deprecated and will stop working in a future release. Update {changes} in query string \
         filters, orders or limits.\""
    ))
}

#[cfg(test)]
mod tests {
    use super::content_range;

    #[test]
    fn unknown_parts_of_a_range_are_stars() {
        assert_eq!(content_range(0, 9, Some(100)), "0-9/100");
        assert_eq!(content_range(0, 9, None), "0-9/*");
        assert_eq!(content_range(0, -1, Some(0)), "*/0");
        assert_eq!(content_range(5, 4, Some(3)), "*/3");
    }
}
