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

/// The running and the waiting requests.
///
/// Waiting ones are admitted by start-time fair queuing. A client that was idle does not begin at zero, but at the clock:
/// what the client that was last admitted had used.
pub struct State {
    running: [usize; Weight::COUNT],
    running_by_network: HashMap<Option<IpAddr>, [usize; Weight::COUNT]>,
    /// The oldest first.
    waiting: Vec<Waiting>,
    tickets: u64,
    /// The weight whose turn is next.
    next: usize,
    /// How much time networks and clients have used since the queue was empty last, by weight: what a client's
    /// expensive statements take does not delay its cheap ones.
    networks: HashMap<(Weight, Option<IpAddr>), NetworkUse>,
    clients: HashMap<(Weight, Source), Duration>,
    clocks: [Duration; Weight::COUNT],
    /// Moving averages of the run time, by statement.
    averages: Cache<u64, Duration>,
}

struct Waiting {
    ticket: u64,
    charge: Charge,
    turn: oneshot::Sender<()>,
}

#[derive(Default, Clone, Copy)]
struct NetworkUse {
    used: Duration,
    /// For the clients of this network.
    clock: Duration,
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
            waiting: Vec::new(),
            tickets: 0,
            next: 0,
            networks: HashMap::new(),
            clients: HashMap::new(),
            clocks: Default::default(),
            averages: Cache::new(MAX_SHAPES),
        }
    }
}

impl State {
    pub fn load(&self) -> (usize, usize) {
        (self.running.iter().sum(), self.waiting.len())
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
        let earlier = self.waiting.iter().map(|waiting| &waiting.charge);
        let earlier =
            earlier.filter(|other| (&other.source, other.weight) == (&charge.source, charge.weight));
        let (count, backlog) =
            earlier.fold((0, charge.expected), |(count, time), other| (count + 1, time + other.expected));
        // A client's first request may always wait, because the delays are other clients' fault.
        let lanes = u32::try_from(limits.for_one_network(charge.weight)).unwrap_or(u32::MAX);
        if count > 0 && backlog / lanes > limits.queue_timeout {
            return None;
        }
        if self.waiting.len() >= limits.queue_length && !self.push_out(charge.source.network) {
            return None;
        }
        let (sender, turn) = oneshot::channel();
        self.tickets += 1;
        self.waiting.push(Waiting { ticket: self.tickets, charge: charge.clone(), turn: sender });
        Some((self.tickets, turn))
    }

    /// Removes a request of the network that has the most waiting ones, unless that is this network.
    fn push_out(&mut self, network: Option<IpAddr>) -> bool {
        let mut counts = HashMap::from([(network, 1_usize)]);
        for waiting in &self.waiting {
            *counts.entry(waiting.charge.source.network).or_default() += 1;
        }
        let own = counts[&network];
        let larger = counts.into_iter().filter(|(_, count)| *count > own);
        let Some((most, _)) = larger.max_by_key(|(_, count)| *count) else { return false };
        let newest = self.waiting.iter().rposition(|waiting| waiting.charge.source.network == most);
        newest.map(|position| self.waiting.remove(position)).is_some()
    }

    pub fn leave(&mut self, ticket: u64) {
        self.waiting.retain(|waiting| waiting.ticket != ticket);
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
        self.settle(charge, took.unwrap_or_default());
        while self.start_next(limits) {}
    }

    /// Weights take turns. Starts the request whose network, and in it whose client, has used the least.
    fn start_next(&mut self, limits: &Limits) -> bool {
        let candidates =
            self.waiting.iter().enumerate().filter(|(_, waiting)| self.may_start(limits, &waiting.charge));
        let turn = |weight: Weight| (weight.index() + Weight::COUNT - self.next) % Weight::COUNT;
        let next =
            candidates.min_by_key(|(_, waiting)| (turn(waiting.charge.weight), self.used(&waiting.charge)));
        let Some(position) = next.map(|(position, _)| position) else { return false };
        let Waiting { charge, turn, .. } = self.waiting.remove(position);
        let (network, client) = self.used(&charge);
        let index = charge.weight.index();
        self.next = (index + 1) % Weight::COUNT;
        self.clocks[index] = network;
        let used = NetworkUse { used: network + charge.expected, clock: client };
        self.networks.insert((charge.weight, charge.source.network), used);
        self.clients.insert((charge.weight, charge.source.clone()), client + charge.expected);
        self.start(&charge);
        // If the receiver is gone, its `QueuedRequest` has already left.
        let _ = turn.send(());
        true
    }

    /// What the network and the client have used for requests of this weight.
    fn used(&self, charge: &Charge) -> (Duration, Duration) {
        let (weight, source) = (charge.weight, &charge.source);
        let network = self.networks.get(&(weight, source.network)).copied().unwrap_or_default();
        let client = self.clients.get(&(weight, source.clone())).copied().unwrap_or_default();
        (network.used.max(self.clocks[weight.index()]), client.max(network.clock))
    }

    /// Replaces the expected cost by the measured one.
    fn settle(&mut self, charge: &Charge, took: Duration) {
        if self.waiting.is_empty() || self.clients.len() >= MAX_SOURCES {
            self.clocks = Default::default();
            self.networks.clear();
            self.clients.clear();
            return;
        }
        let (network, client) = self.used(charge);
        let corrected = |used: Duration| (used + took).saturating_sub(charge.expected);
        let network_use = self.networks.entry((charge.weight, charge.source.network)).or_default();
        network_use.used = corrected(network);
        self.clients.insert((charge.weight, charge.source.clone()), corrected(client));
    }
}

#[cfg(test)]
impl State {
    pub fn is_empty(&self) -> bool {
        self.load() == (0, 0) && self.running_by_network.is_empty()
    }
}
