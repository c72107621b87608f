//! Tables, through the gateway: who holds which role.

use std::time::Duration;

use platform::secret::Secret;
use postgrest::Postgrest;
use serde::Deserialize;
use uuid::Uuid;

use crate::config::Config;
use crate::error::{FunctionError, Result};

pub struct Gateway {
    client: Postgrest,
    service_key: Secret,
    /// The client has no timeout of its own.
    timeout: Duration,
}

#[derive(Deserialize)]
struct RoleRow {
    role: String,
}

impl Gateway {
    pub fn new(config: &Config) -> Self {
        Self {
            client: Postgrest::new(&config.rest_url).insert_header("apikey", config.anon_key.expose()),
            service_key: config.service_key.clone(),
            timeout: config.call_timeout,
        }
    }

    /// The roles that this account may see of itself, asked in its own name: the database's policies
    /// decide, and a role taken away a moment ago is gone.
    pub async fn own_roles(&self, account: Uuid, token: &str) -> Result<Vec<String>> {
        self.roles(account, token).await
    }

    /// The roles the account has.
    pub async fn roles_of(&self, account: Uuid) -> Result<Vec<String>> {
        self.roles(account, self.service_key.expose()).await
    }

    async fn roles(&self, account: Uuid, token: &str) -> Result<Vec<String>> {
        let query =
            self.client.from("user_roles").auth(token).select("role").eq("user_id", account.to_string());
        let answer = tokio::time::timeout(self.timeout, async {
            query.execute().await?.error_for_status()?.json::<Vec<RoleRow>>().await
        });
        match answer.await {
            Ok(Ok(rows)) => Ok(rows.into_iter().map(|row| row.role).collect()),
            Ok(Err(error)) => Err(FunctionError::unavailable(&error.without_url())),
            Err(_) => Err(FunctionError::unavailable(&"the gateway did not answer in time")),
        }
    }
}
