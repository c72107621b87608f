//! The services that functions call.

pub mod auth;
pub mod gateway;
