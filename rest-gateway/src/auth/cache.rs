//! Cache of verified tokens, because clients send the same token with every request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::CheckedToken;

/// A two-generation cache that keeps between `capacity` and twice as many tokens. When the young generation
/// is full, it becomes the old one, and tokens that were not used since the previous swap are dropped.
pub struct TokenCache {
    capacity: usize,
    generations: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: HashMap<Box<str>, Arc<CheckedToken>>,
    old: HashMap<Box<str>, Arc<CheckedToken>>,
}

impl TokenCache {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, generations: Mutex::default() }
    }

    pub fn get(&self, token: &str) -> Option<Arc<CheckedToken>> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = generations.young.get(token) {
            return Some(Arc::clone(found));
        }
        let (key, found) = generations.old.remove_entry(token)?;
        self.insert(&mut generations, key, Arc::clone(&found));
        Some(found)
    }

    pub fn put(&self, token: &str, checked: Arc<CheckedToken>) {
        if self.capacity > 0 {
            let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
            self.insert(&mut generations, token.into(), checked);
        }
    }

    fn insert(&self, generations: &mut Generations, token: Box<str>, checked: Arc<CheckedToken>) {
        if generations.young.len() >= self.capacity {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(token, checked);
    }
}

#[cfg(test)]
mod tests {
    use platform::token::Times;

    use super::*;

    #[test]
    fn used_tokens_stay_and_unused_tokens_are_evicted() {
        let cache = TokenCache::new(2);
        let token = || Arc::new(CheckedToken { caller: None, times: Times::default(), for_us: true });
        for name in ["used", "b", "c", "d"] {
            cache.put(name, token());
            assert!(cache.get("used").is_some());
        }
        for name in ["e", "f", "g", "h"] {
            cache.put(name, token());
        }
        assert!(cache.get("b").is_none());
        let generations = cache.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 4);
    }
}
