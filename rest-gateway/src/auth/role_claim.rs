//! Where in the claims the role stands: a path such as `.role`, `."https://example.com/roles"[0]` or
//! `.roles[?(@ ^== "app_")]`.

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleClaim(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
    /// The first text in an array that compares so.
    Search(Comparison, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    StartsWith,
    EndsWith,
    Contains,
}

const COMPARISONS: [(&str, Comparison); 5] = [
    ("==^", Comparison::EndsWith),
    ("^==", Comparison::StartsWith),
    ("*==", Comparison::Contains),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
];

impl RoleClaim {
    /// `None` when the text is no path.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim();
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = if let Some(key) = rest.strip_prefix('.') {
                read_key(key)?
            } else {
                let (inner, after) = rest.strip_prefix('[')?.split_once(']')?;
                (bracket(inner.trim())?, after)
            };
            steps.push(step);
            rest = after;
        }
        (!steps.is_empty()).then_some(Self(steps))
    }

    pub fn find<'v>(&self, claims: &'v Map<String, Value>) -> Option<&'v Value> {
        let (first, rest) = self.0.split_first()?;
        let Step::Key(key) = first else { return None };
        rest.iter().try_fold(claims.get(key)?, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.get(index),
            Step::Search(comparison, text) => value
                .as_array()?
                .iter()
                .find(|item| item.as_str().is_some_and(|item| comparison.holds(item, text))),
        })
    }
}

impl Comparison {
    fn holds(self, item: &str, text: &str) -> bool {
        match self {
            Self::Equal => item == text,
            Self::NotEqual => item != text,
            Self::StartsWith => item.starts_with(text),
            Self::EndsWith => item.ends_with(text),
            Self::Contains => item.contains(text),
        }
    }
}

fn read_key(text: &str) -> Option<(Step, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (key, after) = quoted.split_once('"')?;
        return Some((Step::Key(key.to_owned()), after));
    }
    let end =
        text.find(|found: char| !found.is_alphanumeric() && !"_$@".contains(found)).unwrap_or(text.len());
    let (key, after) = text.split_at(end);
    (!key.is_empty()).then(|| (Step::Key(key.to_owned()), after))
}

fn bracket(text: &str) -> Option<Step> {
    if let Ok(index) = text.parse() {
        return Some(Step::Index(index));
    }
    let test = text.strip_prefix("?(@")?.strip_suffix(')')?.trim();
    let (comparison, operand) = COMPARISONS
        .iter()
        .find_map(|(symbol, comparison)| Some((*comparison, test.strip_prefix(symbol)?.trim())))?;
    let text = operand.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    Some(Step::Search(comparison, text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn find(path: &str) -> Option<Value> {
        let claims = json!({ "role": "a", "https://x": { "roles": ["one", "app_two"] } });
        RoleClaim::parse(path).unwrap().find(claims.as_object().unwrap()).cloned()
    }

    #[test]
    fn paths_lead_to_values() {
        assert_eq!(find(".role"), Some(json!("a")));
        assert_eq!(find(".\"https://x\".roles[1]"), Some(json!("app_two")));
        assert_eq!(find(".\"https://x\".roles[?(@ ^== \"app\")]"), Some(json!("app_two")));
        assert_eq!(find(".\"https://x\".roles[?(@ == 'none')]"), None);
        assert_eq!(find(".nothing.there"), None);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", "role", ".", ".a[", ".a[x]"] {
            assert_eq!(RoleClaim::parse(text), None, "{text}");
        }
    }
}
