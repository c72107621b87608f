//! Formats JSON paths as PostgREST's dump of the configuration does: text in single quotes, and spaces only around
//! operators and after commas.

use std::iter::Peekable;
use std::str::Chars;

/// The text must be a valid path.
pub fn formatted(path: &str) -> String {
    let mut shown = String::new();
    let mut rest = path.chars().peekable();
    while let Some(found) = rest.next() {
        match found {
            space if space.is_whitespace() => {}
            '\'' | '"' => quoted(found, &mut rest, &mut shown),
            ',' => shown.push_str(", "),
            '=' | '!' | '<' | '>' | '&' | '|' => {
                let second = rest.next_if(|next| matches!(next, '=' | '&' | '|'));
                match second {
                    None if found == '!' => shown.push('!'),
                    None => shown.extend([' ', found, ' ']),
                    Some(second) => shown.extend([' ', found, second, ' ']),
                }
            }
            other => shown.push(other),
        }
    }
    shown
}

fn quoted(quote: char, rest: &mut Peekable<Chars<'_>>, shown: &mut String) {
    shown.push('\'');
    while let Some(found) = rest.next().filter(|found| *found != quote) {
        match found {
            '\\' => match rest.next() {
                Some('"') => shown.push('"'),
                Some(escaped) => shown.extend(['\\', escaped]),
                None => {}
            },
            '\'' => shown.push_str("\\'"),
            other => shown.push(other),
        }
    }
    shown.push('\'');
}
