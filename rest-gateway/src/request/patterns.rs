//! Limits the search patterns of a request, because PostgreSQL compares each pattern with every row that no index
//! excludes.

use super::filters::{Condition, LogicTree, Operation};
use super::query_string::QueryString;
use crate::error_body::{ErrorBody, Rejection};

/// How many patterns a request may contain, and their total size.
const MOST: Patterns = Patterns { count: 24, bytes: 8192 };

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Patterns {
    pub count: usize,
    pub bytes: usize,
}

impl Patterns {
    pub fn in_query(query: &QueryString) -> Self {
        let mut patterns = Self::default();
        query.filters.iter().for_each(|(_, tree)| patterns.add_tree(tree));
        patterns
    }

    /// # Errors
    /// When the request exceeds a limit.
    pub fn check(self) -> Result<(), Rejection> {
        let Self { count, bytes } = self;
        if count > MOST.count || bytes > MOST.bytes {
            let details = format!(
                "{count} like, ilike, match, imatch and full-text conditions with {bytes} bytes; \
                 {} with {} bytes are allowed",
                MOST.count, MOST.bytes
            );
            let message = "The request contains too many search patterns";
            return Err(ErrorBody::bad_request("GATEWAY_TOO_MANY_PATTERNS", message)
                .details(details)
                .hint("Split the search into several requests."));
        }
        Ok(())
    }

    fn add_tree(&mut self, tree: &LogicTree) {
        match tree {
            LogicTree::Filter(filter) => self.add(&filter.condition),
            LogicTree::Group { members, .. } => members.iter().for_each(|member| self.add_tree(member)),
        }
    }

    fn add(&mut self, condition: &Condition) {
        let (count, value) = match &condition.operation {
            // `like(any).{a,b}` contains one pattern per element.
            Operation::Quantified { symbol: "like" | "ilike" | "~" | "~*", quantifier, value } => {
                let elements = if quantifier.is_some() { value.matches(',').count() + 1 } else { 1 };
                (elements, value)
            }
            Operation::FullText { value, .. } => (1, value),
            _ => return,
        };
        self.count += count;
        self.bytes += value.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(query: &str) -> Patterns {
        Patterns::in_query(&QueryString::parse(query, false).unwrap())
    }

    #[test]
    fn patterns_are_counted_at_every_nesting_level() {
        assert_eq!(patterns("a=eq.1&b=in.(x,y)&c=gt.5"), Patterns::default());
        assert_eq!(patterns("a=like.*x*&b=not.ilike.yy"), Patterns { count: 2, bytes: 5 });
        let nested = "or=(a.match.x,and(b.imatch.y,c.fts.z),d.eq.1)&e.and=(f.plfts(english).ab)";
        assert_eq!(patterns(nested), Patterns { count: 4, bytes: 5 });
        assert_eq!(patterns("a=like(any).{x,y,z}").count, 3);
    }
}
