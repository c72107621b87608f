//! The running and the waiting requests of all clients.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::sync::oneshot;

use super::{Client, Limits, QUICK, Turn, Weight};

/// A run time counts as at most this many times the average.
const OUTLIER: u32 = 4;

#[derive(Default)]
pub struct State {
    running: [usize; Weight::COUNT],
    clients: HashMap<Client, Load>,
    /// For each weight: the clients with waiting requests, in turn order.
    turns: [VecDeque<Client>; Weight::COUNT],
    waiting: usize,
    tickets: u64,
    /// Moving average of the run time, for each weight.
    pub(super) average: [Duration; Weight::COUNT],
    /// The weight whose turn is next.
    next: usize,
}

/// The load of one client.
#[derive(Default)]
struct Load {
    running: [usize; Weight::COUNT],
    waiting: [VecDeque<(u64, oneshot::Sender<()>)>; Weight::COUNT],
}

impl Load {
    fn is_idle(&self) -> bool {
        self.running.iter().sum::<usize>() == 0 && self.waiting.iter().all(VecDeque::is_empty)
    }
}

impl State {
    /// Whether a request may start immediately. This never overtakes a waiting request: if a waiting one
    /// could start, it would have been started already.
    pub fn may_start(&self, limits: &Limits, client: &Client, weight: Weight) -> bool {
        self.has_room(limits, weight) && self.has_room_for(limits, client, weight)
    }

    pub fn load(&self) -> (usize, usize) {
        (self.running.iter().sum(), self.waiting)
    }

    fn has_room(&self, limits: &Limits, weight: Weight) -> bool {
        let total: usize = self.running.iter().sum();
        total < limits.connections
            && (weight == Weight::Cheap
                || total - self.running[Weight::Cheap.index()] < limits.unreserved()
                    && (weight != Weight::Expensive || self.running[weight.index()] < limits.expensive))
    }

    fn has_room_for(&self, limits: &Limits, client: &Client, weight: Weight) -> bool {
        let Some(load) = self.clients.get(client) else { return true };
        let cheap = load.running[Weight::Cheap.index()];
        let others = load.running[Weight::Ordinary.index()] + load.running[Weight::Expensive.index()];
        let limit = self.for_one_client(limits, weight);
        match weight {
            Weight::Cheap => cheap + others < limit,
            Weight::Ordinary => others < limit,
            Weight::Expensive => {
                others < self.for_one_client(limits, Weight::Ordinary) && load.running[weight.index()] < limit
            }
        }
    }

    fn for_one_client(&self, limits: &Limits, weight: Weight) -> usize {
        limits.for_one_client(weight, self.average[weight.index()])
    }

    /// Whether one more request would probably wait longer than the queue timeout, or the queue is full.
    pub fn is_full(&self, limits: &Limits, client: &Client, weight: Weight) -> bool {
        let before = self.clients.get(client).map_or(0, |load| load.waiting[weight.index()].len()) + 1;
        let rounds = before as f64 / self.for_one_client(limits, weight) as f64;
        // A client's first request may always wait, because the delays are other clients' fault.
        let takes_too_long =
            before > 1 && self.average[weight.index()].mul_f64(rounds) > limits.queue_timeout;
        takes_too_long || self.waiting >= limits.queue_length
    }

    pub fn wait(&mut self, client: &Client, weight: Weight) -> (u64, Turn) {
        let (turn, granted) = oneshot::channel();
        self.tickets += 1;
        self.waiting += 1;
        let queue = &mut self.clients.entry(client.clone()).or_default().waiting[weight.index()];
        queue.push_back((self.tickets, turn));
        if queue.len() == 1 {
            self.turns[weight.index()].push_back(client.clone());
        }
        (self.tickets, granted)
    }

    /// Returns whether the ticket was still waiting.
    pub fn leave(&mut self, client: &Client, weight: Weight, ticket: u64) -> bool {
        let Some(load) = self.clients.get_mut(client) else { return false };
        let queue = &mut load.waiting[weight.index()];
        let Some(position) = queue.iter().position(|(waiting, _)| *waiting == ticket) else { return false };
        queue.remove(position);
        self.waiting -= 1;
        if queue.is_empty() {
            self.turns[weight.index()].retain(|waiting| waiting != client);
        }
        if load.is_idle() {
            self.clients.remove(client);
        }
        true
    }

    pub fn start(&mut self, client: &Client, weight: Weight) {
        self.running[weight.index()] += 1;
        self.clients.entry(client.clone()).or_default().running[weight.index()] += 1;
    }

    /// Releases the slot and starts the next requests that fit.
    pub fn end(&mut self, limits: &Limits, client: &Client, weight: Weight, took: Option<Duration>) {
        self.running[weight.index()] -= 1;
        if let Some(load) = self.clients.get_mut(client) {
            load.running[weight.index()] -= 1;
            if load.is_idle() {
                self.clients.remove(client);
            }
        }
        if let Some(took) = took {
            let average = &mut self.average[weight.index()];
            // One outlier, such as a pause of the whole process, must not cause later rejections.
            let took = took.min(*average * OUTLIER + QUICK);
            *average = (*average * 7 + took) / 8;
        }
        while self.waiting > 0 && self.start_next(limits) {}
    }

    /// Weights take turns, and clients take turns within a weight.
    fn start_next(&mut self, limits: &Limits) -> bool {
        for step in 0..Weight::COUNT {
            let weight = Weight::ALL[(self.next + step) % Weight::COUNT];
            if !self.has_room(limits, weight) {
                continue;
            }
            let turns = &self.turns[weight.index()];
            let Some(position) = turns.iter().position(|client| self.has_room_for(limits, client, weight))
            else {
                continue;
            };
            self.next = (weight.index() + 1) % Weight::COUNT;
            self.grant(weight, position);
            return true;
        }
        false
    }

    fn grant(&mut self, weight: Weight, position: usize) {
        let Some(client) = self.turns[weight.index()].remove(position) else { return };
        let load = self.clients.entry(client.clone()).or_default();
        let queue = &mut load.waiting[weight.index()];
        let Some((_, turn)) = queue.pop_front() else { return };
        self.waiting -= 1;
        if !queue.is_empty() {
            self.turns[weight.index()].push_back(client.clone());
        }
        self.start(&client, weight);
        // If the receiver is gone, its `QueuedRequest` has already released the slot or will do so.
        let _ = turn.send(());
    }
}

#[cfg(test)]
impl State {
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
            && self.waiting == 0
            && self.running == [0; Weight::COUNT]
            && self.turns.iter().all(VecDeque::is_empty)
    }
}
