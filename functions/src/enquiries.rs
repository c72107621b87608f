//! `POST /enquiries`: sends a brief to one or more influencers, for an account or a guest. This checks the sender's token
//! and the types of the fields. `public.send_enquiries` decides everything else, in one transaction.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use platform::http::origin;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::body::JsonObject;
use crate::error::{FunctionError, Result};
use crate::state::{Functions, Shared};
use crate::token::Bearer;

pub async fn post(
    State(functions): State<Shared>,
    caller: Bearer,
    request: Request,
) -> Result<(StatusCode, Json<Value>)> {
    let sender = sender(&functions, &caller).await?;
    let client = origin::of(request.extensions(), request.headers(), &functions.config.trusted_proxies);
    let JsonObject(body) = JsonObject::read(request, functions.config.body_timeout).await?;
    let mut arguments = arguments(&body)?;
    arguments.insert("sender".to_owned(), json!(sender));
    arguments.insert("client".to_owned(), json!(client));
    let sent = functions.gateway.send_enquiries(&Value::Object(arguments)).await?;
    Ok((StatusCode::CREATED, Json(sent)))
}

/// The account behind the token; `None` for a guest, who sends with the public key.
async fn sender(functions: &Functions, caller: &Bearer) -> Result<Option<Uuid>> {
    match caller.claims.role() {
        Some("anon") => Ok(None),
        Some("authenticated") => Ok(Some(functions.auth.account_of(&caller.token).await?.id)),
        _ => Err(FunctionError::new(StatusCode::FORBIDDEN, "This key can't send enquiries")),
    }
}

/// The arguments of `public.send_enquiries` from a body. Other members are ignored.
fn arguments(body: &Map<String, Value>) -> Result<Map<String, Value>> {
    let mut arguments = Map::new();
    arguments.insert("influencer_ids".to_owned(), json!(influencer_ids(body)?));
    for name in ["deliverables", "message", "starts_on", "ends_on", "name", "company", "email"] {
        arguments.insert(name.to_owned(), text(body, name)?);
    }
    for name in ["budget_from", "budget_to"] {
        arguments.insert(name.to_owned(), ringgit(body, name)?);
    }
    Ok(arguments)
}

fn influencer_ids(body: &Map<String, Value>) -> Result<Vec<Uuid>> {
    let problem = || FunctionError::bad_request("influencer_ids must be a list of 1 to 10 profile ids");
    let ids = body.get("influencer_ids").and_then(Value::as_array).ok_or_else(problem)?;
    if ids.len() > 10 {
        return Err(problem());
    }
    ids.iter().map(|id| id.as_str().and_then(|id| Uuid::parse_str(id).ok()).ok_or_else(problem)).collect()
}

/// A text or date, or null if it is missing or empty.
fn text(body: &Map<String, Value>, name: &str) -> Result<Value> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(Value::Null),
        Some(Value::String(text)) if text.contains('\0') => {
            Err(FunctionError::bad_request(format!("{name} has a character that can't be stored")))
        }
        Some(Value::String(text)) if text.is_empty() => Ok(Value::Null),
        Some(Value::String(text)) if name.ends_with("_on") && !is_date(text) => {
            Err(FunctionError::bad_request("Enter dates as year-month-day, such as 2026-08-31"))
        }
        Some(Value::String(text)) => Ok(json!(text)),
        Some(_) => Err(FunctionError::bad_request(format!("{name} must be a text"))),
    }
}

/// PostgreSQL would also accept words such as `infinity`.
fn is_date(text: &str) -> bool {
    let separator = |place: usize| matches!(place, 4 | 7);
    text.len() == 10
        && text.bytes().enumerate().all(
            |(place, byte)| {
                if separator(place) { byte == b'-' } else { byte.is_ascii_digit() }
            },
        )
}

fn ringgit(body: &Map<String, Value>, name: &str) -> Result<Value> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(Value::Null),
        Some(amount) => amount
            .as_i64()
            .and_then(|amount| i32::try_from(amount).ok())
            .map(|amount| json!(amount))
            .ok_or_else(|| FunctionError::bad_request(format!("{name} must be a whole number of ringgit"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &Value) -> Result<Map<String, Value>> {
        arguments(body.as_object().unwrap())
    }

    #[test]
    fn only_known_members_are_passed_on() {
        let id = Uuid::nil();
        let body = json!({
            "influencer_ids": [id], "deliverables": "A reel", "message": "Hello", "budget_from": 500,
            "starts_on": "2026-08-31", "ends_on": "", "sender": id, "client": "203.0.113.1", "state": "open",
        });

        let arguments = parsed(&body).unwrap();

        let expected = json!({
            "influencer_ids": [id], "deliverables": "A reel", "message": "Hello", "budget_from": 500,
            "budget_to": null, "starts_on": "2026-08-31", "ends_on": null, "name": null, "company": null,
            "email": null,
        });
        assert_eq!(Value::Object(arguments), expected);
    }

    #[test]
    fn values_of_another_type_are_rejected() {
        let eleven = vec![Uuid::nil(); 11];
        for (name, value) in [
            ("influencer_ids", Value::Null),
            ("influencer_ids", json!("x")),
            ("influencer_ids", json!(["x"])),
            ("influencer_ids", json!([1])),
            ("influencer_ids", json!(eleven)),
            ("message", json!(1)),
            ("message", json!("a\0b")),
            ("deliverables", json!(["A reel"])),
            ("budget_from", json!("500")),
            ("budget_from", json!(1.5)),
            ("budget_to", json!(3_000_000_000_i64)),
            ("starts_on", json!("tomorrow")),
            ("ends_on", json!("2026-8-31")),
            ("email", json!({})),
        ] {
            let mut body = json!({ "influencer_ids": [Uuid::nil()] });
            body[name] = value.clone();
            let refused = parsed(&body).unwrap_err();
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{name} {value}");
        }
    }
}
