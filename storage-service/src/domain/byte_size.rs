//! Human-readable sizes: `20mb`, `1.5 GB`, `512`. Units are decimal.

#[derive(Debug, PartialEq, Eq)]
pub struct UnreadableSize;

/// # Errors
/// Fails when the text is not a number followed by `gb`, `mb`, `kb`, `b` or nothing.
#[expect(clippy::cast_possible_truncation, reason = "bounded before the cast")]
pub fn parse(text: &str) -> Result<i64, UnreadableSize> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        _ => return Err(UnreadableSize),
    };
    let number: f64 = digits.trim_end().parse().map_err(|_| UnreadableSize)?;
    let bytes = (number * factor).floor();
    if (0.0..1e15).contains(&bytes) { Ok(bytes as i64) } else { Err(UnreadableSize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_decimal_and_case_insensitive() {
        assert_eq!(parse("20mb"), Ok(20_000_000));
        assert_eq!(parse("20GB"), Ok(20_000_000_000));
        assert_eq!(parse("1.5 kb"), Ok(1500));
        assert_eq!(parse("3B"), Ok(3));
        assert_eq!(parse("512"), Ok(512));
    }

    #[test]
    fn other_text_is_rejected() {
        for text in ["", "mb", "-1mb", "20tb", "x20mb", "nan", "inf", "1e30gb"] {
            assert_eq!(parse(text), Err(UnreadableSize), "{text}");
        }
    }
}
