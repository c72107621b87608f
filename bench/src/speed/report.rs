//! The table of results, and the limits that are exceeded.

use std::fmt::Write;

use super::cases::{Limits, MOST_MEMORY, MOST_TAIL};
use crate::statistics::{median, percentile};

/// The measurements of a case: one value per round.
#[derive(Default)]
pub struct Rounds {
    pub gateway: Vec<f64>,
    pub plain: Vec<f64>,
    pub pipelined: Vec<f64>,
    /// Empty without PostgREST.
    pub postgrest: Vec<f64>,
    /// Milliseconds of the gateway's own CPU time for a request.
    pub cpu: Vec<f64>,
    /// Latencies at half of the highest rate, in milliseconds.
    pub latencies: Vec<f64>,
}

pub const HEADER: &str = "\
| case | gateway | pgbench plain | pgbench pipelined | of plain | of pipelined | own CPU | p50 at half load | p99 |
|---|---|---|---|---|---|---|---|---|";

pub struct Row {
    pub text: String,
    /// Exceeded limits, as sentences.
    pub broken: Vec<String>,
}

pub fn row(name: &str, limits: &Limits, rounds: &Rounds) -> Row {
    let mut broken = Vec::new();
    let (gateway, plain, pipelined) =
        (median(&rounds.gateway), median(&rounds.plain), median(&rounds.pipelined));
    let of_plain = at_least("share of plain", gateway / plain, Some(limits.plain), &mut broken);
    let of_pipelined = at_least("share of pipelined", gateway / pipelined, limits.pipelined, &mut broken);
    let cpu = if rounds.cpu.is_empty() {
        "unknown".to_owned()
    } else {
        let shown = |value: f64| format!("{value:.3} ms");
        at_most("own CPU per request", median(&rounds.cpu), limits.cpu, shown, &mut broken)
    };
    let (p50, p99) = (median(&rounds.latencies), percentile(&rounds.latencies, 0.99));
    let shown = |value: f64| format!("{value:.1} × p50");
    let tail = at_most("p99", p99 / p50, Some(MOST_TAIL), shown, &mut broken);
    let text = format!(
        "| {name} | {gateway:.0}/s | {plain:.0}/s | {pipelined:.0}/s | {of_plain} | {of_pipelined} | {cpu} | {p50:.2} ms | {p99:.2} ms, {tail} |"
    );
    Row { text, broken: broken.into_iter().map(|what| format!("{name}: {what}")).collect() }
}

pub fn memory(megabytes: f64) -> Row {
    let mut broken = Vec::new();
    let shown = |value: f64| format!("{value:.1} MB");
    let text = at_most("memory after the load", megabytes, Some(MOST_MEMORY), shown, &mut broken);
    Row { text: format!("Memory after the load: {text}"), broken }
}

/// The comparison with PostgREST, if it was measured.
pub fn beside(name: &str, rounds: &Rounds) -> String {
    if rounds.postgrest.is_empty() {
        return String::new();
    }
    let (gateway, postgrest, plain) =
        (median(&rounds.gateway), median(&rounds.postgrest), median(&rounds.plain));
    format!(
        "PostgREST, {name}: {postgrest:.0}/s, {:.0} % of plain pgbench; the gateway is {:.1} times as fast\n",
        postgrest / plain * 100.0,
        gateway / postgrest
    )
}

/// The rounds as one line for each kind.
pub fn raw(name: &str, rounds: &Rounds) -> String {
    let mut text = format!("{name}\n");
    let kinds: [(&str, &[f64], usize); 5] = [
        ("gateway, requests/s", &rounds.gateway, 0),
        ("plain, transactions/s", &rounds.plain, 0),
        ("pipelined, transactions/s", &rounds.pipelined, 0),
        ("PostgREST, requests/s", &rounds.postgrest, 0),
        ("own CPU, ms per request", &rounds.cpu, 4),
    ];
    for (kind, values, decimals) in kinds.into_iter().filter(|(_, values, _)| !values.is_empty()) {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.decimals$}")).collect();
        let _ = writeln!(text, "  {kind}: {}", values.join(" "));
    }
    let shares = [0.5, 0.9, 0.99, 0.999, 1.0];
    let latencies =
        shares.map(|share| format!("p{} {:.3}", share * 100.0, percentile(&rounds.latencies, share)));
    let _ = writeln!(text, "  latency of {} requests, ms: {}", rounds.latencies.len(), latencies.join(", "));
    text
}

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
    let mark = if is_kept(value, limit) {
        ""
    } else {
        broken.push(format!("{what} {}, wanted {sign} {}", shown(value), shown(limit)));
        " BROKEN"
    };
    format!("{} ({sign} {}){mark}", shown(value), shown(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(gateway: f64, cpu: f64, slowest: f64) -> Rounds {
        let latencies = (0..100).map(|number| if number < 98 { 0.5 } else { slowest }).collect();
        Rounds {
            gateway: vec![gateway, 1.0, gateway * 2.0],
            plain: vec![10_000.0],
            pipelined: vec![20_000.0],
            postgrest: Vec::new(),
            cpu: vec![cpu],
            latencies,
        }
    }

    #[test]
    fn limits_are_kept_at_the_limit_and_broken_beyond() {
        let limits = Limits { plain: 0.9, pipelined: Some(0.4), cpu: Some(0.05) };
        let kept = row("a", &limits, &rounds(9000.0, 0.05, 1.5));
        assert!(kept.broken.is_empty(), "{:?}", kept.broken);
        assert!(kept.text.contains(
            "| 90 % (≥ 90 %) | 45 % (≥ 40 %) | 0.050 ms (≤ 0.050 ms) | 0.50 ms | 1.50 ms, 3.0 × p50"
        ));
        let broken = row("a", &limits, &rounds(7000.0, 0.06, 1.6));
        assert_eq!(broken.broken.len(), 4, "{:?}", broken.broken);
        assert!(broken.text.contains("70 % (≥ 90 %) BROKEN"));
        let unmeasured = row("a", &limits, &Rounds { latencies: Vec::new(), ..rounds(9000.0, 0.05, 1.5) });
        assert_eq!(unmeasured.broken.len(), 1);
    }
}
