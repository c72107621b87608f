//! Sends many thousands of unusual and malformed requests to a running server. A seed and a number identify each
//! request. `routes.txt` and `words.json` are the grammar.

mod grammar;
mod ground;
mod invariants;
mod malformed;
mod oracle;
mod people;
mod request;
mod routes;
mod run;
mod wire;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use anyhow::Context;
use clap::Args;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

pub use run::run;

use grammar::Draw;
use ground::{Column, Ground};
use request::Request;

use crate::product::Product;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: Product,
    /// Number of requests
    #[arg(long, default_value_t = 20_000)]
    requests: u64,
    /// Seed of the random generator
    #[arg(long, default_value_t = 17)]
    seed: u64,
    /// Send only the request with this number, and print its response
    #[arg(long)]
    only: Option<u64>,
}

/// How many percent of the choices are strange. Every second request is mostly valid, because an early rejection tests
/// nothing after it.
const CALM: u32 = 2;
const WILD: u32 = 15;

struct Generator<'a> {
    seed: u64,
    ground: &'a Ground,
}

impl Generator<'_> {
    /// Request number `index`. Independent of all others, because connections send them in any order.
    fn request(&self, index: u64) -> anyhow::Result<Request> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&index.to_le_bytes());
        let mut random = StdRng::from_seed(seed);
        let mut draw = Draw {
            ground: self.ground,
            odd: if random.random() { CALM } else { WILD },
            random,
            caller: request::Caller::Nobody,
            table: self.ground.tables.first().context("a table")?,
            function: self.ground.functions.first().context("a function")?,
            column: Rc::new(Column { name: "id".to_owned(), kind: "text".to_owned(), pool: Vec::new() }),
            depth: 0,
        };
        let request = if draw.random.random_ratio(1, 50) { draw.malformed() } else { draw.request() };
        request.context("an incomplete grammar")
    }
}
