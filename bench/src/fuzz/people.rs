//! An account for each role, with sessions, links and files, created through the services like a client would.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use futures::future::try_join_all;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use reqwest::Method;
use serde_json::{Value, json};

use super::ground::Ground;
use super::request::Caller;
use crate::product::{self, Product};

pub const PASSWORD: &str = "Fuzz-password-1";

#[derive(Debug, Clone)]
pub struct Person {
    pub caller: Caller,
    pub id: String,
    pub email: String,
}

/// The role, the table of the profile, and what an operator changes in it.
const PEOPLE: [(Caller, &str, &str, &str); 9] = [
    (Caller::NoRole, "", "", ""),
    (Caller::Unapproved, "influencer", "influencers", ""),
    (Caller::Approved, "influencer", "influencers", r#"{"approved": true}"#),
    (Caller::Verified, "influencer", "influencers", r#"{"approved": true, "badge_type": "blue"}"#),
    (Caller::Agency, "agency", "agencies", ""),
    (Caller::Vendor, "vendor", "vendors", ""),
    (Caller::Admin, "admin", "", ""),
    (Caller::Superadmin, "superadmin", "", ""),
    (Caller::Leaver, "influencer", "influencers", ""),
];
const LINKS: usize = 12;

/// # Errors
/// When an account can't be created or can't sign in.
pub async fn prepare(ground: &mut Ground, product: &Product) -> anyhow::Result<()> {
    let people = PEOPLE.iter().map(|(caller, role, table, change)| {
        account(product, *caller, role, table, change, format!("fuzz-{caller:?}@serasi.test").to_lowercase())
    });
    for (person, session) in try_join_all(people).await? {
        let text = |name: &str| session[name].as_str().map(str::to_owned).context("a session");
        ground.tokens.insert(person.caller, text("access_token")?);
        if person.caller == Caller::Leaver {
            ground.add("refresh_token", text("refresh_token")?);
            ground.add("own_email", &person.email);
        }
        ground.people.push(person);
    }
    ground.tokens.extend(made_up_tokens(product, ground)?);
    let path = "/rest/v1/profiles?select=id,email&id=gte.5e7b0000-0000-4000-8000-000000000000\
                &id=lt.5e7c0000-0000-4000-8000-000000000000&order=id&limit=200";
    for row in product.send(Method::GET, path, &Value::Null).await?.as_array().into_iter().flatten() {
        ground.add("id", row["id"].as_str().context("an id")?);
        ground.add("email", row["email"].as_str().context("an address")?);
    }
    // Links of accounts used only for this: earlier requests may have changed the address of others.
    for number in 0..LINKS {
        let email = format!("fuzz-link{number}@serasi.test");
        product
            .send(Method::POST, "/auth/v1/admin/users", &json!({ "email": email, "email_confirm": true }))
            .await?;
        let kind = if number.is_multiple_of(2) { "magiclink" } else { "recovery" };
        let wanted = json!({ "type": kind, "email": email });
        let made =
            product.send(Method::POST, "/auth/v1/admin/generate_link", &wanted).await.context("links")?;
        ground.add("fresh_token_hash", made["hashed_token"].as_str().context("a link")?);
    }
    files(ground, product).await.context("files")
}

/// Creates an account with a profile and signs in.
async fn account(
    product: &Product,
    caller: Caller,
    role: &str,
    table: &str,
    change: &str,
    email: String,
) -> anyhow::Result<(Person, Value)> {
    let is_staff = matches!(role, "admin" | "superadmin");
    let (staff, user) = (json!({ "marketplace_role": role }), json!({ "user_type": role }));
    let account = json!({
        "email": email, "password": PASSWORD, "email_confirm": true,
        "app_metadata": if is_staff { staff } else { json!({}) },
        "user_metadata": if is_staff || role.is_empty() { json!({}) } else { user },
    });
    let user = product.send(Method::POST, "/auth/v1/admin/users", &account).await?;
    let id = user["id"].as_str().context("an id")?.to_owned();
    if !table.is_empty() {
        let mut row = json!({ "user_id": id, "name": "Fuzz" });
        if table == "influencers" {
            (row["username"], row["category"]) = (format!("fuzz{}", &id[..8]).into(), "Travel".into());
        } else {
            row["email"] = email.clone().into();
        }
        product.send(Method::POST, &format!("/rest/v1/{table}"), &row).await.context("profiles")?;
    }
    if !change.is_empty() {
        let path = format!("/rest/v1/{table}?user_id=eq.{id}");
        product.send(Method::PATCH, &path, &serde_json::from_str(change)?).await?;
    }
    let credentials = json!({ "email": email, "password": PASSWORD });
    let session = product.send(Method::POST, "/auth/v1/token?grant_type=password", &credentials).await?;
    Ok((Person { caller, id, email }, session))
}

/// Tokens that no service issues. The services have to reject some of them.
fn made_up_tokens(product: &Product, ground: &Ground) -> anyhow::Result<Vec<(Caller, String)>> {
    let keys = product.keys()?;
    let others = JwtKeys::from_secret(Secret::new("a different secret with enough bytes".to_owned()))?;
    let id = ground.person(Caller::Superadmin).map(|person| person.id.clone()).unwrap_or_default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let claims =
        |role: &str, exp: u64| json!({ "sub": id, "role": role, "aud": "authenticated", "exp": exp });
    // The header of an unsigned token, and a superadmin's claims.
    let signed = keys.sign(&claims("authenticated", now + 3600))?;
    let payload = signed.split('.').nth(1).unwrap_or_default();
    Ok(vec![
        (Caller::Visitor, product.anon_key.clone()),
        (Caller::Service, product.service_role_key.clone()),
        (Caller::Expired, keys.sign(&claims("authenticated", now - 3600))?),
        (Caller::Forged, others.sign(&claims("service_role", now + 3600))?),
        (Caller::Unsigned, format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.")),
        (Caller::UnknownRole, keys.sign(&claims("postgres", now + 3600))?),
        (Caller::Garbage, "a.b\"c.%00".to_owned()),
    ])
}

async fn files(ground: &mut Ground, product: &Product) -> anyhow::Result<()> {
    let id = ground.person(Caller::Approved).map(|person| person.id.clone()).unwrap_or_default();
    let bucket = json!({ "name": "fuzz-private", "public": false });
    product.send(Method::POST, "/storage/v1/bucket", &bucket).await?;
    for picture in ground.pictures.clone() {
        for path in [format!("images/{id}/{}", picture.name), format!("fuzz-private/{}", picture.name)] {
            let request = product.as_service(Method::POST, &format!("/storage/v1/object/{path}"));
            let request = request.header("x-upsert", "true").header("content-type", picture.mime_type);
            product::body(request.body(picture.bytes.clone())).await.context("an upload")?;
            let sign = format!("/storage/v1/object/sign/{path}");
            let signed = product.send(Method::POST, &sign, &json!({ "expiresIn": 3600 })).await?;
            ground.add("signed", signed["signedURL"].as_str().context("a signed URL")?);
            ground.add("stored", path);
        }
    }
    Ok(())
}
