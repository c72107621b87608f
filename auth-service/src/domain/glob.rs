//! Glob patterns for redirect URLs. `*` and `?` match within a part (between `.` and `/`); `**` matches
//! across parts.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(Vec<Piece>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Literal(char),
    One,
    Many,
    ManyParts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("only `*`, `**`, `?` and `\\` as an escape are supported, not braces or brackets")]
pub struct Unsupported;

impl Glob {
    /// # Errors
    /// Fails on unsupported syntax, which would silently never match if read literally.
    pub fn parse(text: &str) -> Result<Self, Unsupported> {
        let mut pieces = Vec::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            pieces.push(match letter {
                '*' if letters.next_if_eq(&'*').is_some() => Piece::ManyParts,
                '*' => Piece::Many,
                '?' => Piece::One,
                '\\' => Piece::Literal(letters.next().ok_or(Unsupported)?),
                '[' | ']' | '{' | '}' => return Err(Unsupported),
                letter => Piece::Literal(letter),
            });
        }
        Ok(Self(pieces))
    }

    /// Tracks every position in the pattern that the text so far can reach, one character at a time. The
    /// running time is bounded by pattern length times text length for any input.
    pub fn matches(&self, text: &str) -> bool {
        let mut places = vec![false; self.0.len() + 1];
        places[0] = true;
        self.skip_empty(&mut places);
        for letter in text.chars() {
            let mut next = vec![false; places.len()];
            for (at, piece) in self.0.iter().enumerate().filter(|(at, _)| places[*at]) {
                let within_part = !matches!(letter, '.' | '/');
                match piece {
                    Piece::Literal(wanted) => next[at + 1] |= *wanted == letter,
                    Piece::One => next[at + 1] |= within_part,
                    Piece::Many => next[at] |= within_part,
                    Piece::ManyParts => next[at] = true,
                }
            }
            self.skip_empty(&mut next);
            places = next;
        }
        places[self.0.len()]
    }

    /// A star also matches the empty string.
    fn skip_empty(&self, places: &mut [bool]) {
        for (at, piece) in self.0.iter().enumerate() {
            places[at + 1] |= places[at] && matches!(piece, Piece::Many | Piece::ManyParts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Glob::parse(pattern).unwrap().matches(text)
    }

    #[test]
    fn one_star_stays_within_a_part_and_two_cross_parts() {
        assert!(matches("https://*.partner.test/a", "https://x.partner.test/a"));
        assert!(!matches("https://*.partner.test/a", "https://x.y.partner.test/a"));
        assert!(!matches("https://*.partner.test/a", "https://evil.test/.partner.test/a"));
        assert!(matches("https://partner.test/**", "https://partner.test/a/b.c?d=e"));
        assert!(!matches("https://partner.test/*", "https://partner.test/a/b"));
        assert!(matches("https://partner.test/a?c", "https://partner.test/abc"));
        assert!(!matches("https://partner.test/a?c", "https://partner.test/a/c"));
        assert!(matches("https://partner.test/\\?a", "https://partner.test/?a"));
        assert!(
            matches("serasi://callback", "serasi://callback") && !matches("a", "ab") && !matches("ab", "a")
        );
        assert!(matches("**", "") && matches("", "") && !matches("", "a"));
    }

    #[test]
    fn unsupported_syntax_is_rejected() {
        for pattern in ["https://{a,b}.test", "https://[ab].test", "a\\"] {
            assert_eq!(Glob::parse(pattern), Err(Unsupported), "{pattern}");
        }
    }

    #[test]
    fn many_stars_do_not_backtrack_exponentially() {
        assert!(!matches(&"**a".repeat(30), &"a".repeat(29)));
        assert!(!matches(&format!("{}b", "**a".repeat(200)), &"a".repeat(8000)));
    }
}
