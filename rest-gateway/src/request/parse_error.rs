//! The expected input, and its position.

use super::syntax::ParseNote;

/// Which notes a parser records for error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notes {
    None,
    /// Only positions, to find the last error.
    Positions,
    /// Positions, and the notes at this position and after it. Earlier notes are never reported.
    From(usize),
}

impl Notes {
    fn includes(self, at: usize) -> bool {
        matches!(self, Self::From(position) if at >= position)
    }
}

#[derive(Debug, Default, Clone)]
pub struct ParseError {
    pub at: usize,
    /// Set even if the notes are not recorded.
    has_notes: bool,
    notes: Vec<ParseNote>,
}

impl ParseError {
    pub fn empty(at: usize) -> Self {
        Self { at, ..Self::default() }
    }

    pub fn new<const N: usize>(at: usize, recorded: Notes, notes: impl FnOnce() -> [ParseNote; N]) -> Self {
        let notes = if recorded.includes(at) { notes().into() } else { Vec::new() };
        Self { at, has_notes: true, notes }
    }

    pub fn is_empty(&self) -> bool {
        !self.has_notes
    }

    pub fn notes(&self) -> &[ParseNote] {
        &self.notes
    }

    pub fn clear(&mut self, at: usize) {
        (self.at, self.has_notes) = (at, false);
        self.notes.clear();
    }

    /// Combines notes at the same position. Notes at a later position replace earlier ones.
    pub fn merge(&mut self, other: Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() || other.at > self.at {
            *self = other;
        } else if other.at == self.at {
            self.notes.extend(other.notes);
        }
    }

    /// Replaces all notes about expected input.
    pub fn expect_only(&mut self, name: &'static str, recorded: Notes) {
        self.has_notes = true;
        if recorded.includes(self.at) {
            self.notes.retain(|note| !matches!(note, ParseNote::Expected(_)));
            self.notes.push(ParseNote::Expected(name.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_before_the_position_are_not_created() {
        let creates = |recorded| {
            let mut created = false;
            let error = ParseError::new(5, recorded, || {
                created = true;
                [ParseNote::Unexpected("x".to_owned())]
            });
            assert!(!error.is_empty() && error.notes().len() == usize::from(created));
            created
        };
        assert!(creates(Notes::From(5)));
        assert!(!creates(Notes::From(6)) && !creates(Notes::Positions));
    }
}
