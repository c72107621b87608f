//! The secrets of a running Serasi: the JWT secret, the keys of the two API roles, and the logins' passwords.

use clap::Args;
use hmac::{Hmac, Mac};
use platform::env::Env;
use platform::jwt::{JwtKeys, generate_signing_key};
use platform::secret::Secret;
use serde_json::json;
use sha2::Sha256;

use crate::data_dir::DataDir;

pub struct Keys {
    pub jwt: JwtKeys,
    pub anon: String,
    pub service_role: String,
}

impl Keys {
    /// Uses `JWT_SECRET`, or the secret in the data directory, which is generated on first use. There, the file
    /// `jwt-previous-secrets` replaces `JWT_PREVIOUS_SECRETS`.
    ///
    /// # Errors
    /// When a secret is too short or can't be stored, or when `JWT_SIGNING_KEYS` is invalid.
    pub fn load(env: &Env, data_dir: &DataDir) -> anyhow::Result<Self> {
        if env.optional("JWT_SECRET").is_some() {
            return Self::given(env);
        }
        let mut env = env.clone().with("JWT_SECRET", data_dir.secret("jwt-secret")?.expose());
        if let Some(previous) = data_dir.existing_secret("jwt-previous-secrets")? {
            env = env.with("JWT_PREVIOUS_SECRETS", previous.expose());
        }
        Self::given(&env)
    }

    /// `JWT_PREVIOUS_SECRETS`.
    pub fn previous_secrets(&self) -> String {
        self.jwt.previous_secrets().map(Secret::expose).collect::<Vec<_>>().join(" ")
    }

    /// Uses `JWT_SECRET` and `JWT_SIGNING_KEYS`.
    ///
    /// # Errors
    /// When one of them is missing or invalid.
    pub fn given(env: &Env) -> anyhow::Result<Self> {
        Self::of(JwtKeys::of_issuer(env)?)
    }

    /// # Errors
    /// When the secret is too short.
    pub fn of_secret(secret: Secret) -> anyhow::Result<Self> {
        Self::of(JwtKeys::from_secret(secret)?)
    }

    fn of(jwt: JwtKeys) -> anyhow::Result<Self> {
        Ok(Self { anon: jwt.role_key("anon")?, service_role: jwt.role_key("service_role")?, jwt })
    }

    /// The password of a login role. It is derived from the JWT secret, so it needs no storage.
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    pub fn login_password(&self, role: &str) -> Secret {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.jwt.secret().expose().as_bytes())
            .expect("any key length fits");
        mac.update(b"database login ");
        mac.update(role.as_bytes());
        Secret::new(format!("{:x}", mac.finalize().into_bytes()))
    }
}

#[derive(Args)]
pub struct Options {
    /// Print a new JWT_SIGNING_KEYS value instead: an ES256 key that signs account tokens
    #[arg(long)]
    new_signing_key: bool,
}

/// `serasi keys`: prints the API keys for separately deployed services, and the keys their gateway verifies
/// tokens with.
///
/// # Errors
/// When `JWT_SECRET` is missing or too short, or when `JWT_SIGNING_KEYS` is invalid.
pub fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    if options.new_signing_key {
        println!("JWT_SIGNING_KEYS='{}'", json!({ "keys": [generate_signing_key()] }));
        return Ok(());
    }
    let keys = Keys::given(env)?;
    println!("ANON_KEY={}", keys.anon);
    println!("SERVICE_ROLE_KEY={}", keys.service_role);
    println!("PGRST_JWT_SECRET='{}'", keys.jwt.verifying_keys().expose());
    Ok(())
}
