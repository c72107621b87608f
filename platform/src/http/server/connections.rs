//! Counts open connections, in total and per client address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;

use crate::http::origin::network_of;

pub(super) struct Connections {
    max: AtomicUsize,
    pub max_per_client: usize,
    /// Not counted per client, because many clients share each of these.
    pub proxies: Vec<IpNet>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    total: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// An open connection; counted until it is dropped.
pub(super) struct Slot {
    connections: Arc<Connections>,
    client: Option<IpAddr>,
}

impl Connections {
    pub(super) fn new(max: usize, max_per_client: usize, proxies: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { max: max.into(), max_per_client, proxies, open: Mutex::default() })
    }

    pub(super) fn max(&self) -> usize {
        self.max.load(Ordering::Relaxed)
    }

    pub(super) fn lower_max(&self, max: usize) {
        self.max.fetch_min(max, Ordering::Relaxed);
    }

    /// `None` when the limit is reached.
    pub(super) fn admit(self: &Arc<Self>, peer: Option<IpAddr>) -> Option<Slot> {
        let peer = peer.map(|peer| peer.to_canonical());
        let is_proxy = |peer: &IpAddr| self.proxies.iter().any(|network| network.contains(peer));
        let client = peer.filter(|peer| !is_proxy(peer)).map(network_of);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.max() {
            return None;
        }
        if let Some(client) = client {
            let count = open.by_client.entry(client).or_default();
            if *count >= self.max_per_client {
                return None;
            }
            *count += 1;
        }
        open.total += 1;
        Some(Slot { connections: Arc::clone(self), client })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
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
        assert!(admit("192.0.2.2").is_none(), "full");
        drop(held);
        assert!(admit("192.0.2.1").is_some());
    }

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let connections = Connections::new(6, 1, Vec::new());
        let _held = connections.admit(address("2001:db8::1")).unwrap();
        assert!(connections.admit(address("2001:db8::2")).is_none());
        assert!(connections.admit(address("2001:db8:0:1::1")).is_some());
    }
}
