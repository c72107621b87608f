//! Security events for operators: a log line (target `security`) for each attempt to create an admin, with
//! the same fields as the auth service's. Never contains secrets or e-mail addresses.

use std::net::IpAddr;

use axum::http::StatusCode;
use platform::log_limit::LogLimit;
use tracing::field::display;
use uuid::Uuid;

const ENDPOINT: &str = "create-admin";

/// The account and client that made the attempt.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    /// `None` when the token names no account.
    pub actor: Option<Uuid>,
    pub client: Option<IpAddr>,
}

impl Attempt {
    /// The caller is not a superadmin. Anyone can cause this any number of times, so only the first lines are
    /// logged.
    pub fn denied(self, limit: &LogLimit) {
        if !limit.allows(self.client) {
            return;
        }
        let (actor, client) = (self.actor.map(display), self.client.map(display));
        tracing::info!(target: "security", event = "access_denied", actor, client, by = ENDPOINT);
    }

    pub fn failed(self, status: StatusCode) {
        let (actor, client) = (self.actor.map(display), self.client.map(display));
        let status = status.as_u16();
        tracing::info!(target: "security", event = "admin_not_created", actor, client, by = ENDPOINT, status);
    }

    pub fn created(self, user: Uuid, role: &str) {
        let (user, actor, client) = (display(user), self.actor.map(display), self.client.map(display));
        tracing::info!(target: "security", event = "admin_created", user, actor, client, by = ENDPOINT, role);
    }
}
