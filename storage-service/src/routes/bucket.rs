//! `/bucket`.

pub mod create;
pub mod delete;
pub mod empty;
pub mod get;
pub mod list;
pub mod update;

mod limits;
