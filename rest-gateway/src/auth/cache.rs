//! Caches verified tokens, because clients send the same token with every request.

use std::sync::Arc;

use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Lifecycle, UnitWeighter};

use super::VerifiedToken;
use crate::metrics::Metrics;

type Tokens = Cache<Box<str>, Arc<VerifiedToken>, UnitWeighter, DefaultHashBuilder, CountEvictions>;

/// Keeps the tokens that are used most.
pub struct TokenCache {
    tokens: Tokens,
    capacity: usize,
    metrics: Arc<Metrics>,
}

impl TokenCache {
    /// 0 disables the cache.
    pub fn new(capacity: usize, metrics: Arc<Metrics>) -> Self {
        let evictions = CountEvictions(Arc::clone(&metrics));
        let tokens =
            Cache::with(capacity, capacity as u64, UnitWeighter, DefaultHashBuilder::default(), evictions);
        Self { tokens, capacity, metrics }
    }

    pub fn get(&self, token: &str) -> Option<Arc<VerifiedToken>> {
        if self.capacity == 0 {
            return None;
        }
        let cached = self.tokens.get(token);
        self.metrics.jwt_cache_requests.increment(1);
        if cached.is_some() {
            self.metrics.jwt_cache_hits.increment(1);
        }
        cached
    }

    pub fn put(&self, token: &str, verified: Arc<VerifiedToken>) {
        if self.capacity > 0 {
            self.tokens.insert(token.into(), verified);
        }
    }
}

#[derive(Clone)]
struct CountEvictions(Arc<Metrics>);

impl Lifecycle<Box<str>, Arc<VerifiedToken>> for CountEvictions {
    type RequestState = ();

    fn on_evict(&self, (): &mut (), _: Box<str>, _: Arc<VerifiedToken>) {
        self.0.jwt_cache_evictions.increment(1);
    }
}

#[cfg(test)]
mod tests {
    use platform::token::Times;

    use super::*;

    fn token() -> Arc<VerifiedToken> {
        Arc::new(VerifiedToken { caller: None, times: Times::default(), audience_matches: true })
    }

    #[test]
    fn used_tokens_stay_and_unused_tokens_are_evicted() {
        let cache = TokenCache::new(100, Arc::new(Metrics::new(1)));
        cache.put("used", token());
        for number in 0..10_000 {
            cache.put(&format!("unused {number}"), token());
            assert!(cache.get("used").is_some(), "{number}");
        }
        assert!(cache.tokens.len() <= 100, "{}", cache.tokens.len());
    }

    #[test]
    fn without_capacity_nothing_is_kept() {
        let cache = TokenCache::new(0, Arc::new(Metrics::new(1)));
        cache.put("a", token());
        assert!(cache.get("a").is_none());
    }
}
