//! The client's address and user agent, for rate limits and for the list of sessions.

use std::net::IpAddr;

use axum::http::{Extensions, HeaderMap, header};
use ipnet::IpNet;
use platform::http::origin;

const MAX_USER_AGENT_CHARACTERS: usize = 255;

#[derive(Debug, Clone, Default)]
pub struct Client {
    /// `None` when the router is called without a network, as in tests.
    pub address: Option<IpAddr>,
    pub user_agent: Option<String>,
}

impl Client {
    pub fn of(extensions: &Extensions, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Self {
            address: origin::of(extensions, headers, trusted),
            user_agent: agent.map(|agent| agent.chars().take(MAX_USER_AGENT_CHARACTERS).collect()),
        }
    }
}
