//! Runs once after startup: writes the settings that the database enforces, and re-encrypts the secrets of
//! second factors after a change of `JWT_SECRET`.

use std::time::Duration;

use platform::database::Pool;
use uuid::Uuid;

use crate::config::Config;
use crate::domain::factor_keys::FactorKeys;
use crate::service;
use crate::store::factors;
use crate::store::settings::{self, Settings};

const RETRY: Duration = Duration::from_secs(60);

/// Retries until it succeeds.
pub async fn run(config: Config) {
    while let Err(error) = prepare(&config).await {
        tracing::warn!(%error, "the settings can't be written to the database; retrying in a minute");
        tokio::time::sleep(RETRY).await;
    }
}

/// # Errors
/// Fails when the database can't be written.
pub async fn prepare(config: &Config) -> sqlx::Result<()> {
    // Separate from the pool for requests, which it would share only until it is done.
    let pool = &service::database(config, "auth-service preparation").pool(1);
    let settings = Settings {
        admin_mfa_required: config.admin_mfa_required,
        session_time_box: config.session_limits.time_box,
        session_inactivity_timeout: config.session_limits.inactivity_timeout,
    };
    settings::write(&mut *pool.acquire().await?, &settings).await?;
    let keys = FactorKeys::new(config.jwt.secret(), config.jwt.previous_secrets());
    encrypt_again(pool, &keys).await
}

/// Skips secrets that no known key can decrypt.
async fn encrypt_again(pool: &Pool, keys: &FactorKeys) -> sqlx::Result<()> {
    let (mut after, mut unreadable) = (Uuid::nil(), 0_usize);
    loop {
        let mut connection = pool.acquire().await?;
        let older = factors::of_other_keys(&mut connection, keys.id(), after).await?;
        let Some((last, _)) = older.last() else { break };
        after = *last;
        for (id, stored) in older {
            match keys.decrypt(id, &stored) {
                Some(secret) => {
                    factors::set_secret(&mut connection, id, &keys.encrypt(id, &secret), keys.id()).await?;
                }
                None => unreadable += 1,
            }
        }
    }
    if unreadable > 0 {
        tracing::warn!(
            unreadable,
            "second factors were encrypted with a JWT_SECRET that is not among JWT_PREVIOUS_SECRETS: their owners need a recovery code or a reset"
        );
    }
    Ok(())
}
