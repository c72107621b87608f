//! Request rate limits per client address, kept in memory: one bucket per kind of request and address.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use platform::http::origin::network_of;

use crate::error::{AuthError, Result};

const WINDOW: Duration = Duration::from_secs(5 * 60);
const BURST: NonZeroU32 = NonZeroU32::new(30).expect("30 is not zero");
/// After this many requests, addresses with a full bucket are dropped.
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
    Factors,
}

impl Limited {
    pub fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::SignUp => "signup",
            Self::UserChange => "user",
            Self::Verify => "verify",
            Self::Recover => "recover",
            Self::Resend => "resend",
            Self::Otp => "otp",
            Self::MagicLink => "magiclink",
            Self::Factors => "factors",
        }
    }
}

/// In the order of [`Limited`].
const REQUESTS_PER_WINDOW: [u32; 9] = [150, 30, 30, 30, 30, 30, 30, 30, 75];

type Buckets<C> =
    RateLimiter<IpAddr, DefaultKeyedStateStore<IpAddr>, C, NoOpMiddleware<<C as Clock>::Instant>>;

pub struct RateLimits<C: Clock = DefaultClock> {
    limiters: [Buckets<C>; REQUESTS_PER_WINDOW.len()],
    clock: C,
    admitted: AtomicU32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::at(DefaultClock::default())
    }
}

impl<C: Clock + Clone> RateLimits<C> {
    fn at(clock: C) -> Self {
        let limiters = REQUESTS_PER_WINDOW.map(|requests| per_window(requests, clock.clone()));
        Self { limiters, clock, admitted: AtomicU32::new(0) }
    }

    /// # Errors
    /// Fails when the address has used up its bucket; the error says when to retry.
    pub fn admit(&self, kind: Limited, address: IpAddr) -> Result<()> {
        if self.admitted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.limiters.iter().for_each(RateLimiter::retain_recent);
        }
        self.limiters[kind as usize].check_key(&network_of(address)).map_err(|refusal| {
            AuthError::too_many_requests(seconds_of(refusal.wait_time_from(self.clock.now())))
        })
    }
}

/// Rounded up, so that a client that waits this long is accepted.
fn seconds_of(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[expect(clippy::expect_used, reason = "constants that every test uses")]
fn per_window<C: Clock>(requests: u32, clock: C) -> Buckets<C> {
    let quota = Quota::with_period(WINDOW / requests).expect("a window longer than zero");
    RateLimiter::new(quota.allow_burst(BURST), DefaultKeyedStateStore::default(), clock)
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    /// How many of forty requests in a row are accepted.
    fn accepted(limits: &RateLimits<FakeRelativeClock>, kind: Limited, address: &str) -> usize {
        (0..40).take_while(|_| limits.admit(kind, address.parse().unwrap()).is_ok()).count()
    }

    #[test]
    fn an_empty_bucket_refills_evenly_over_its_window() {
        for (kind, next) in [(Limited::SignUp, 10), (Limited::Token, 2)] {
            let clock = FakeRelativeClock::default();
            let limits = RateLimits::at(clock.clone());
            let accepted = || accepted(&limits, kind, "198.51.100.7");
            assert_eq!(accepted(), 30, "{kind:?}");
            let refusal = limits.admit(kind, "198.51.100.7".parse().unwrap()).unwrap_err();
            assert_eq!(refusal.retry_after_seconds, Some(next), "{kind:?}");

            clock.advance(Duration::from_secs(next - 1));
            assert_eq!(accepted(), 0, "{kind:?}: one second too early");
            clock.advance(Duration::from_secs(1));
            assert_eq!(accepted(), 1, "{kind:?}: one request after the advised wait");
            clock.advance(Duration::from_secs(3 * next));
            assert_eq!(accepted(), 3, "{kind:?}");
            clock.advance(WINDOW);
            assert_eq!(accepted(), 30, "{kind:?}: full after one window");
            clock.advance(10 * WINDOW);
            assert_eq!(accepted(), 30, "{kind:?}: never more than full");
        }
    }

    #[test]
    fn sweeping_keeps_clients_that_must_wait() {
        let limits = RateLimits::at(FakeRelativeClock::default());
        assert_eq!(accepted(&limits, Limited::SignUp, "198.51.100.7"), 30);
        for _ in 0..SWEEP_EVERY {
            let _ = limits.admit(Limited::Token, "198.51.100.8".parse().unwrap());
        }
        assert_eq!(accepted(&limits, Limited::SignUp, "198.51.100.7"), 0);
    }

    #[test]
    fn thirty_requests_pass_and_the_next_is_rejected() {
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
    fn each_kind_has_its_own_bucket() {
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
            Limited::Factors,
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
