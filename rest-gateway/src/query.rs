//! Turns plans into SQL text and parameters. Pure: no I/O. Values are always parameters, and names are always quoted.

pub mod call;
pub mod count;
pub mod filter;
pub mod fragment;
pub mod mutate;
pub mod read;
pub mod statement;
pub mod transaction;

#[cfg(test)]
mod tests;
