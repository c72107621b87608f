//! The secrets one start works with: the token secret, the two public roles' keys, the logins' passwords.

use hmac::{Hmac, Mac};
use platform::clock::Clock;
use platform::env::Env;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use sha2::Sha256;

use crate::data_dir::DataDir;

pub struct Keys {
    pub jwt: JwtKeys,
    pub anon: String,
    pub service_role: String,
}

impl Keys {
    /// `JWT_SECRET`, or the one kept in the data directory; made there the first time.
    ///
    /// # Errors
    /// When the secret is too short or can't be kept.
    pub fn load(env: &Env, data_dir: &DataDir) -> anyhow::Result<Self> {
        let secret = match env.optional("JWT_SECRET") {
            Some(given) => Secret::new(given),
            None => data_dir.secret("jwt-secret")?,
        };
        Self::of_secret(secret)
    }

    /// # Errors
    /// When the secret is too short.
    pub fn of_secret(secret: Secret) -> anyhow::Result<Self> {
        let jwt = JwtKeys::from_secret(secret)?;
        let clock = Clock::system();
        Ok(Self {
            anon: jwt.role_key("anon", &clock)?,
            service_role: jwt.role_key("service_role", &clock)?,
            jwt,
        })
    }

    /// The password of a login role, derived so that it need not be kept anywhere.
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    pub fn login_password(&self, role: &str) -> Secret {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.jwt.secret().expose().as_bytes())
            .expect("any key length fits");
        mac.update(b"database login ");
        mac.update(role.as_bytes());
        Secret::new(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

/// `serasi keys`: the two roles' tokens for services that run apart.
///
/// # Errors
/// When `JWT_SECRET` is absent or too short.
pub fn run(env: &Env) -> anyhow::Result<()> {
    let keys = Keys::of_secret(Secret::new(env.required("JWT_SECRET")?))?;
    println!("ANON_KEY={}", keys.anon);
    println!("SERVICE_ROLE_KEY={}", keys.service_role);
    Ok(())
}
