//! Response bodies. Separate from the rows, so that a new column never appears in the API by accident.

pub mod session;
pub mod user;
