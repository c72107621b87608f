//! Medians and percentiles of measurements.

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
