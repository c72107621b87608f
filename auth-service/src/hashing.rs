//! Password hashes: argon2id, in a bounded number of threads.
//!
//! A hash costs tens of milliseconds and 19 MiB by design. As many run at once as there are cores, a few
//! wait, and what comes on top is refused at once: a flood of sign-ins must not starve everything else.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::domain::password::Password;
use crate::error::{AuthError, Result};
use crate::security_event::{About, SecurityEvent};

/// Hashes that may wait for a core; each waits well under a second per core.
const MAX_WAITING: usize = 64;
const RETRY_AFTER_SECONDS: u64 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCost {
    pub memory_kib: u32,
    pub iterations: u32,
}

impl HashCost {
    pub const OWASP_MINIMUM: Self = Self { memory_kib: 19 * 1024, iterations: 2 };
    pub const MOST_MEMORY_KIB: u32 = 1024 * 1024;
    pub const MOST_ITERATIONS: u32 = 64;
    const PARALLELISM: u32 = 1;

    /// # Errors
    /// When argon2 refuses the cost.
    pub fn argon2(self) -> Result<Argon2<'static>, argon2::Error> {
        let params = Params::new(self.memory_kib, self.iterations, Self::PARALLELISM, None)?;
        Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
    }
}

/// What comparing a password with a stored hash gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    Wrong,
    /// `better`: the same password at today's cost, when the stored hash is cheaper.
    Right {
        better: Option<String>,
    },
}

#[derive(Clone)]
pub struct Hasher {
    argon2: Argon2<'static>,
    /// Compared when there is no account, so that the answer takes as long as with one.
    decoy: Arc<str>,
    cores: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Hasher {
    /// # Errors
    /// When argon2 refuses the cost.
    pub fn new(cost: HashCost) -> Result<Self, Error> {
        let argon2 = cost.argon2().map_err(|_| Error::Algorithm)?;
        let decoy = argon2.hash_password(Password::unknowable().expose().as_bytes())?.to_string();
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self {
            argon2,
            decoy: decoy.into(),
            cores: Arc::new(Semaphore::new(cores)),
            queue: Arc::new(Semaphore::new(MAX_WAITING)),
        })
    }

    pub async fn hash(&self, password: Password) -> Result<String> {
        let argon2 = self.argon2.clone();
        let hash = self.run(move || argon2.hash_password(password.expose().as_bytes())).await?;
        hash.map(|hash| hash.to_string()).map_err(|error| AuthError::internal(&error))
    }

    /// Compares with the stored hash; without one the work is the same and the result is `Wrong`.
    pub async fn compare(&self, password: Password, stored: Option<&str>) -> Result<Comparison> {
        let argon2 = self.argon2.clone();
        let known = stored.is_some();
        let stored: Arc<str> = stored.map_or_else(|| self.decoy.clone(), Into::into);
        let compared = self.run(move || compare(&argon2, &password, &stored)).await?;
        let comparison = compared.map_err(|error| AuthError::internal(&error))?;
        Ok(if known { comparison } else { Comparison::Wrong })
    }

    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let core = match self.cores.clone().try_acquire_owned() {
            Ok(core) => core,
            Err(_) => {
                let _place = self.queue.try_acquire().map_err(|_| {
                    SecurityEvent::HashRefused.record(About::default());
                    AuthError::too_many_requests(RETRY_AFTER_SECONDS)
                })?;
                let _counted = Waiting::new();
                self.cores.clone().acquire_owned().await.map_err(|error| AuthError::internal(&error))?
            }
        };
        // The job holds its core to the end, also when the client has gone.
        let job = spawn_blocking(move || {
            let result = job();
            drop(core);
            result
        });
        job.await.map_err(|error| AuthError::internal(&error))
    }
}

/// One more that waits for a core, until it is dropped.
struct Waiting;

impl Waiting {
    fn new() -> Self {
        metrics::gauge!("auth_hashes_waiting").increment(1);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!("auth_hashes_waiting").decrement(1);
    }
}

fn compare(argon2: &Argon2<'_>, password: &Password, stored: &str) -> Result<Comparison, Error> {
    let stored = PasswordHash::new(stored)?;
    match argon2.verify_password(password.expose().as_bytes(), &stored) {
        Ok(()) => {}
        Err(Error::PasswordInvalid) => return Ok(Comparison::Wrong),
        Err(error) => return Err(error),
    }
    let wanted = argon2.params();
    let cheaper = Params::try_from(&stored)
        .map(|had| had.m_cost() < wanted.m_cost() || had.t_cost() < wanted.t_cost())
        .unwrap_or(true)
        || stored.algorithm != Algorithm::Argon2id.ident();
    let better =
        if cheaper { Some(argon2.hash_password(password.expose().as_bytes())?.to_string()) } else { None };
    Ok(Comparison::Right { better })
}

/// Whether a hash made elsewhere can be taken over: argon2, at a cost that a sign-in can bear.
pub fn is_usable(hash: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return false };
    let complete =
        parsed.salt.is_some() && parsed.hash.is_some() && Algorithm::new(parsed.algorithm.as_str()).is_ok();
    complete
        && Params::try_from(&parsed).is_ok_and(|params| {
            params.m_cost() <= HashCost::MOST_MEMORY_KIB && params.t_cost() <= HashCost::MOST_ITERATIONS
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEARER: HashCost = HashCost { memory_kib: 20 * 1024, iterations: 2 };

    fn password(text: &str) -> Password {
        Password::short_enough(text).unwrap()
    }

    #[tokio::test]
    async fn hashes_are_argon2id_with_their_parameters() {
        let hasher = Hasher::new(HashCost::OWASP_MINIMUM).unwrap();
        let hash = hasher.hash(password("correct horse")).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, hasher.hash(password("correct horse")).await.unwrap());
        let right = hasher.compare(password("correct horse"), Some(&hash)).await.unwrap();
        assert_eq!(right, Comparison::Right { better: None });
        assert_eq!(hasher.compare(password("wrong"), Some(&hash)).await.unwrap(), Comparison::Wrong);
        assert_eq!(hasher.compare(password("wrong"), None).await.unwrap(), Comparison::Wrong);
    }

    #[tokio::test]
    async fn a_cheaper_hash_is_replaced_and_a_dearer_one_kept() {
        let (cheap, dear) = (Hasher::new(HashCost::OWASP_MINIMUM).unwrap(), Hasher::new(DEARER).unwrap());
        let old = cheap.hash(password("secret")).await.unwrap();
        let Comparison::Right { better: Some(new) } =
            dear.compare(password("secret"), Some(&old)).await.unwrap()
        else {
            panic!("a better hash");
        };
        assert!(new.contains("m=20480"), "{new}");
        let kept = cheap.compare(password("secret"), Some(&new)).await.unwrap();
        assert_eq!(kept, Comparison::Right { better: None });
    }

    #[tokio::test]
    async fn a_flood_is_refused_quickly() {
        let hasher = Hasher::new(HashCost::OWASP_MINIMUM).unwrap();
        let cores = hasher.cores.available_permits();
        let flood = (0..cores + MAX_WAITING + 5).map(|_| hasher.compare(password("x"), None));
        let refused = futures::future::join_all(flood).await.into_iter().filter(Result::is_err).count();
        // A core that becomes free in the meantime takes one more.
        assert!((1..=5).contains(&refused), "{refused}");
    }

    #[test]
    fn only_bearable_argon2_hashes_are_taken_over() {
        let of_memory = |memory: u32| {
            format!(
                "$argon2id$v=19$m={memory},t=2,p=1$c29tZXNhbHQ$R1Gd7VQ/c8FzTKYNkvnDSWM7oXbLQDVQ1OEhfSMfQLs"
            )
        };
        assert!(is_usable(&of_memory(19_456)));
        assert!(!is_usable(&of_memory(4_000_000)));
        for hash in ["", "plain", "$2y$10$abc", "$argon2id$v=19$m=19456,t=2,p=1"] {
            assert!(!is_usable(hash), "{hash}");
        }
    }
}
