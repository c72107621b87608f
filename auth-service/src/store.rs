//! SQL, one file per table. Functions take a connection; the caller decides on the transaction.

pub mod allowances;
pub mod callers;
pub mod factors;
pub mod flow_state;
pub mod identities;
pub mod one_time_tokens;
pub mod password_sign_ins;
pub mod refresh_tokens;
pub mod second_steps;
pub mod sessions;
pub mod settings;
pub mod sign_in_failures;
pub mod users;
