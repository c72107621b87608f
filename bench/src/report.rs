//! Values beside their limits.

pub fn at_least(what: &str, share: f64, limit: Option<f64>, broken: &mut Vec<String>) -> String {
    let shown = |share: f64| format!("{:.0} %", share * 100.0);
    checked(what, share, limit, ("≥", |share, limit| share >= limit), shown, broken)
}

pub fn at_most(
    what: &str,
    value: f64,
    limit: Option<f64>,
    shown: impl Fn(f64) -> String,
    broken: &mut Vec<String>,
) -> String {
    checked(what, value, limit, ("≤", |value, limit| value <= limit), shown, broken)
}

/// A value that is no number is broken.
fn checked(
    what: &str,
    value: f64,
    limit: Option<f64>,
    (sign, is_kept): (&str, fn(f64, f64) -> bool),
    shown: impl Fn(f64) -> String,
    broken: &mut Vec<String>,
) -> String {
    let Some(limit) = limit else { return shown(value) };
    let text = format!("{} ({sign} {})", shown(value), shown(limit));
    if is_kept(value, limit) {
        return text;
    }
    broken.push(format!("{what}: {text}"));
    format!("{text} BROKEN")
}

/// Prints the exceeded limits, and returns whether there are none.
pub fn end(broken: &[String]) -> bool {
    broken.iter().for_each(|what| println!("BROKEN {what}"));
    broken.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_at_the_limit_and_broken_beyond() {
        let mut broken = Vec::new();
        assert_eq!(at_least("a", 0.9, Some(0.9), &mut broken), "90 % (≥ 90 %)");
        let shown = |value: f64| format!("{value:.1} ms");
        assert_eq!(at_most("b", 1.5, Some(1.5), shown, &mut broken), "1.5 ms (≤ 1.5 ms)");
        assert!(end(&broken));
        assert_eq!(at_least("a", 0.7, Some(0.9), &mut broken), "70 % (≥ 90 %) BROKEN");
        at_most("b", f64::NAN, Some(1.5), shown, &mut broken);
        assert_eq!(broken, ["a: 70 % (≥ 90 %)", "b: NaN ms (≤ 1.5 ms)"]);
        assert!(!end(&broken));
    }
}
