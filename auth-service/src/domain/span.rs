//! Durations as the admin API writes them: `24h`, `1h30m`, `300ms`, `-1h`.

use chrono::TimeDelta;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid duration")]
pub struct InvalidDuration;

/// A century: longer than any ban needs to be, and safe to add to a date without overflow.
const MAX_SPAN: TimeDelta = TimeDelta::days(36_525);

/// # Errors
/// Fails when the text is not a sequence of numbers with units, or exceeds a century.
pub fn parse(text: &str) -> Result<TimeDelta, InvalidDuration> {
    match text.strip_prefix('-') {
        Some(length) => length_of(length).map(|span| -span),
        None => length_of(text.strip_prefix('+').unwrap_or(text)),
    }
}

fn length_of(text: &str) -> Result<TimeDelta, InvalidDuration> {
    if text == "0" {
        return Ok(TimeDelta::zero());
    }
    let mut rest = text;
    if rest.is_empty() {
        return Err(InvalidDuration);
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let unit_at =
            rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').ok_or(InvalidDuration)?;
        let (number, tail) = rest.split_at(unit_at);
        let number: f64 = number.parse().map_err(|_| InvalidDuration)?;
        let next_at =
            tail.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(next_at);
        seconds += number * seconds_of(unit)?;
        rest = tail;
    }
    #[expect(clippy::cast_precision_loss, reason = "a century of seconds is exact in a double")]
    let in_range = seconds <= MAX_SPAN.num_seconds() as f64;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range is checked, and fractions of a millisecond don't matter"
    )]
    let span = TimeDelta::milliseconds((seconds * 1000.0) as i64);
    if in_range { Ok(span) } else { Err(InvalidDuration) }
}

fn seconds_of(unit: &str) -> Result<f64, InvalidDuration> {
    match unit {
        "h" => Ok(3600.0),
        "m" => Ok(60.0),
        "s" => Ok(1.0),
        "ms" => Ok(1e-3),
        "us" | "µs" => Ok(1e-6),
        "ns" => Ok(1e-9),
        _ => Err(InvalidDuration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up() {
        assert_eq!(parse("24h"), Ok(TimeDelta::hours(24)));
        assert_eq!(parse("1h30m"), Ok(TimeDelta::minutes(90)));
        assert_eq!(parse("1.5s"), Ok(TimeDelta::milliseconds(1500)));
        assert_eq!(parse("300ms"), Ok(TimeDelta::milliseconds(300)));
        assert_eq!(parse("0"), Ok(TimeDelta::zero()));
        assert_eq!(parse("+1h"), Ok(TimeDelta::hours(1)));
    }

    #[test]
    fn durations_may_be_negative() {
        assert_eq!(parse("-1h"), Ok(TimeDelta::hours(-1)));
        assert_eq!(parse("-1h30m"), Ok(TimeDelta::minutes(-90)));
        assert_eq!(parse("-0"), Ok(TimeDelta::zero()));
    }

    #[test]
    fn malformed_durations_are_rejected() {
        for text in [
            "",
            "h",
            "24",
            "1d",
            "1h-2m",
            "--1h",
            "+-1h",
            "1..5h",
            "9999999999h",
            "-9999999999h",
            "soon",
            "+",
            "-",
        ] {
            assert_eq!(parse(text), Err(InvalidDuration), "{text:?}");
        }
    }
}
