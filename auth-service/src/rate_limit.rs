//! How often one address may ask. Kept in memory, a bucket per kind of request and address.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};

use crate::client::Client;
use crate::error::{AuthError, Result};
use crate::security_event::{About, SecurityEvent};
use crate::service::Shared;

const WINDOW: Duration = Duration::from_secs(5 * 60);
const BURST: NonZeroU32 = NonZeroU32::new(30).expect("30 is not zero");
/// After so many requests, addresses that have their full bucket again are forgotten.
const SWEEP_EVERY: u32 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    Token,
    SignUp,
    UserChange,
    Verify,
    Recover,
    Resend,
    Otp,
    MagicLink,
}

impl Limited {
    fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::SignUp => "signup",
            Self::UserChange => "user",
            Self::Verify => "verify",
            Self::Recover => "recover",
            Self::Resend => "resend",
            Self::Otp => "otp",
            Self::MagicLink => "magiclink",
        }
    }
}

/// In the order of [`Limited`].
const REQUESTS_PER_WINDOW: [u32; 8] = [150, 30, 30, 30, 30, 30, 30, 30];

pub struct RateLimits {
    limiters: [DefaultKeyedRateLimiter<IpAddr>; REQUESTS_PER_WINDOW.len()],
    admitted: AtomicU32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { limiters: REQUESTS_PER_WINDOW.map(per_window), admitted: AtomicU32::new(0) }
    }
}

impl RateLimits {
    /// # Errors
    /// When the address has used up its bucket; says when the next request will do.
    pub fn admit(&self, kind: Limited, address: IpAddr) -> Result<()> {
        if self.admitted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.limiters.iter().for_each(RateLimiter::retain_recent);
        }
        self.limiters[kind as usize]
            .check_key(&household(address))
            .map_err(|refusal| AuthError::too_many_requests(seconds_of(&refusal)))
    }
}

/// Rounded up: whoever waits as told is heard.
fn seconds_of(refusal: &NotUntil<<DefaultClock as Clock>::Instant>) -> u64 {
    let wait = refusal.wait_time_from(DefaultClock::default().now());
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[expect(clippy::expect_used, reason = "constants, tried by every test")]
fn per_window(requests: u32) -> DefaultKeyedRateLimiter<IpAddr> {
    let quota = Quota::with_period(WINDOW / requests).expect("a window longer than nothing");
    RateLimiter::keyed(quota.allow_burst(BURST))
}

/// One IPv6 customer has a /64 at least, and could take a new address for every request.
fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// Middleware in front of a route. Without an address (a call inside the process) nothing is limited.
pub async fn limited(
    State((service, kind)): State<(Shared, Limited)>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let client = Client::of(request.extensions(), request.headers(), &service.config.trusted_proxies);
    if let (Some(limits), Some(address)) = (&service.limits, client.address) {
        limits.admit(kind, address).inspect_err(|_| {
            let by = Some(kind.name());
            SecurityEvent::ClientLimited.record(About { client: Some(address), by, ..About::default() });
        })?;
    }
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_requests_pass_and_the_next_waits() {
        let limits = RateLimits::default();
        let address: IpAddr = "198.51.100.7".parse().unwrap();
        for _ in 0..30 {
            limits.admit(Limited::SignUp, address).unwrap();
        }
        let refusal = limits.admit(Limited::SignUp, address).unwrap_err();
        assert_eq!((refusal.status.as_u16(), refusal.code), (429, "over_request_rate_limit"));
        assert!((1..=10).contains(&refusal.retry_after_seconds.unwrap()));
        limits.admit(Limited::Token, address).unwrap();
        limits.admit(Limited::SignUp, "198.51.100.8".parse().unwrap()).unwrap();
    }

    #[test]
    fn each_kind_has_a_bucket_of_its_own() {
        let limits = RateLimits::default();
        let address: IpAddr = "198.51.100.7".parse().unwrap();
        for kind in [
            Limited::Token,
            Limited::SignUp,
            Limited::UserChange,
            Limited::Verify,
            Limited::Recover,
            Limited::Resend,
            Limited::Otp,
            Limited::MagicLink,
        ] {
            for _ in 0..30 {
                limits.admit(kind, address).unwrap();
            }
            assert!(limits.admit(kind, address).is_err(), "{kind:?}");
        }
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let limits = RateLimits::default();
        for host in 0..30 {
            limits.admit(Limited::SignUp, format!("2001:db8::{host}").parse().unwrap()).unwrap();
        }
        assert!(limits.admit(Limited::SignUp, "2001:db8::ffff".parse().unwrap()).is_err());
        limits.admit(Limited::SignUp, "2001:db8:0:1::1".parse().unwrap()).unwrap();
    }
}
