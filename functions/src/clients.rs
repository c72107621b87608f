//! The services that functions call.

pub mod auth;
pub mod gateway;

use reqwest::Client;
use reqwest::redirect::Policy;

use crate::config::Config;

/// One client for both. They are neighbours: no proxy is between us, and they redirect nowhere.
///
/// # Errors
/// When TLS can't be set up.
pub fn http(config: &Config) -> reqwest::Result<Client> {
    Client::builder().timeout(config.call_timeout).no_proxy().redirect(Policy::none()).build()
}
