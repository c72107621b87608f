//! Settings of the roles that requests can assume.

use std::collections::HashMap;

use tokio_postgres::Client;

#[derive(Debug, Default, Clone)]
pub struct RoleSettings {
    /// Names and values, by role.
    pub settings: HashMap<String, Vec<(String, String)>>,
    pub isolation: HashMap<String, String>,
}

/// # Errors
/// When the query fails.
pub async fn load(client: &Client) -> Result<RoleSettings, tokio_postgres::Error> {
    let mut roles = RoleSettings::default();
    for row in client.query(include_str!("role_settings.sql"), &[]).await? {
        let (role, name, value): (String, String, String) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if name == "default_transaction_isolation" {
            roles.isolation.insert(role, value);
        } else {
            roles.settings.entry(role).or_default().push((name, value));
        }
    }
    Ok(roles)
}
