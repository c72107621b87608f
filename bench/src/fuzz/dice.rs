//! Every decision of the generator comes from here, so that a seed and a number name one request.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

pub struct Dice(StdRng);

impl Dice {
    /// Independent of all other requests: they are sent by many connections in any order.
    pub fn new(seed: u64, index: u64) -> Self {
        // Odd factors keep neighboring seeds and indexes apart.
        Self(StdRng::seed_from_u64(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03),
        ))
    }

    /// True in `percent` of all cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100) < percent
    }

    /// True in one of `count` cases.
    pub fn one_in(&mut self, count: u32) -> bool {
        self.0.random_range(0..count) == 0
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end.max(1))
    }

    pub fn between(&mut self, low: usize, high: usize) -> usize {
        self.0.random_range(low..=high)
    }

    pub fn number(&mut self) -> u64 {
        self.0.random()
    }

    pub fn byte(&mut self) -> u8 {
        self.0.random()
    }

    /// One of the given; they must not be empty.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    pub fn word<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// One of the pool, or `otherwise` when the pool is empty.
    pub fn text(&mut self, pool: &[String], otherwise: &str) -> String {
        if pool.is_empty() { otherwise.to_owned() } else { self.pick(pool).clone() }
    }
}
