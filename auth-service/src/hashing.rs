//! Password hashing: argon2id, on a bounded number of threads.
//!
//! A hash costs tens of milliseconds and 19 MiB by design. One hash runs per core, a few wait in a queue, and
//! any more are rejected immediately: a flood of sign-ins must not starve other work.

mod bcrypt_hash;
mod pool;
mod workbench;

use argon2::password_hash::phc::{self, PasswordHash};
use argon2::{Algorithm, Params};

use crate::client::Client;
pub use crate::domain::hash_cost::HashCost;
use crate::domain::password::Password;
use crate::error::{AuthError, Result};
use crate::security_event::{About, SecurityEvent};
pub use pool::Permit;
use pool::Pool;
pub use workbench::Workbench;

const RETRY_AFTER_SECONDS: u64 = 1;

/// The result of comparing a password with a stored hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    Wrong,
    /// `better`: a new hash of the password, when the stored hash is cheaper than today's cost or of another
    /// kind.
    Right {
        better: Option<String>,
    },
}

/// The stored hash is malformed, or its cost is too high.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    #[error(transparent)]
    Argon2(#[from] argon2::Error),
    #[error(transparent)]
    Malformed(#[from] phc::Error),
    #[error(transparent)]
    Stored(#[from] argon2::password_hash::Error),
    #[error(transparent)]
    Bcrypt(#[from] bcrypt::BcryptError),
}

impl From<HashError> for AuthError {
    fn from(error: HashError) -> Self {
        Self::internal(&error)
    }
}

impl From<pool::Unfinished> for AuthError {
    fn from(error: pool::Unfinished) -> Self {
        Self::internal(&error)
    }
}

pub struct Hasher {
    cost: HashCost,
    pool: Pool,
}

impl Hasher {
    /// # Errors
    /// Fails when the system can't start threads.
    pub fn new(cost: HashCost) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self { cost, pool: Pool::start(cores)? })
    }

    /// Reserves capacity for one hash, for callers with other work to do first.
    ///
    /// # Errors
    /// 429 when the queue is full.
    pub fn permit(&self, client: &Client) -> Result<Permit> {
        self.pool.permit().ok_or_else(|| {
            SecurityEvent::HashRefused.record(About { client: client.address, ..About::default() });
            AuthError::too_many_requests(RETRY_AFTER_SECONDS)
        })
    }

    pub async fn hash(&self, password: Password, client: &Client) -> Result<String> {
        let (permit, cost) = (self.permit(client)?, self.cost);
        let job = move |workbench: &mut Workbench| workbench.hash(password.expose().as_bytes(), cost);
        Ok(self.pool.run(permit, job).await??)
    }

    /// Compares with the stored hash. Without one it does the same work and returns `Wrong`.
    pub async fn compare(
        &self,
        permit: Permit,
        password: Password,
        stored: Option<String>,
    ) -> Result<Comparison> {
        let cost = self.cost;
        let job = move |workbench: &mut Workbench| {
            workbench.compare(password.expose().as_bytes(), stored.as_deref(), cost)
        };
        Ok(self.pool.run(permit, job).await??)
    }
}

/// Whether an imported hash can be used: argon2 or bcrypt, at a cost a sign-in can afford.
pub fn is_usable(hash: &str) -> bool {
    if bcrypt_hash::parse(hash).is_some() {
        return true;
    }
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

    #[tokio::test]
    async fn a_full_queue_rejects_immediately() {
        let hasher = Hasher::new(HashCost::OWASP_MINIMUM).unwrap();
        let mut permits = Vec::new();
        let refusal = loop {
            match hasher.permit(&Client::default()) {
                Ok(permit) => permits.push(permit),
                Err(refusal) => break refusal,
            }
        };
        assert!(permits.len() > pool::MOST_WAITING);
        assert_eq!((refusal.status.as_u16(), refusal.retry_after_seconds), (429, Some(1)));
        let permit = permits.pop().unwrap();
        let password = Password::acceptable("x").unwrap();
        assert_eq!(hasher.compare(permit, password.clone(), None).await.unwrap(), Comparison::Wrong);
        assert!(
            hasher
                .hash(password, &Client::default())
                .await
                .unwrap()
                .starts_with("$argon2id$v=19$m=19456,t=2,p=1$")
        );
    }

    #[test]
    fn only_affordable_hashes_are_imported() {
        let of_memory = |memory: u32| {
            format!(
                "$argon2id$v=19$m={memory},t=2,p=1$c29tZXNhbHQ$R1Gd7VQ/c8FzTKYNkvnDSWM7oXbLQDVQ1OEhfSMfQLs"
            )
        };
        assert!(is_usable(&of_memory(19_456)) && is_usable(bcrypt_hash::tests::CHEAP_HASH));
        assert!(!is_usable(&of_memory(4_000_000)));
        for hash in ["", "plain", "$2y$10$abc", "$argon2id$v=19$m=19456,t=2,p=1"] {
            assert!(!is_usable(hash), "{hash}");
        }
    }
}
