//! Table access through the gateway: the roles of accounts.

use platform::secret::Secret;
use reqwest::Client;
use serde::Deserialize;
use uuid::Uuid;

use crate::config::Config;
use crate::error::{FunctionError, Result};

pub struct Gateway {
    url: String,
    anon_key: Secret,
    service_key: Secret,
    http: Client,
}

#[derive(Deserialize)]
struct RoleRow {
    role: String,
}

impl Gateway {
    pub fn new(config: &Config, http: Client) -> Self {
        Self {
            url: config.rest_url.clone(),
            anon_key: config.anon_key.clone(),
            service_key: config.service_key.clone(),
            http,
        }
    }

    /// The account's roles, queried with its own token: the database's policies decide, and a role revoked a
    /// moment ago is gone.
    pub async fn own_roles(&self, account: Uuid, token: &str) -> Result<Vec<String>> {
        self.roles(account, token).await
    }

    /// The roles of any account, queried with the service key.
    pub async fn roles_of(&self, account: Uuid) -> Result<Vec<String>> {
        self.roles(account, self.service_key.expose()).await
    }

    async fn roles(&self, account: Uuid, token: &str) -> Result<Vec<String>> {
        let query = [("select", "role".to_owned()), ("user_id", format!("eq.{account}"))];
        let request = self.http.get(format!("{}/user_roles", self.url)).query(&query);
        let request = request.header("apikey", self.anon_key.expose()).bearer_auth(token);
        let answer = async { request.send().await?.error_for_status()?.json::<Vec<RoleRow>>().await };
        match answer.await {
            Ok(rows) => Ok(rows.into_iter().map(|row| row.role).collect()),
            Err(error) => Err(FunctionError::unavailable(&error.without_url())),
        }
    }
}
