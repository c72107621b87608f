//! Medians and percentiles of a few measurements.

/// The value that `share` of the others do not exceed: nearest rank, so always one that was measured.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

pub fn median(values: &[f64]) -> f64 {
    percentile(values, 0.5)
}

pub fn largest(values: &[f64]) -> f64 {
    percentile(values, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank_picks_measured_values() {
        let values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!((median(&values), percentile(&values, 0.95), largest(&values)), (10.0, 19.0, 20.0));
        assert_eq!(median(&[3.0]), 3.0);
        assert!(median(&[]).is_nan());
    }
}
