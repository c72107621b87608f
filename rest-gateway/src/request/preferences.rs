//! The `Prefer` header (RFC 7240).

/// The first valid token of each preference.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Preferences {
    pub resolution: Option<Resolution>,
    pub representation: Option<Representation>,
    pub count: Option<Count>,
    pub transaction: Option<TransactionEnd>,
    pub missing: Option<Missing>,
    pub handling: Option<Handling>,
    pub timezone: Option<String>,
    pub max_affected: Option<i64>,
    /// Unknown tokens, unchanged.
    pub invalid: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    MergeDuplicates,
    IgnoreDuplicates,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Representation {
    Full,
    Minimal,
    HeadersOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Exact,
    Planned,
    Estimated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionEnd {
    Commit,
    Rollback,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    Default,
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handling {
    Strict,
    Lenient,
}

/// The values of a preference.
type Names<T> = &'static [(&'static str, T)];

pub const RESOLUTIONS: Names<Resolution> =
    &[("merge-duplicates", Resolution::MergeDuplicates), ("ignore-duplicates", Resolution::IgnoreDuplicates)];
const REPRESENTATIONS: Names<Representation> = &[
    ("representation", Representation::Full),
    ("minimal", Representation::Minimal),
    ("headers-only", Representation::HeadersOnly),
];
const COUNTS: Names<Count> =
    &[("exact", Count::Exact), ("planned", Count::Planned), ("estimated", Count::Estimated)];
const TRANSACTION_ENDS: Names<TransactionEnd> =
    &[("commit", TransactionEnd::Commit), ("rollback", TransactionEnd::Rollback)];
const MISSING: Names<Missing> = &[("default", Missing::Default), ("null", Missing::Null)];
const HANDLING: Names<Handling> = &[("strict", Handling::Strict), ("lenient", Handling::Lenient)];

/// The first of several tokens for the same preference wins. Returns whether the value is known.
fn set<T: Copy>(preference: &mut Option<T>, value: &str, names: Names<T>) -> bool {
    let found = names.iter().find(|(name, _)| *name == value);
    *preference = preference.or(found.map(|(_, value)| *value));
    found.is_some()
}

pub fn name<T: PartialEq>(value: &T, names: Names<T>) -> &'static str {
    names.iter().find(|(_, known)| known == value).map_or("", |(name, _)| name)
}

impl Preferences {
    /// `allow_transaction_end`: whether clients may choose between commit and rollback.
    pub fn parse<'a>(headers: impl Iterator<Item = &'a str>, allow_transaction_end: bool) -> Self {
        let mut preferences = Self::default();
        for token in headers.flat_map(|header| header.split(',')).map(str::trim) {
            if !preferences.add(token) {
                preferences.invalid.push(token.to_owned());
            }
        }
        preferences.transaction = preferences.transaction.filter(|_| allow_transaction_end);
        preferences
    }

    fn add(&mut self, token: &str) -> bool {
        let Some((name, value)) = token.split_once('=') else { return false };
        match name {
            "resolution" => set(&mut self.resolution, value, RESOLUTIONS),
            "return" => set(&mut self.representation, value, REPRESENTATIONS),
            "count" => set(&mut self.count, value, COUNTS),
            "tx" => set(&mut self.transaction, value, TRANSACTION_ENDS),
            "missing" => set(&mut self.missing, value, MISSING),
            "handling" => set(&mut self.handling, value, HANDLING),
            "timezone" => {
                self.timezone.get_or_insert_with(|| value.to_owned());
                true
            }
            "max-affected" => {
                self.max_affected = self.max_affected.or(value.parse().ok());
                true
            }
            _ => false,
        }
    }

    pub fn is_strict(&self) -> bool {
        self.handling == Some(Handling::Strict)
    }

    pub fn counts_rows(&self) -> bool {
        matches!(self.count, Some(Count::Exact | Count::Estimated))
    }

    /// The value of `Preference-Applied`, in the order PostgREST lists them.
    pub fn applied(&self) -> Option<String> {
        let parts = [
            self.resolution.map(|value| format!("resolution={}", name(&value, RESOLUTIONS))),
            self.missing.map(|value| format!("missing={}", name(&value, MISSING))),
            self.representation.map(|value| format!("return={}", name(&value, REPRESENTATIONS))),
            self.count.map(|value| format!("count={}", name(&value, COUNTS))),
            self.transaction.map(|value| format!("tx={}", name(&value, TRANSACTION_ENDS))),
            self.handling.map(|value| format!("handling={}", name(&value, HANDLING))),
            self.timezone.as_ref().map(|zone| format!("timezone={zone}")),
            self.max_affected.filter(|_| self.is_strict()).map(|rows| format!("max-affected={rows}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_token_wins_and_unknown_tokens_are_collected() {
        let headers = ["return=minimal, return=representation", "anything,handling=strict, max-affected=3"];
        let preferences = Preferences::parse(headers.into_iter(), false);
        assert_eq!(preferences.representation, Some(Representation::Minimal));
        assert_eq!(preferences.invalid, ["anything"]);
        assert_eq!(preferences.applied().unwrap(), "return=minimal, handling=strict, max-affected=3");
    }

    #[test]
    fn clients_choose_how_the_transaction_ends_only_when_allowed() {
        let transaction = |allowed| Preferences::parse(["tx=rollback"].into_iter(), allowed).transaction;
        assert_eq!(transaction(false), None);
        assert_eq!(transaction(true), Some(TransactionEnd::Rollback));
    }
}
