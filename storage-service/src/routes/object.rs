//! `/object`.

pub mod get;
pub mod list;
pub mod remove;
pub mod sign;
pub mod transfer;
pub mod upload;
