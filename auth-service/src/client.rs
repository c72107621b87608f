//! Who is at the other end of the connection: for limits and for the list of sessions.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};
use ipnet::IpNet;

use crate::service::Shared;

const MAX_USER_AGENT_CHARACTERS: usize = 255;

#[derive(Debug, Clone, Default)]
pub struct Client {
    /// Absent when we are called without a network.
    pub address: Option<IpAddr>,
    pub user_agent: Option<String>,
}

impl Client {
    pub fn of(extensions: &Extensions, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Self {
            address: peer.map(|peer| origin(peer, headers, trusted)),
            user_agent: agent.map(|agent| agent.chars().take(MAX_USER_AGENT_CHARACTERS).collect()),
        }
    }
}

impl FromRequestParts<Shared> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions, &parts.headers, &service.config.trusted_proxies))
    }
}

/// The address a request came from. Each proxy appends the address it saw to `X-Forwarded-For`, so from
/// the right: the first address that is not one of our proxies. Anybody can write what stands left of it.
fn origin(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_proxy = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let mut origin = peer.to_canonical();
    let lines: Vec<&str> =
        headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
    for hop in lines.iter().flat_map(|line| line.split(',')).rev() {
        if !is_proxy(origin) {
            break;
        }
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
        origin = address.to_canonical();
    }
    origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &[&'static str], trusted: &[&str]) -> String {
        let headers = forwarded
            .iter()
            .map(|value| ("x-forwarded-for".parse().unwrap(), value.parse().unwrap()))
            .collect();
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        origin(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn a_forwarded_address_is_not_believed_from_anybody() {
        assert_eq!(from("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(from("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn a_trusted_proxy_says_who_it_saw() {
        let proxies = ["10.0.0.0/8"];
        assert_eq!(from("10.0.0.1", &["198.51.100.1"], &proxies), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["6.6.6.6, 198.51.100.1, 10.0.0.2"], &proxies), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["6.6.6.6", "198.51.100.1"], &proxies), "198.51.100.1");
        assert_eq!(from("::ffff:10.0.0.1", &["198.51.100.1"], &proxies), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["nonsense"], &proxies), "10.0.0.1");
    }
}
