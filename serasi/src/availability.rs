//! The launcher's view of the database's state.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Available,
    /// The disk is too full for writes.
    ReadOnly,
    Unavailable,
}

/// Clones share the same state.
#[derive(Clone, Default)]
pub struct Availability(Arc<AtomicU8>);

impl Availability {
    pub fn set(&self, state: State) {
        self.0.store(state as u8, Ordering::Relaxed);
    }

    pub fn get(&self) -> State {
        match self.0.load(Ordering::Relaxed) {
            0 => State::Available,
            1 => State::ReadOnly,
            _ => State::Unavailable,
        }
    }
}
