//! Test users' tokens, signed with a secret that only tests use.

use serde_json::{Map, json};
use uuid::Uuid;

use platform::claims::Claims;
use platform::clock::Clock;
use platform::jwt::JwtKeys;
use platform::secret::Secret;

pub const TEST_SECRET: &str = "a-secret-that-only-tests-may-use";

pub fn keys() -> JwtKeys {
    JwtKeys::from_secret(Secret::new(TEST_SECRET)).expect("the test secret is long enough")
}

pub fn anon_key() -> String {
    keys().role_key("anon").expect("sign")
}

pub fn service_key() -> String {
    keys().role_key("service_role").expect("sign")
}

/// An access token as the auth service would issue it, without a session.
pub fn token_of(user: Uuid, email: &str) -> String {
    let now = Clock::system().now().timestamp();
    let claims = json!({
        "iss": "serasi", "sub": user, "aud": "authenticated", "role": "authenticated", "email": email,
        "iat": now, "exp": now + 3600, "aal": "aal1", "app_metadata": {}, "user_metadata": {},
    });
    keys().sign(&claims).expect("sign")
}

pub fn claims_of(user: Uuid) -> Claims {
    let mut claims = Map::new();
    claims.insert("sub".to_owned(), json!(user));
    claims.insert("role".to_owned(), json!("authenticated"));
    Claims(claims)
}
