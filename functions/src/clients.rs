//! Clients for the services that functions call.

pub mod auth;
pub mod gateway;

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use crate::config::Config;

/// Short, because the services are on the same network.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The HTTP client for both services. They are on the same network, so it uses no proxy and follows no
/// redirects.
///
/// # Errors
/// Fails when TLS can't be set up.
pub fn http(config: &Config) -> reqwest::Result<Client> {
    let builder = Client::builder().timeout(config.call_timeout).connect_timeout(CONNECT_TIMEOUT);
    builder.no_proxy().redirect(Policy::none()).build()
}
