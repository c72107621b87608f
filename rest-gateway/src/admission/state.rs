//! The running and the waiting requests of all clients.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use quick_cache::unsync::Cache;
use tokio::sync::oneshot;

use super::{Estimate, Limits, Source, Turn, Weight};

/// Statements that take longer on average count as expensive.
const SLOW: Duration = Duration::from_millis(20);
/// A run time counts as at most this many times the average.
const OUTLIER: u32 = 4;
/// The number of statements whose run time is remembered.
const MAX_SHAPES: usize = 4096;
/// The number of clients whose use is remembered while others wait.
const MAX_SOURCES: usize = 16_384;

pub struct State {
    running: [usize; Weight::COUNT],
    running_by_network: HashMap<Option<IpAddr>, [usize; Weight::COUNT]>,
    queues: [Queue; Weight::COUNT],
    tickets: u64,
    /// The weight whose turn is next.
    next: usize,
    /// Moving averages of the run time, by statement.
    averages: Cache<u64, Duration>,
}

/// A request, and what it is expected to cost.
#[derive(Debug, Clone)]
pub struct Charge {
    pub source: Source,
    pub weight: Weight,
    pub shape: u64,
    /// The run time that was added to the client's use in advance.
    pub expected: Duration,
}

impl Default for State {
    fn default() -> Self {
        Self {
            running: Default::default(),
            running_by_network: HashMap::new(),
            queues: Default::default(),
            tickets: 0,
            next: 0,
            averages: Cache::new(MAX_SHAPES),
        }
    }
}

impl State {
    pub fn load(&self) -> (usize, usize) {
        (self.running.iter().sum(), self.waiting())
    }

    fn waiting(&self) -> usize {
        self.queues.iter().map(|queue| queue.waiting.len()).sum()
    }

    /// The plan decides about the weight of a statement until its run time is known.
    pub fn estimated(&self, source: Source, estimate: Estimate) -> Charge {
        let Estimate { weight, shape } = estimate;
        let (weight, expected) = match (self.averages.get(&shape), weight) {
            (None, weight) => (weight, weight.guess()),
            (Some(average), _) if *average >= SLOW => (Weight::Expensive, *average),
            (Some(average), Weight::Expensive) => (Weight::Ordinary, *average),
            (Some(average), weight) => (weight, *average),
        };
        Charge { source, weight, shape, expected }
    }

    fn learn(&mut self, charge: &Charge, took: Duration) {
        let average = self.averages.get(&charge.shape).copied().unwrap_or(charge.weight.guess());
        // One outlier, such as a pause of the whole process, must not make a statement expensive.
        let took = took.min(average * OUTLIER + SLOW);
        self.averages.insert(charge.shape, (average * 7 + took) / 8);
    }

    /// Whether a request may start immediately. This never overtakes a waiting request: if a waiting one
    /// could start, it would have been started already.
    pub fn may_start(&self, limits: &Limits, charge: &Charge) -> bool {
        self.has_room(limits, charge.weight) && self.has_room_for(limits, &charge.source, charge.weight)
    }

    fn has_room(&self, limits: &Limits, weight: Weight) -> bool {
        let total: usize = self.running.iter().sum();
        total < limits.connections
            && (weight == Weight::Cheap
                || total - self.running[Weight::Cheap.index()] < limits.unreserved()
                    && (weight != Weight::Expensive || self.running[weight.index()] < limits.expensive))
    }

    fn has_room_for(&self, limits: &Limits, source: &Source, weight: Weight) -> bool {
        let Some(running) = self.running_by_network.get(&source.network) else { return true };
        let cheap = running[Weight::Cheap.index()];
        let others = running[Weight::Ordinary.index()] + running[Weight::Expensive.index()];
        let limit = limits.for_one_network(weight);
        match weight {
            Weight::Cheap => cheap + others < limit,
            Weight::Ordinary => others < limit,
            Weight::Expensive => {
                others < limits.for_one_network(Weight::Ordinary) && running[weight.index()] < limit
            }
        }
    }

    /// Returns `None` if the client's other requests would probably take the whole queue timeout, or if the queue is
    /// full. In a full queue, the network with the most waiting requests loses one.
    pub fn wait(&mut self, limits: &Limits, charge: &Charge) -> Option<(u64, Turn)> {
        let own = self.queues[charge.weight.index()].waiting.iter().filter(|own| own.source == charge.source);
        let (count, backlog) =
            own.fold((0, charge.expected), |(count, time), own| (count + 1, time + own.expected));
        // A client's first request may always wait, because the delays are other clients' fault.
        let lanes = u32::try_from(limits.for_one_network(charge.weight)).unwrap_or(u32::MAX);
        if count > 0 && backlog / lanes > limits.queue_timeout {
            return None;
        }
        if self.waiting() >= limits.queue_length && !self.push_out(charge.source.network) {
            return None;
        }
        let (sender, turn) = oneshot::channel();
        self.tickets += 1;
        let (source, expected, ticket) = (charge.source.clone(), charge.expected, self.tickets);
        self.queues[charge.weight.index()].waiting.push(Waiting { ticket, source, expected, turn: sender });
        Some((ticket, turn))
    }

    /// Removes a request of the network that has the most waiting ones, unless that is this network.
    fn push_out(&mut self, network: Option<IpAddr>) -> bool {
        let mut counts = HashMap::from([(network, 1_usize)]);
        for waiting in self.queues.iter().flat_map(|queue| &queue.waiting) {
            *counts.entry(waiting.source.network).or_default() += 1;
        }
        let own = counts[&network];
        let Some((most, _)) =
            counts.into_iter().filter(|(_, count)| *count > own).max_by_key(|(_, count)| *count)
        else {
            return false;
        };
        let newest = self.queues.iter_mut().filter_map(|queue| {
            let position = queue.waiting.iter().rposition(|waiting| waiting.source.network == most)?;
            Some((queue.waiting[position].ticket, position, queue))
        });
        if let Some((_, position, queue)) = newest.max_by_key(|(ticket, ..)| *ticket) {
            queue.waiting.remove(position);
        }
        true
    }

    pub fn leave(&mut self, weight: Weight, ticket: u64) {
        self.queues[weight.index()].waiting.retain(|waiting| waiting.ticket != ticket);
    }

    pub fn start(&mut self, charge: &Charge) {
        self.running[charge.weight.index()] += 1;
        self.running_by_network.entry(charge.source.network).or_default()[charge.weight.index()] += 1;
    }

    /// Releases the slot and starts the next requests that fit.
    pub fn end(&mut self, limits: &Limits, charge: &Charge, took: Option<Duration>) {
        let index = charge.weight.index();
        self.running[index] -= 1;
        if let Some(running) = self.running_by_network.get_mut(&charge.source.network) {
            running[index] -= 1;
            if running.iter().all(|count| *count == 0) {
                self.running_by_network.remove(&charge.source.network);
            }
        }
        if let Some(took) = took {
            self.learn(charge, took);
        }
        self.queues[index].settle(charge, took.unwrap_or_default());
        while self.start_next(limits) {}
    }

    /// Weights take turns.
    fn start_next(&mut self, limits: &Limits) -> bool {
        for step in 0..Weight::COUNT {
            let weight = Weight::ALL[(self.next + step) % Weight::COUNT];
            if self.queues[weight.index()].waiting.is_empty() || !self.has_room(limits, weight) {
                continue;
            }
            let queue = &self.queues[weight.index()];
            let Some(position) = queue.next(|source| self.has_room_for(limits, source, weight)) else {
                continue;
            };
            self.next = (weight.index() + 1) % Weight::COUNT;
            let Waiting { source, expected, turn, .. } = self.queues[weight.index()].waiting.remove(position);
            self.queues[weight.index()].charge(&source, expected);
            self.start(&Charge { source, weight, shape: 0, expected });
            // If the receiver is gone, its `QueuedRequest` has already left.
            let _ = turn.send(());
            return true;
        }
        false
    }
}

/// The waiting requests of one weight, and how much time their clients have used since the queue was empty last.
///
/// This is start-time fair queuing. A client that was idle does not begin at zero, but at the clock: what the client
/// that was last admitted had used.
#[derive(Default)]
struct Queue {
    /// The oldest first.
    waiting: Vec<Waiting>,
    clock: Duration,
    networks: HashMap<Option<IpAddr>, NetworkUse>,
    clients: HashMap<Source, Duration>,
}

struct Waiting {
    ticket: u64,
    source: Source,
    expected: Duration,
    turn: oneshot::Sender<()>,
}

#[derive(Default, Clone, Copy)]
struct NetworkUse {
    used: Duration,
    /// For the clients of this network.
    clock: Duration,
}

impl Queue {
    /// The position of the request whose network, and in it whose client, has used the least.
    fn next(&self, may_start: impl Fn(&Source) -> bool) -> Option<usize> {
        let candidates = self.waiting.iter().enumerate().filter(|(_, waiting)| may_start(&waiting.source));
        candidates.min_by_key(|(_, waiting)| self.used(&waiting.source)).map(|(position, _)| position)
    }

    /// What the network and the client have used.
    fn used(&self, source: &Source) -> (Duration, Duration) {
        let network = self.networks.get(&source.network).copied().unwrap_or_default();
        let client = self.clients.get(source).copied().unwrap_or_default();
        (network.used.max(self.clock), client.max(network.clock))
    }

    fn charge(&mut self, source: &Source, cost: Duration) {
        let (network, client) = self.used(source);
        self.clock = network;
        self.networks.insert(source.network, NetworkUse { used: network + cost, clock: client });
        self.clients.insert(source.clone(), client + cost);
    }

    /// Replaces the expected cost by the measured one.
    fn settle(&mut self, charge: &Charge, took: Duration) {
        if self.waiting.is_empty() || self.clients.len() >= MAX_SOURCES {
            self.clock = Duration::ZERO;
            self.networks.clear();
            self.clients.clear();
            return;
        }
        let (network, client) = self.used(&charge.source);
        let corrected = |used: Duration| (used + took).saturating_sub(charge.expected);
        self.networks.entry(charge.source.network).or_default().used = corrected(network);
        self.clients.insert(charge.source.clone(), corrected(client));
    }
}

#[cfg(test)]
impl State {
    pub fn is_empty(&self) -> bool {
        self.load() == (0, 0) && self.running_by_network.is_empty()
    }
}
