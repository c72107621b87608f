//! From plans to SQL text and parameters. Pure. Values are always parameters; names are always quoted.

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
