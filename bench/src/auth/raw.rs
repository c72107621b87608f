//! The hash alone, on every core: nobody can sign in faster than this.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use auth_service::hashing::HashCost;

/// # Errors
/// When a hash fails.
pub fn hashes_per_second(cores: usize, time: Duration) -> anyhow::Result<f64> {
    let argon2 = HashCost::OWASP_MINIMUM.argon2().map_err(|error| anyhow!("{error}"))?;
    let stored = argon2.hash_password(b"measured").map_err(|error| anyhow!("{error}"))?.to_string();
    let began = Instant::now();
    let compare = || -> anyhow::Result<u32> {
        let stored = PasswordHash::new(&stored).map_err(|error| anyhow!("{error}"))?;
        let mut compared = 0;
        while began.elapsed() < time {
            argon2.verify_password(b"measured", &stored).map_err(|error| anyhow!("{error}"))?;
            compared += 1;
        }
        Ok(compared)
    };
    let compared: u32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(compare)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
            .sum::<anyhow::Result<u32>>()
    })?;
    Ok(f64::from(compared) / began.elapsed().as_secs_f64())
}
