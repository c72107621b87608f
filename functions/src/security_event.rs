//! What operators watch: a line of the log (target `security`) for each attempt to make an admin, in the words
//! of the auth service's lines. Nothing that opens anything is ever handed in here, and no address.

use std::net::IpAddr;

use axum::http::StatusCode;
use tracing::field::display;
use uuid::Uuid;

const DOOR: &str = "create-admin";

/// Who tries, and from where.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    /// Absent when the token names no account.
    pub actor: Option<Uuid>,
    pub client: Option<IpAddr>,
}

impl Attempt {
    /// By somebody who may make nobody.
    pub fn denied(self) {
        let (actor, client) = (self.actor.map(display), self.client.map(display));
        tracing::info!(target: "security", event = "access_denied", actor, client, by = DOOR);
    }

    pub fn failed(self, status: StatusCode) {
        let (actor, client) = (self.actor.map(display), self.client.map(display));
        let status = status.as_u16();
        tracing::info!(target: "security", event = "admin_not_created", actor, client, by = DOOR, status);
    }

    pub fn created(self, user: Uuid, role: &str) {
        let (user, actor, client) = (display(user), self.actor.map(display), self.client.map(display));
        tracing::info!(target: "security", event = "admin_created", user, actor, client, by = DOOR, role);
    }
}
