//! The only source of random decisions, so that a seed and a number identify a request.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

pub struct Dice {
    random: StdRng,
    /// Every second request is mostly valid, because an early rejection tests nothing after it.
    is_calm: bool,
}

impl Dice {
    /// Independent of all other requests, because connections send them in any order.
    pub fn new(seed: u64, index: u64) -> Self {
        // Odd factors separate neighboring seeds and indexes.
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03);
        let mut random = StdRng::seed_from_u64(seed);
        let is_calm = random.random();
        Self { random, is_calm }
    }

    /// True in `percent` percent of all cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    /// True in one of `count` cases.
    pub fn one_in(&mut self, count: u32) -> bool {
        self.random.random_range(0..count) == 0
    }

    pub fn is_calm(&self) -> bool {
        self.is_calm
    }

    /// True in one of `count` cases, and much less often in a calm request. For unusual choices.
    pub fn odd_one_in(&mut self, count: u32) -> bool {
        self.one_in(if self.is_calm { count * 8 } else { count })
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    pub fn between(&mut self, low: usize, high: usize) -> usize {
        self.random.random_range(low..=high)
    }

    pub fn number(&mut self) -> u64 {
        self.random.random()
    }

    pub fn byte(&mut self) -> u8 {
        self.random.random()
    }

    /// One of the choices, which must not be empty.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    pub fn word<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// One of the first few choices, which are valid; in a wild request, any of them.
    pub fn word_of<'a>(&mut self, choices: &[&'a str], right: usize) -> &'a str {
        let end = if self.is_calm { right.min(choices.len()) } else { choices.len() };
        choices[self.below(end)]
    }

    /// An element of the pool, or `otherwise` if the pool is empty.
    pub fn text(&mut self, pool: &[String], otherwise: &str) -> String {
        if pool.is_empty() { otherwise.to_owned() } else { self.pick(pool).clone() }
    }
}
