//! The services that functions call.

pub mod auth;
pub mod gateway;

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use crate::config::Config;

/// They are neighbours: one that takes longer is not there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// One client for both. They are neighbours: no proxy is between us, and they redirect nowhere.
///
/// # Errors
/// When TLS can't be set up.
pub fn http(config: &Config) -> reqwest::Result<Client> {
    let builder = Client::builder().timeout(config.call_timeout).connect_timeout(CONNECT_TIMEOUT);
    builder.no_proxy().redirect(Policy::none()).build()
}
