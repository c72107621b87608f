//! What every Serasi service shares and nothing else: settings, keys and claims, the caller's
//! transaction, the HTTP server, telemetry. No word of the marketplace belongs here.

pub mod caller;
pub mod claims;
pub mod clock;
pub mod database;
pub mod env;
pub mod http;
pub mod jwt;
pub mod random;
pub mod secret;
pub mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
