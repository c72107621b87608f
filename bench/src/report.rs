//! Medians and percentiles of measurements, and values beside their limits.

pub fn at_least(what: &str, share: f64, limit: f64, broken: &mut Vec<String>) -> String {
    let text = format!("{:.0} % (≥ {:.0} %)", share * 100.0, limit * 100.0);
    checked(what, share >= limit, text, broken)
}

pub fn at_most(what: &str, value: f64, limit: Option<f64>, unit: &str, broken: &mut Vec<String>) -> String {
    let digits = if value < 1.0 { 3 } else { 1 };
    let text = format!("{value:.digits$} {unit}");
    let Some(limit) = limit else { return text };
    // A value that is no number is broken.
    checked(what, value <= limit, format!("{text} (≤ {limit} {unit})"), broken)
}

fn checked(what: &str, is_kept: bool, text: String, broken: &mut Vec<String>) -> String {
    if is_kept {
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

/// The percentile by the nearest-rank method, so the result is always a measured value.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

pub fn median(values: &[f64]) -> f64 {
    percentile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_at_the_limit_and_broken_beyond() {
        let mut broken = Vec::new();
        assert_eq!(at_least("a", 0.9, 0.9, &mut broken), "90 % (≥ 90 %)");
        assert_eq!(at_most("b", 1.5, Some(1.5), "ms", &mut broken), "1.5 ms (≤ 1.5 ms)");
        assert!(end(&broken));
        assert_eq!(at_least("a", 0.7, 0.9, &mut broken), "70 % (≥ 90 %) BROKEN");
        at_most("b", f64::NAN, Some(1.5), "ms", &mut broken);
        assert_eq!(broken, ["a: 70 % (≥ 90 %)", "b: NaN ms (≤ 1.5 ms)"]);
        assert!(!end(&broken));
    }

    #[test]
    fn nearest_rank_picks_measured_values() {
        let values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(
            (median(&values), percentile(&values, 0.95), percentile(&values, 1.0)),
            (10.0, 19.0, 20.0)
        );
        assert_eq!(median(&[3.0]), 3.0);
        assert!(median(&[]).is_nan());
    }
}
