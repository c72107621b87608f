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

impl Resolution {
    pub fn name(self) -> &'static str {
        match self {
            Self::MergeDuplicates => "merge-duplicates",
            Self::IgnoreDuplicates => "ignore-duplicates",
        }
    }
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

impl Preferences {
    /// `allow_transaction_end`: whether clients may choose between commit and rollback.
    pub fn parse<'a>(headers: impl Iterator<Item = &'a str>, allow_transaction_end: bool) -> Self {
        let mut preferences = Self::default();
        for token in headers.flat_map(|header| header.split(',')).map(str::trim) {
            preferences.add(token, allow_transaction_end);
        }
        preferences
    }

    fn add(&mut self, token: &str, allow_transaction_end: bool) {
        match token {
            "resolution=merge-duplicates" => set(&mut self.resolution, Resolution::MergeDuplicates),
            "resolution=ignore-duplicates" => set(&mut self.resolution, Resolution::IgnoreDuplicates),
            "return=representation" => set(&mut self.representation, Representation::Full),
            "return=minimal" => set(&mut self.representation, Representation::Minimal),
            "return=headers-only" => set(&mut self.representation, Representation::HeadersOnly),
            "count=exact" => set(&mut self.count, Count::Exact),
            "count=planned" => set(&mut self.count, Count::Planned),
            "count=estimated" => set(&mut self.count, Count::Estimated),
            "tx=commit" if allow_transaction_end => set(&mut self.transaction, TransactionEnd::Commit),
            "tx=rollback" if allow_transaction_end => set(&mut self.transaction, TransactionEnd::Rollback),
            "tx=commit" | "tx=rollback" => {}
            "missing=default" => set(&mut self.missing, Missing::Default),
            "missing=null" => set(&mut self.missing, Missing::Null),
            "handling=strict" => set(&mut self.handling, Handling::Strict),
            "handling=lenient" => set(&mut self.handling, Handling::Lenient),
            _ => self.add_with_value(token),
        }
    }

    /// Adds a preference whose value is free text.
    fn add_with_value(&mut self, token: &str) {
        if let Some(zone) = token.strip_prefix("timezone=") {
            set(&mut self.timezone, zone.to_owned());
        } else if let Some(rows) = token.strip_prefix("max-affected=") {
            if let Ok(rows) = rows.parse() {
                set(&mut self.max_affected, rows);
            }
        } else {
            self.invalid.push(token.to_owned());
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
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.resolution.map(|value| format!("resolution={}", value.name())));
        let fixed = [
            self.missing.map(|value| match value {
                Missing::Default => "missing=default",
                Missing::Null => "missing=null",
            }),
            self.representation.map(|value| match value {
                Representation::Full => "return=representation",
                Representation::Minimal => "return=minimal",
                Representation::HeadersOnly => "return=headers-only",
            }),
            self.count.map(|value| match value {
                Count::Exact => "count=exact",
                Count::Planned => "count=planned",
                Count::Estimated => "count=estimated",
            }),
            self.transaction.map(|value| match value {
                TransactionEnd::Commit => "tx=commit",
                TransactionEnd::Rollback => "tx=rollback",
            }),
            self.handling.map(|value| match value {
                Handling::Strict => "handling=strict",
                Handling::Lenient => "handling=lenient",
            }),
        ];
        parts.extend(fixed.into_iter().flatten().map(str::to_owned));
        parts.extend(self.timezone.as_ref().map(|zone| format!("timezone={zone}")));
        if self.is_strict() {
            parts.extend(self.max_affected.map(|rows| format!("max-affected={rows}")));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The first of several tokens for the same preference wins.
fn set<T>(slot: &mut Option<T>, value: T) {
    slot.get_or_insert(value);
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
