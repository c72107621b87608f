//! Counts open connections, in total and per client address. When there are too many, those that wait for a request are
//! closed for new ones.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::http::origin::network_of;

pub(super) struct Connections {
    pub max: usize,
    pub max_per_client: usize,
    /// Not counted per client, because many clients share each of these.
    pub proxies: Vec<IpNet>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    total: usize,
    by_client: HashMap<IpAddr, usize>,
    /// Connections without a request, in the order in which they are closed.
    waiting: BTreeMap<Turn, Arc<Notify>>,
    turns: u64,
}

/// Whether the connection has had a request, and since when it waits for the next one.
type Turn = (bool, u64);

/// An open connection; counted until it is dropped.
pub(super) struct Slot {
    connections: Arc<Connections>,
    client: Option<IpAddr>,
    /// `None` during a request.
    turn: Mutex<Option<Turn>>,
    close: Arc<Notify>,
}

/// A request in progress, until its response has been written.
pub(super) struct Busy(Arc<Slot>);

impl Connections {
    pub(super) fn new(max: usize, max_per_client: usize, proxies: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { max, max_per_client, proxies, open: Mutex::default() })
    }

    /// `None` when the client's limit is reached, or when all connections are busy.
    pub(super) fn admit(self: &Arc<Self>, peer: Option<IpAddr>) -> Option<Arc<Slot>> {
        let peer = peer.map(|peer| peer.to_canonical());
        let is_proxy = |peer: &IpAddr| self.proxies.iter().any(|network| network.contains(peer));
        let client = peer.filter(|peer| !is_proxy(peer)).map(network_of);
        let mut open = self.open.lock();
        if client.is_some_and(|client| open.by_client.get(&client) >= Some(&self.max_per_client)) {
            return None;
        }
        if open.total >= self.max {
            let (_, close) = open.waiting.pop_first()?;
            // It no longer counts, because it ends without waiting for anything.
            open.total -= 1;
            close.notify_one();
        }
        if let Some(client) = client {
            *open.by_client.entry(client).or_default() += 1;
        }
        open.total += 1;
        let close = Arc::new(Notify::new());
        let turn = Mutex::new(Some(open.enter(false, &close)));
        Some(Arc::new(Slot { connections: Arc::clone(self), client, turn, close }))
    }
}

impl Open {
    fn enter(&mut self, has_had_request: bool, close: &Arc<Notify>) -> Turn {
        self.turns += 1;
        let turn = (has_had_request, self.turns);
        self.waiting.insert(turn, Arc::clone(close));
        turn
    }
}

impl Slot {
    /// The head of a request is complete.
    pub(super) fn busy(self: &Arc<Self>) -> Busy {
        let mut open = self.connections.open.lock();
        let mut turn = self.turn.lock();
        // A connection that is being closed stays without a turn.
        if let Some(waiting) = *turn
            && open.waiting.remove(&waiting).is_some()
        {
            *turn = None;
        }
        drop((turn, open));
        Busy(Arc::clone(self))
    }

    /// Completes when the connection has to end for another one.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let Slot { connections, close, .. } = &*self.0;
        let mut open = connections.open.lock();
        let mut turn = self.0.turn.lock();
        if turn.is_none() {
            *turn = Some(open.enter(true, close));
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let turn = self.turn.lock().take();
        let mut open = self.connections.open.lock();
        if turn.is_none_or(|turn| open.waiting.remove(&turn).is_some()) {
            open.total -= 1;
        }
        let Some(client) = self.client else { return };
        if let Some(count) = open.by_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                open.by_client.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn clients_are_limited_and_proxies_are_not() {
        let connections = Connections::new(6, 2, vec!["10.0.0.0/8".parse().unwrap()]);
        let admit = |text: &str| connections.admit(address(text));
        let held: Vec<_> = (0..2).filter_map(|_| admit("192.0.2.1")).collect();
        assert!(admit("192.0.2.1").is_none());
        assert!(admit("::ffff:192.0.2.1").is_none());
        let behind: Vec<_> = (0..4).filter_map(|_| admit("10.0.0.1")).collect();
        assert_eq!((held.len(), behind.len()), (2, 4));
        drop(held);
        assert!(admit("192.0.2.1").is_some());
    }

    #[test]
    fn new_connections_replace_those_that_wait_for_a_request() {
        let connections = Connections::new(3, 9, Vec::new());
        let admit = || connections.admit(address("192.0.2.1"));
        let (idle, first, second) = (admit().unwrap(), admit().unwrap(), admit().unwrap());
        drop(idle.busy());
        let closes = |slot: &Slot| slot.closed().now_or_never().is_some();
        let busy: Vec<_> = (0..3).map(|_| admit().unwrap().busy()).collect();
        assert!(closes(&first) && closes(&second) && closes(&idle));
        assert!(admit().is_none(), "all are busy");
        drop((idle, first, second));
        assert!(admit().is_none());
        drop(busy);
        assert!(admit().is_some());
    }

    #[test]
    fn unfinished_heads_are_closed_first() {
        let connections = Connections::new(2, 9, Vec::new());
        let admit = || connections.admit(address("192.0.2.1")).unwrap();
        let idle = admit();
        drop(idle.busy());
        let _unfinished = admit();
        let _next = admit();
        assert_eq!(connections.open.lock().waiting.keys().filter(|(idle, _)| *idle).count(), 1);
    }

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let connections = Connections::new(6, 1, Vec::new());
        let _held = connections.admit(address("2001:db8::1")).unwrap();
        assert!(connections.admit(address("2001:db8::2")).is_none());
        assert!(connections.admit(address("2001:db8:0:1::1")).is_some());
    }
}
