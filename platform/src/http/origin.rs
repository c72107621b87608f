//! The client's address, behind any number of trusted proxies.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use ipnet::IpNet;

use crate::env::{ConfigError, Env};

/// Reads `TRUSTED_PROXIES`: addresses or networks whose `X-Forwarded-For` is trusted, comma-separated.
///
/// # Errors
/// Fails when an entry is neither.
pub fn trusted_proxies(env: &Env) -> Result<Vec<IpNet>, ConfigError> {
    let name = "TRUSTED_PROXIES";
    let network = |text: &str| {
        IpNet::from_str(text).or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            ConfigError::new(name, format!("`{text}` is neither an address nor a network such as 10.0.0.0/8"))
        })
    };
    let listed = env.optional(name).unwrap_or_default().split(',').map(str::trim);
    listed.filter(|text| !text.is_empty()).map(network).collect()
}

/// `None` when the router is called without a network, as in tests.
pub fn of(extensions: &Extensions, headers: &HeaderMap, trusted: &[IpNet]) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip();
    Some(behind_proxies(peer, headers, trusted))
}

/// The network that counts as one client: an IPv6 subscriber has a whole /64.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// Each proxy appends the address it saw to `X-Forwarded-For`. The client is therefore the rightmost address
/// that is not a trusted proxy; anything left of it may be forged.
fn behind_proxies(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
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
        behind_proxies(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn untrusted_peers_cannot_forge_their_address() {
        assert_eq!(from("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(from("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn a_trusted_proxy_forwards_the_address() {
        let proxies = ["10.0.0.0/8"];
        assert_eq!(from("10.0.0.1", &["198.51.100.1"], &proxies), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["6.6.6.6, 198.51.100.1, 10.0.0.2"], &proxies), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["6.6.6.6", "198.51.100.1"], &proxies), "198.51.100.1");
        assert_eq!(from("::ffff:10.0.0.1", &["198.51.100.1"], &proxies), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["nonsense"], &proxies), "10.0.0.1");
    }
}
