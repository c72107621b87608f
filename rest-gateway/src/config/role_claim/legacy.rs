//! The syntax of PostgREST before 16, `.roles[?(@ ^== "app_")]`, translated to a JSON path.

use serde_json::json;
use serde_json_path::JsonPath;

use super::RoleClaim;

/// A part of a string: `[7:]` or `[:-7]`. Negative positions count from the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    start: Option<i64>,
    end: Option<i64>,
}

impl Slice {
    pub fn cut(&self, text: &str) -> String {
        let length = text.chars().count();
        let position = |position: i64| {
            let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
            if position < 0 { length.saturating_sub(distance) } else { distance.min(length) }
        };
        let (start, end) = (self.start.map_or(0, position), self.end.map_or(length, position));
        text.chars().skip(start).take(end.saturating_sub(start)).collect()
    }
}

/// A path that has been read so far.
#[derive(Default)]
struct Path {
    /// As a JSON path, without the root.
    standard: String,
    in_array: bool,
    slices: Vec<Slice>,
    shown: String,
}

/// Returns `None` when the text is not a path.
pub fn parse(text: &str) -> Option<RoleClaim> {
    let mut path = Path::default();
    let mut rest = text;
    while !rest.is_empty() {
        rest = match rest.strip_prefix('.') {
            Some(key) => path.read_key(key)?,
            None => path.read_bracket(rest.strip_prefix('[')?)?.strip_prefix(']')?,
        };
    }
    let standard = format!("${}", path.standard);
    let parsed = JsonPath::parse(&standard).ok().filter(|_| !text.is_empty())?;
    Some(RoleClaim { path: parsed, in_array: path.in_array, slices: path.slices, shown: path.shown })
}

impl Path {
    fn add(&mut self, standard: &str, shown: &str) -> Option<()> {
        // A slice is text, which has no members.
        if !self.slices.is_empty() {
            return None;
        }
        self.standard.push_str(standard);
        self.shown.push_str(shown);
        Some(())
    }

    fn read_key<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (key, rest) = read_quoted(text).unwrap_or_else(|| {
            let end = text.find(|found: char| !found.is_alphanumeric() && !"_$@".contains(found));
            text.split_at(end.unwrap_or(text.len()))
        });
        if rest.len() == text.len() {
            return None;
        }
        self.add(&format!("[{}]", json!(key)), &format!(".\"{key}\""))?;
        Some(rest)
    }

    /// Reads an index, a slice or a filter up to the closing bracket.
    fn read_bracket<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        if let Some(filter) = text.strip_prefix("?(@") {
            return self.read_filter(filter.trim_start());
        }
        let (inside, _) = text.split_once(']')?;
        if let Some((start, end)) = inside.split_once(':') {
            let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
            self.slices.push(Slice { start: number(start)?, end: number(end)? });
            self.shown.push_str(&format!("[{inside}]"));
        } else {
            let index: u32 = inside.parse().ok()?;
            self.add(&format!("[{index}]"), &format!("[{index}]"))?;
        }
        Some(&text[inside.len()..])
    }

    /// The first string in an array that matches the filter.
    fn read_filter<'t>(&mut self, filter: &'t str) -> Option<&'t str> {
        let symbols = ["==^", "^==", "*==", "==", "!="];
        let symbol = symbols.into_iter().find(|symbol| filter.starts_with(symbol))?;
        let (text, rest) = read_quoted(filter[symbol.len()..].trim_start())?;
        let pattern = regex::escape(text);
        let search = |pattern: String| format!("[?search(@, {})]", json!(pattern));
        let standard = match symbol {
            "==^" => search(format!("{pattern}$")),
            "^==" => search(format!("^{pattern}")),
            "*==" => search(pattern),
            // Only strings match a pattern.
            "!=" => format!("[?search(@, '') && @ != {}]", json!(text)),
            _ => format!("[?@ == {}]", json!(text)),
        };
        self.add(&standard, &format!("[?(@ {symbol} \"{text}\")]"))?;
        self.in_array = true;
        rest.trim_start().strip_prefix(')')
    }
}

fn read_quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    text[1..].split_once(quote)
}
