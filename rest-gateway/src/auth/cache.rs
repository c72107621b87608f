//! Cache of verified tokens, because clients send the same token with every request.

use std::sync::Arc;

use quick_cache::sync::Cache;

use super::CheckedToken;

/// Keeps the tokens that are used most.
pub struct TokenCache(Cache<Box<str>, Arc<CheckedToken>>);

impl TokenCache {
    /// 0 disables the cache.
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    pub fn get(&self, token: &str) -> Option<Arc<CheckedToken>> {
        self.0.get(token)
    }

    pub fn put(&self, token: &str, checked: Arc<CheckedToken>) {
        self.0.insert(token.into(), checked);
    }
}

#[cfg(test)]
mod tests {
    use platform::token::Times;

    use super::*;

    fn token() -> Arc<CheckedToken> {
        Arc::new(CheckedToken { caller: None, times: Times::default(), for_us: true })
    }

    #[test]
    fn used_tokens_stay_and_unused_tokens_are_evicted() {
        let cache = TokenCache::new(100);
        cache.put("used", token());
        for number in 0..10_000 {
            cache.put(&format!("unused {number}"), token());
            assert!(cache.get("used").is_some(), "{number}");
        }
        assert!(cache.0.len() <= 100, "{}", cache.0.len());
    }

    #[test]
    fn without_capacity_nothing_is_kept() {
        let cache = TokenCache::new(0);
        cache.put("a", token());
        assert!(cache.get("a").is_none());
    }
}
