//! An account for each role, with sessions, links and files, created through the services like a client would.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, ensure};
use futures::future::try_join_all;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use serde_json::{Value, json};

use super::Ground;
use crate::fuzz::Options;
use crate::fuzz::request::Caller;

pub const PASSWORD: &str = "Fuzz-password-1";

#[derive(Debug, Clone)]
pub struct Person {
    pub caller: Caller,
    pub id: String,
    pub email: String,
}

/// The parts of an e-mail's link and code.
#[derive(Debug, Clone)]
pub struct Link {
    pub kind: String,
    pub email: String,
    pub token_hash: String,
    pub code: String,
}

const PEOPLE: [(Caller, Option<&str>); 9] = [
    (Caller::NoRole, None),
    (Caller::Unapproved, Some("influencer")),
    (Caller::Approved, Some("influencer")),
    (Caller::Verified, Some("influencer")),
    (Caller::Agency, Some("agency")),
    (Caller::Vendor, Some("vendor")),
    (Caller::Admin, Some("admin")),
    (Caller::Superadmin, Some("superadmin")),
    (Caller::Leaver, Some("influencer")),
];
const LINKS: usize = 12;

struct Api<'a> {
    http: reqwest::Client,
    options: &'a Options,
}

impl Api<'_> {
    async fn call(&self, method: &str, path: &str, token: &str, body: &Value) -> anyhow::Result<Value> {
        let method = reqwest::Method::from_bytes(method.as_bytes())?;
        let request = self.http.request(method, format!("{}{path}", self.options.url));
        let request = request.header("apikey", &self.options.anon_key).bearer_auth(token).json(body);
        let response = request.send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{path}: {status} {text}");
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    async fn as_service(&self, method: &str, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.call(method, path, &self.options.service_role_key, body).await
    }
}

/// # Errors
/// When an account can't be created or can't sign in.
pub async fn prepare(ground: &mut Ground, options: &Options) -> anyhow::Result<()> {
    let api = Api { http: reqwest::Client::new(), options };
    let round = SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros();
    let people = PEOPLE.iter().enumerate().map(|(number, (caller, role))| {
        let email = format!("fuzz-{round:x}-{number}@serasi.test");
        account(&api, *caller, *role, email)
    });
    for (person, session) in try_join_all(people).await? {
        let text = |name: &str| session[name].as_str().map(str::to_owned).context("a session");
        ground.tokens.insert(person.caller, text("access_token")?);
        if person.caller == Caller::Leaver {
            ground.refresh_tokens.push(text("refresh_token")?);
        }
        ground.people.push(person);
    }
    ground.tokens.extend(made_up_tokens(options, ground)?);
    expendable(ground, &api).await?;
    profiles(ground, &api).await.context("profiles")?;
    links(ground, &api, round).await.context("links")?;
    files(ground, &api).await.context("files")
}

async fn account(
    api: &Api<'_>,
    caller: Caller,
    role: Option<&str>,
    email: String,
) -> anyhow::Result<(Person, Value)> {
    let is_staff = matches!(role, Some("admin" | "superadmin"));
    let account = json!({
        "email": email, "password": PASSWORD, "email_confirm": true,
        "app_metadata": if is_staff { json!({ "marketplace_role": role }) } else { json!({}) },
        "user_metadata": if is_staff || role.is_none() { json!({}) } else { json!({ "user_type": role }) },
    });
    let user = api.as_service("POST", "/auth/v1/admin/users", &account).await?;
    let session = api
        .call(
            "POST",
            "/auth/v1/token?grant_type=password",
            &api.options.anon_key,
            &json!({ "email": email, "password": PASSWORD }),
        )
        .await?;
    let id = user["id"].as_str().context("an id")?.to_owned();
    Ok((Person { caller, id, email }, session))
}

/// Tokens that no service issues. The services have to reject some of them.
fn made_up_tokens(options: &Options, ground: &Ground) -> anyhow::Result<Vec<(Caller, String)>> {
    let keys = JwtKeys::from_secret(Secret::new(options.jwt_secret.clone()))?;
    let others = JwtKeys::from_secret(Secret::new("a different secret with enough bytes".to_owned()))?;
    let id = ground.person(Caller::Superadmin).map(|person| person.id.clone()).unwrap_or_default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let claims =
        |role: &str, exp: u64| json!({ "sub": id, "role": role, "aud": "authenticated", "exp": exp });
    // The header of an unsigned token, and a superadmin's claims.
    let signed = keys.sign(&claims("authenticated", now + 3600))?;
    let payload = signed.split('.').nth(1).unwrap_or_default();
    Ok(vec![
        (Caller::Visitor, options.anon_key.clone()),
        (Caller::Service, options.service_role_key.clone()),
        (Caller::Expired, keys.sign(&claims("authenticated", now - 3600))?),
        (Caller::Forged, others.sign(&claims("service_role", now + 3600))?),
        (Caller::Unsigned, format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.")),
        (Caller::UnknownRole, keys.sign(&claims("postgres", now + 3600))?),
        (Caller::Garbage, "a.b\"c.%00".to_owned()),
    ])
}

async fn expendable(ground: &mut Ground, api: &Api<'_>) -> anyhow::Result<()> {
    let path = "/rest/v1/profiles?select=id,email&id=gte.5e7b0000-0000-4000-8000-000000000000\
                &id=lt.5e7c0000-0000-4000-8000-000000000000&order=id&limit=200";
    let rows = api.as_service("GET", path, &Value::Null).await?;
    for row in rows.as_array().into_iter().flatten() {
        ground.expendable_ids.extend(row["id"].as_str().map(str::to_owned));
        ground.expendable_emails.extend(row["email"].as_str().map(str::to_owned));
    }
    Ok(())
}

async fn profiles(ground: &Ground, api: &Api<'_>) -> anyhow::Result<()> {
    for person in &ground.people {
        let (id, short) = (&person.id, &person.id[..8]);
        let (table, row) = match person.caller {
            Caller::Unapproved | Caller::Approved | Caller::Verified | Caller::Leaver => (
                "influencers",
                json!({ "user_id": id, "name": "Fuzz", "username": format!("fuzz{short}"), "category": "Travel" }),
            ),
            Caller::Agency => ("agencies", json!({ "user_id": id, "name": "Fuzz", "email": person.email })),
            Caller::Vendor => ("vendors", json!({ "user_id": id, "name": "Fuzz", "email": person.email })),
            _ => continue,
        };
        api.as_service("POST", &format!("/rest/v1/{table}"), &row).await?;
        let change = match person.caller {
            Caller::Approved => json!({ "approved": true }),
            Caller::Verified => json!({ "approved": true, "badge_type": "blue" }),
            _ => continue,
        };
        api.as_service("PATCH", &format!("/rest/v1/{table}?user_id=eq.{id}"), &change).await?;
    }
    Ok(())
}

/// Links of accounts used only for this: earlier requests may have changed the address of others.
async fn links(ground: &mut Ground, api: &Api<'_>, round: u128) -> anyhow::Result<()> {
    for number in 0..LINKS {
        let email = format!("fuzz-{round:x}-link{number}@serasi.test");
        let account = json!({ "email": email, "email_confirm": true });
        api.as_service("POST", "/auth/v1/admin/users", &account).await?;
        let kind = ["magiclink", "recovery"][number % 2];
        let made = api
            .as_service("POST", "/auth/v1/admin/generate_link", &json!({ "type": kind, "email": email }))
            .await?;
        let text = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
        ground.links.push(Link {
            kind: kind.to_owned(),
            email: email.clone(),
            token_hash: text("hashed_token"),
            code: text("email_otp"),
        });
    }
    Ok(())
}

async fn files(ground: &mut Ground, api: &Api<'_>) -> anyhow::Result<()> {
    let id = ground.person(Caller::Approved).map(|person| person.id.clone()).unwrap_or_default();
    let buckets = json!({ "name": "fuzz-private", "public": false });
    // A bucket from an earlier round can be reused.
    let _ = api.as_service("POST", "/storage/v1/bucket", &buckets).await;
    for picture in &ground.pictures {
        for (bucket, key) in
            [("images", format!("{id}/{}", picture.name)), ("fuzz-private", picture.name.to_owned())]
        {
            let response = api
                .http
                .post(format!("{}/storage/v1/object/{bucket}/{key}", api.options.url))
                .bearer_auth(&api.options.service_role_key)
                .header("content-type", picture.mime_type)
                .header("x-upsert", "true")
                .body(picture.bytes.clone())
                .send()
                .await?;
            ensure!(response.status().is_success(), "{key}: {}", response.text().await?);
            let path = format!("/storage/v1/object/sign/{bucket}/{key}");
            let signed = api.as_service("POST", &path, &json!({ "expiresIn": 3600 })).await?;
            ground.signed.extend(signed["signedURL"].as_str().map(str::to_owned));
            ground.objects.push(format!("{bucket}/{key}"));
        }
    }
    Ok(())
}
