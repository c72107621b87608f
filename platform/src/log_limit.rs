//! Limits the log lines about events that a client can cause any number of times, such as rejected requests.
//! Otherwise one client could fill the disk with them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::http::origin::network_of;

const PERIOD: Duration = Duration::from_secs(60);
/// Enough to notice a client and what it does.
const LINES_PER_CLIENT: u32 = 20;
const LINES: u32 = 1000;

#[derive(Default)]
pub struct LogLimit(Mutex<Option<Period>>);

/// For errors of the database and the object storage. While one of them is unavailable, every request of every client fails.
pub static OUTAGE: LogLimit = LogLimit(Mutex::new(None));

struct Period {
    began: Instant,
    lines: u32,
    by_client: HashMap<Option<IpAddr>, u32>,
}

impl Period {
    /// The current period. Begins a new one if it has ended.
    fn at(current: &mut Option<Self>, now: Instant) -> &mut Self {
        if current.as_ref().is_some_and(|period| now.saturating_duration_since(period.began) >= PERIOD) {
            *current = None;
        }
        current.get_or_insert_with(|| Self { began: now, lines: 0, by_client: HashMap::new() })
    }
}

impl LogLimit {
    /// Whether one more line about this client may be logged now.
    pub fn allows(&self, client: Option<IpAddr>) -> bool {
        self.allows_at(client, Instant::now())
    }

    /// Whether one more line may be logged now, counted over all clients.
    pub fn allows_in_total(&self) -> bool {
        self.in_total_at(Instant::now())
    }

    fn in_total_at(&self, now: Instant) -> bool {
        let mut current = self.0.lock();
        let period = Period::at(&mut current, now);
        period.lines += 1;
        period.lines <= LINES
    }

    fn allows_at(&self, client: Option<IpAddr>, now: Instant) -> bool {
        let mut current = self.0.lock();
        let period = Period::at(&mut current, now);
        if period.lines >= LINES {
            return false;
        }
        let of_client = period.by_client.entry(client.map(network_of)).or_default();
        if *of_client >= LINES_PER_CLIENT {
            return false;
        }
        *of_client += 1;
        period.lines += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_limited_per_client_and_in_total() {
        let (limit, now) = (LogLimit::default(), Instant::now());
        let lines = |client: Option<IpAddr>, now| (0..100).filter(|_| limit.allows_at(client, now)).count();
        let address = |number: u32| Some(IpAddr::V4(number.into()));
        assert_eq!((lines(address(1), now), lines(address(2), now), lines(None, now)), (20, 20, 20));
        assert_eq!(lines(Some("2001:db8::1".parse().unwrap()), now), 20);
        assert_eq!(lines(Some("2001:db8::2".parse().unwrap()), now), 0, "the same network");
        assert_eq!((3..1000).map(|number| lines(address(number), now)).sum::<usize>(), 1000 - 80);
        assert_eq!(lines(address(1), now + PERIOD), 20, "in the next period");
    }

    #[test]
    fn lines_of_all_clients_are_limited_together() {
        let (limit, now) = (LogLimit::default(), Instant::now());
        let lines = |now| (0..2000).filter(|_| limit.in_total_at(now)).count();
        assert_eq!((lines(now), lines(now + PERIOD)), (1000, 1000));
    }
}
