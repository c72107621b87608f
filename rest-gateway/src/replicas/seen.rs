//! The newest position that each client has seen or written, until every replica has replayed it. The number of
//! clients is bounded.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Reader;
use crate::position::Position;

/// The most clients. Each takes about 50 bytes.
const MAX_CLIENTS: usize = 50_000;
/// How long the outcome of an unfinished write may be unknown.
const UNKNOWN_FOR: Duration = Duration::from_secs(60);

#[derive(Default)]
pub struct SeenPositions(Mutex<Clients>);

#[derive(Default)]
struct Clients {
    positions: HashMap<Reader, Seen>,
    /// The newest position of the clients that did not fit.
    floor: Option<Seen>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    position: Position,
    at: Instant,
}

impl Seen {
    /// Whether a replica with this position may not have it yet.
    fn is_newer_than(&self, replayed: Position) -> bool {
        self.position > replayed && (self.position != Position::UNKNOWN || self.at.elapsed() < UNKNOWN_FOR)
    }
}

impl SeenPositions {
    pub fn add(&self, client: Reader, position: Position) {
        let mut clients = self.0.lock();
        if clients.positions.len() >= MAX_CLIENTS && !clients.positions.contains_key(&client) {
            clients.floor = clients.positions.values().copied().chain(clients.floor).max();
            clients.positions.clear();
        }
        let seen = Seen { position, at: Instant::now() };
        let newest = clients.positions.entry(client).or_insert(seen);
        *newest = seen.max(*newest);
    }

    /// The position that a replica needs, so that this client does not see older data than before.
    pub fn needed_by(&self, client: Reader) -> Option<Position> {
        let clients = self.0.lock();
        clients.positions.get(&client).copied().max(clients.floor).map(|seen| seen.position)
    }

    /// Removes positions that all replicas have replayed.
    pub fn forget(&self, replayed: Position) {
        let mut clients = self.0.lock();
        clients.positions.retain(|_, seen| seen.is_newer_than(replayed));
        clients.floor = clients.floor.filter(|seen| seen.is_newer_than(replayed));
    }

    /// Removes all positions, because a new primary's log is at an earlier position.
    pub fn forget_all(&self) {
        *self.0.lock() = Clients::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_needs_the_newest_position_it_has_seen() {
        let seen = SeenPositions::default();
        assert_eq!(seen.needed_by(1), None);
        seen.add(1, Position(10));
        seen.add(1, Position(8));
        seen.add(2, Position(20));
        assert_eq!(
            [1, 2, 3].map(|client| seen.needed_by(client)),
            [Some(Position(10)), Some(Position(20)), None]
        );
        seen.forget(Position(10));
        assert_eq!([1, 2].map(|client| seen.needed_by(client)), [None, Some(Position(20))]);
        seen.add(3, Position::UNKNOWN);
        seen.forget(Position(1_000_000));
        assert_eq!(seen.needed_by(3), Some(Position::UNKNOWN));
        seen.forget_all();
        assert_eq!(seen.needed_by(3), None);
    }

    #[test]
    fn clients_that_do_not_fit_need_the_newest_position_of_all() {
        for newest in [Position(MAX_CLIENTS as u64), Position::UNKNOWN] {
            let seen = SeenPositions::default();
            for client in 0..MAX_CLIENTS as u64 {
                seen.add(client, if client == 7 { newest } else { Position(client) });
            }
            seen.add(u64::MAX, Position(1));
            assert_eq!(seen.0.lock().positions.len(), 1);
            assert_eq!([5, 7].map(|client| seen.needed_by(client)), [Some(newest); 2]);
            seen.forget(Position(MAX_CLIENTS as u64));
            assert_eq!(seen.needed_by(5).is_some(), newest == Position::UNKNOWN);
        }
    }
}
