//! The test accounts: those of `db/tests/000_helpers.sql`, signed in through the auth service, and bearers
//! of invalid tokens.

use std::collections::HashMap;

use platform::claims::Claims;
use platform::clock::Clock;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use reqwest::Client;
use serde_json::json;
use sqlx::Executor;
use sqlx::postgres::PgConnection;

use crate::call::{Answer, Call};
use crate::server::Server;

pub const PASSWORD: &str = "correct horse";
/// The services allow a clock skew of 30 seconds.
const LONG_PAST: i64 = 32;
const JUST_PAST: i64 = 25;

/// The ids and tokens of a test account.
#[derive(Debug, Clone, Default)]
pub struct Person {
    pub id: String,
    pub email: String,
    pub token: String,
    pub refresh_token: String,
    /// The refresh token of a second session.
    pub other_refresh_token: String,
    /// The token is invalid; the other fields belong to another account.
    pub is_worthless: bool,
}

pub struct People {
    named: HashMap<String, Person>,
    jwt: JwtKeys,
}

impl People {
    /// Creates the accounts with SQL, sets their passwords and signs them in over HTTP.
    pub async fn cast(server: &Server, http: &Client, rows: &mut PgConnection) -> Self {
        let helpers = include_str!("../../../db/tests/000_helpers.sql");
        rows.execute("set check_function_bodies = off").await.unwrap();
        rows.execute(helpers).await.unwrap();
        rows.execute("select tests.people()").await.unwrap();
        let accounts: Vec<(String, String)> =
            sqlx::query_as("select id::text, email from auth.users").fetch_all(rows).await.unwrap();
        let mut people = HashMap::new();
        for (id, email) in accounts {
            let name = email.split('@').next().unwrap().replace('.', " ");
            let person = Person { id, email, ..Person::default() };
            people.insert(name, signed_in(server, http, person).await);
        }
        let mut key = |name: &str, token: String| {
            people.insert(name.to_owned(), Person { token, ..Person::default() });
        };
        key("visitor", server.anon_key.clone());
        key("service", server.service_key.clone());
        key("nobody", String::new());
        let jwt = JwtKeys::from_secret(Secret::new(server.jwt_secret.as_str())).unwrap();
        people.extend(worthless(&jwt, &people));
        Self { named: people, jwt }
    }

    pub fn named(&self, name: &str) -> &Person {
        self.named.get(name).unwrap_or_else(|| panic!("nobody is called `{name}`"))
    }

    fn claims(&self, name: &str) -> Claims {
        self.jwt.verify(&self.named(name).token).unwrap()
    }

    /// Accounts that signed up, without the bearers of invalid tokens.
    pub fn with_accounts(&self) -> impl Iterator<Item = &Person> {
        self.named.values().filter(|person| !person.refresh_token.is_empty() && !person.is_worthless)
    }

    /// The request headers that authenticate the person.
    pub fn keys(&self, name: &str, anon_key: &str) -> Vec<(&'static str, String)> {
        let token = match name {
            // Signed on each use, because the token is about to exceed the tolerated clock skew.
            "late service" => ended(&self.jwt, self.claims("service"), JUST_PAST),
            name => self.named(name).token.clone(),
        };
        if token.is_empty() {
            return Vec::new();
        }
        let apikey = if name == "service" { &token } else { anon_key };
        vec![("apikey", apikey.to_owned()), ("authorization", format!("Bearer {token}"))]
    }
}

async fn signed_in(server: &Server, http: &Client, person: Person) -> Person {
    let operator =
        [("apikey", server.service_key.clone()), ("authorization", format!("Bearer {}", server.service_key))];
    let auth = format!("{}/auth/v1", server.url);
    let given = json!({ "password": PASSWORD, "email_confirm": true });
    let call = Call::parse(&format!("PUT admin/users/{}", person.id), &given.to_string()).unwrap();
    ok(call.send(http, &auth, &operator).await);
    let credentials = json!({ "email": person.email, "password": PASSWORD });
    let call = Call::parse("POST token?grant_type=password", &credentials.to_string()).unwrap();
    let other = ok(call.send(http, &auth, &[]).await).json();
    let session = ok(call.send(http, &auth, &[]).await).json();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    Person {
        token: text(&session["access_token"]),
        refresh_token: text(&session["refresh_token"]),
        other_refresh_token: text(&other["refresh_token"]),
        ..person
    }
}

fn ok(answer: Answer) -> Answer {
    assert_eq!(answer.status, 200, "{}", answer.summary());
    answer
}

/// A copy of the token that expired `seconds` ago.
fn ended(jwt: &JwtKeys, mut claims: Claims, seconds: i64) -> String {
    claims.0.insert("exp".to_owned(), json!(Clock::system().now().timestamp() - seconds));
    jwt.sign(&claims).unwrap()
}

/// A copy of the token with the audience of another product.
fn for_others(jwt: &JwtKeys, mut claims: Claims) -> String {
    claims.0.insert("aud".to_owned(), json!("elsewhere"));
    jwt.sign(&claims).unwrap()
}

/// Tokens that would grant access if a single check were missing.
fn worthless(jwt: &JwtKeys, people: &HashMap<String, Person>) -> Vec<(String, Person)> {
    let claims = |name: &str| jwt.verify(&people[name].token).unwrap();
    // Combines the claims with the signature of another person's token.
    let tampered = |name: &str| {
        let unsigned = people[name].token.rsplit_once('.').unwrap().0;
        format!("{unsigned}.{}", people["approved"].token.rsplit_once('.').unwrap().1)
    };
    let stranger = JwtKeys::from_secret(Secret::new("another secret of thirty-two bytes")).unwrap();
    let like = |name: &str, token: String| Person { token, is_worthless: true, ..people[name].clone() };
    vec![
        ("late service".to_owned(), people["service"].clone()),
        ("expired".to_owned(), like("superadmin", ended(jwt, claims("superadmin"), LONG_PAST))),
        ("tampered".to_owned(), like("superadmin", tampered("superadmin"))),
        ("expired service".to_owned(), like("service", ended(jwt, claims("service"), LONG_PAST))),
        ("tampered service".to_owned(), like("service", tampered("service"))),
        ("elsewhere".to_owned(), like("superadmin", for_others(jwt, claims("superadmin")))),
        ("service elsewhere".to_owned(), like("service", for_others(jwt, claims("service")))),
        ("forged service".to_owned(), like("service", stranger.sign(&claims("service")).unwrap())),
    ]
}
