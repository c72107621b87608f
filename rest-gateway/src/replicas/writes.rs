//! The position of each client's last write, until every replica has replayed it. The number of clients is
//! bounded.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::admission::Client;
use crate::position::Position;

/// The most clients. Each takes about 100 bytes.
const MAX_CLIENTS: usize = 50_000;
/// How long the outcome of an unfinished write may be unknown.
const UNKNOWN_FOR: Duration = Duration::from_secs(60);

#[derive(Default)]
pub struct RecentWrites {
    clients: Mutex<Clients>,
    /// No listed client has written after this position. It changes only while `clients` is locked.
    latest: AtomicU64,
}

#[derive(Default)]
struct Clients {
    positions: HashMap<Client, (Position, Instant)>,
    /// The positions of clients that did not fit are at most this one, so every client's replica must have
    /// replayed it.
    floor: Option<Position>,
}

impl RecentWrites {
    pub fn add(&self, client: Client, position: Position) {
        let mut clients = self.clients();
        if clients.positions.len() >= MAX_CLIENTS && !clients.positions.contains_key(&client) {
            let positions = clients.positions.values().map(|(position, _)| *position);
            let highest = positions.filter(|position| *position != Position::UNKNOWN).max();
            clients.floor = clients.floor.max(highest);
            clients.positions.clear();
        }
        let now = Instant::now();
        let known = clients.positions.entry(client).or_insert((position, now));
        *known = (known.0.max(position), now);
        self.latest.fetch_max(position.0, Ordering::AcqRel);
    }

    /// Whether a replica that has replayed up to this position has everything that the client wrote.
    pub fn are_visible(&self, client: &Client, replayed: Position) -> bool {
        if self.latest.load(Ordering::Acquire) <= replayed.0 {
            return true;
        }
        let clients = self.clients();
        clients.floor.is_none_or(|floor| floor <= replayed)
            && clients.positions.get(client).is_none_or(|(position, _)| *position <= replayed)
    }

    /// Removes positions that all replicas have replayed.
    pub fn forget(&self, replayed: Position) {
        let mut clients = self.clients();
        clients.positions.retain(|_, (position, since)| {
            *position > replayed && (*position != Position::UNKNOWN || since.elapsed() < UNKNOWN_FOR)
        });
        clients.floor = clients.floor.filter(|floor| *floor > replayed);
        let highest = clients.positions.values().map(|(position, _)| *position).max().max(clients.floor);
        self.latest.store(highest.map_or(0, |highest| highest.0), Ordering::Release);
    }

    /// Removes all positions, because a new primary's log is at an earlier position.
    pub fn forget_all(&self) {
        let mut clients = self.clients();
        *clients = Clients::default();
        self.latest.store(0, Ordering::Release);
    }

    fn clients(&self) -> MutexGuard<'_, Clients> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: usize) -> Client {
        Client::Account(number.to_string().into())
    }

    #[test]
    fn only_the_writer_waits_for_its_write() {
        let writes = RecentWrites::default();
        assert!(writes.are_visible(&client(1), Position(0)));
        writes.add(client(1), Position(10));
        writes.add(client(1), Position(8));
        writes.add(client(2), Position(20));
        assert!(!writes.are_visible(&client(1), Position(9)));
        assert!(writes.are_visible(&client(1), Position(10)));
        assert!(!writes.are_visible(&client(2), Position(10)));
        assert!(writes.are_visible(&client(3), Position(0)));
        writes.forget(Position(10));
        assert!(writes.are_visible(&client(1), Position(9)), "forgotten");
        assert!(!writes.are_visible(&client(2), Position(19)));
        writes.add(client(3), Position::UNKNOWN);
        assert!(!writes.are_visible(&client(3), Position(1_000_000)));
        writes.forget_all();
        assert!(writes.are_visible(&client(3), Position(0)));
    }

    #[test]
    fn the_number_of_clients_is_bounded() {
        let writes = RecentWrites::default();
        for number in 0..=MAX_CLIENTS {
            writes.add(client(number), Position(number as u64 + 1));
        }
        assert_eq!(writes.clients().positions.len(), 1);
        // No client is forgotten: the floor replaces the positions of clients that are not listed.
        assert!(!writes.are_visible(&client(5), Position(5)));
        assert!(writes.are_visible(&client(5), Position(MAX_CLIENTS as u64)));
        writes.forget(Position(MAX_CLIENTS as u64));
        assert!(writes.clients().floor.is_none());
    }
}
