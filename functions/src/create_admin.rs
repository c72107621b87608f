//! `POST /create-admin`: lets a superadmin create an admin or another superadmin.
//!
//! The account and its role are created in one database transaction. We verify the role afterwards, and
//! delete the account if it is missing.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use platform::http::origin;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::body::JsonObject;
use crate::error::{FunctionError, Result};
use crate::security_event::Attempt;
use crate::state::{Functions, Shared};
use crate::token::Bearer;

const MIN_PASSWORD_CHARACTERS: usize = 6;
const MAX_EMAIL_BYTES: usize = 254;

#[derive(Debug, Serialize)]
pub struct Answer {
    user: CreatedUser,
    role: AdminRole,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum AdminRole {
    Admin,
    Superadmin,
}

impl AdminRole {
    fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Superadmin => "superadmin",
        }
    }

    fn is_among(self, roles: &[String]) -> bool {
        roles.iter().any(|role| role == self.as_str())
    }
}

#[derive(Debug, Serialize)]
struct CreatedUser {
    id: Uuid,
    email: String,
}

/// Authorizes the caller before reading the body, so that others learn nothing about the expected body.
pub async fn post(State(functions): State<Shared>, caller: Bearer, request: Request) -> Result<Json<Answer>> {
    let attempt = Attempt {
        actor: caller.claims.text("sub").and_then(|sub| Uuid::parse_str(sub).ok()),
        client: origin::of(request.extensions(), request.headers(), &functions.config.trusted_proxies),
    };
    let superadmin = authorize(&functions, &caller).await.inspect_err(|error| {
        if error.status.is_client_error() {
            attempt.denied(&functions.denials_logged);
        } else {
            attempt.failed(error.status);
        }
    })?;
    let made = create(&functions, superadmin, request).await;
    match &made {
        Ok(answer) => attempt.created(answer.user.id, answer.role.as_str()),
        Err(error) => attempt.failed(error.status),
    }
    made.map(Json)
}

async fn create(functions: &Functions, superadmin: Uuid, request: Request) -> Result<Answer> {
    let JsonObject(body) = JsonObject::read(request, functions.config.body_timeout).await?;
    let wanted = NewAdmin::parse(&body)?;
    let account =
        functions.auth.create(wanted.email, wanted.password, wanted.role.as_str(), superadmin).await?;
    confirm_role(functions, account.id, wanted.role).await?;
    Ok(Answer { user: CreatedUser { id: account.id, email: account.email }, role: wanted.role })
}

/// This function has no subpaths.
pub async fn no_such_path(_: Bearer) -> FunctionError {
    FunctionError::new(StatusCode::NOT_FOUND, "create-admin has no such path")
}

/// The caller's account, if it is currently a superadmin. Roles in the token are ignored.
async fn authorize(functions: &Functions, caller: &Bearer) -> Result<Uuid> {
    let forbidden = || FunctionError::new(StatusCode::FORBIDDEN, "Only super admins can create admin users");
    match caller.claims.role() {
        Some("authenticated") => {}
        Some("service_role") => return Err(forbidden()),
        _ => return Err(FunctionError::unauthorized("Please sign in")),
    }
    let account = functions.auth.account_of(&caller.token).await?;
    let roles = functions.gateway.own_roles(account.id, &caller.token).await?;
    if !AdminRole::Superadmin.is_among(&roles) {
        return Err(forbidden());
    }
    if !functions.gateway.may_act_as_staff(&caller.token).await? {
        let needed = "Use your second factor to sign in, then try again";
        return Err(FunctionError::new(StatusCode::FORBIDDEN, needed));
    }
    Ok(account.id)
}

#[derive(Debug, PartialEq)]
struct NewAdmin<'a> {
    email: &'a str,
    password: &'a str,
    role: AdminRole,
}

impl<'a> NewAdmin<'a> {
    /// Only these three members are used; an identity in the body has no effect.
    fn parse(body: &'a Map<String, Value>) -> Result<Self> {
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
        let (email, password) = (text("email").trim(), text("password"));
        if email.is_empty() || password.is_empty() {
            return Err(FunctionError::bad_request("Email and password are required"));
        }
        if !looks_like_an_email(email) {
            return Err(FunctionError::bad_request("Please enter a valid email address"));
        }
        if password.chars().count() < MIN_PASSWORD_CHARACTERS {
            return Err(FunctionError::bad_request("Password must be at least 6 characters"));
        }
        let role = match body.get("role") {
            None | Some(Value::Null) => AdminRole::Admin,
            Some(Value::String(role)) if role == AdminRole::Admin.as_str() => AdminRole::Admin,
            Some(Value::String(role)) if role == AdminRole::Superadmin.as_str() => AdminRole::Superadmin,
            Some(_) => return Err(FunctionError::bad_request("Role must be admin or superadmin")),
        };
        Ok(Self { email, password, role })
    }
}

/// Catches typing errors early. The auth service does the full validation.
fn looks_like_an_email(email: &str) -> bool {
    let Some((local, domain)) = email.rsplit_once('@') else { return false };
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    email.len() <= MAX_EMAIL_BYTES && plain(local) && plain(domain)
}

/// Deletes an account that did not get the requested role.
async fn confirm_role(functions: &Functions, account: Uuid, role: AdminRole) -> Result<()> {
    let cause = match functions.gateway.roles_of(account).await {
        Ok(roles) if role.is_among(&roles) => return Ok(()),
        Ok(_) => FunctionError::internal(&format!("account {account} was created without its role")),
        Err(error) => error,
    };
    functions.auth.delete(account).await?;
    Err(cause)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(body: Value) -> StatusCode {
        NewAdmin::parse(body.as_object().unwrap()).unwrap_err().status
    }

    #[test]
    fn the_default_role_is_admin() {
        let body =
            json!({ "email": " a@b.co ", "password": "123456", "user_id": "x", "is_superadmin": true });
        let wanted = NewAdmin::parse(body.as_object().unwrap()).unwrap();
        assert_eq!(wanted, NewAdmin { email: "a@b.co", password: "123456", role: AdminRole::Admin });
    }

    #[test]
    fn incomplete_and_malformed_bodies_are_rejected() {
        for body in [
            json!({}),
            json!({ "email": "a@b.co" }),
            json!({ "email": "a@b.co", "password": "12345" }),
            json!({ "email": "a@b.co", "password": 123_456 }),
            json!({ "email": "ab.co", "password": "123456" }),
            json!({ "email": "a@b.co\r\nBcc: x@y.z", "password": "123456" }),
            json!({ "email": ["a@b.co"], "password": "123456" }),
        ] {
            assert_eq!(refusal(body), StatusCode::BAD_REQUEST);
        }
        for role in
            [json!("influencer"), json!("root"), json!(""), json!(["admin"]), json!("Admin"), json!(1)]
        {
            assert_eq!(
                refusal(json!({ "email": "a@b.co", "password": "123456", "role": role })),
                StatusCode::BAD_REQUEST
            );
        }
    }
}
