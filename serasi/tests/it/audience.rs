//! Tokens of another product that uses the same secret name another audience.

use platform::jwt::{JwtKeys, generate_signing_key};
use platform::secret::Secret;
use serde_json::json;

use crate::prepared;
use crate::signing_keys::{KNOWN, SECRET, Stack, UNKNOWN, claims_of};

#[tokio::test]
async fn every_service_rejects_tokens_for_another_audience() {
    let data_dir = prepared::data_dir();
    let stack = Stack::start(&data_dir, &[&generate_signing_key()]);
    let mut claims = claims_of(&stack.token("signup").await);
    let keys = JwtKeys::from_secret(Secret::new(SECRET)).unwrap();
    for (audience, statuses) in [
        (json!("authenticated"), KNOWN),
        (json!(["other", "authenticated"]), KNOWN),
        (json!("other"), UNKNOWN),
        (json!(["other"]), UNKNOWN),
        (json!(""), UNKNOWN),
        (json!(7), UNKNOWN),
    ] {
        claims["aud"] = audience;
        assert_eq!(stack.statuses(&keys.sign(&claims).unwrap()).await, statuses, "{claims}");
    }
    // No role can replace the missing audience.
    let operator = json!({ "role": "service_role", "aud": "other", "exp": claims["exp"] });
    assert_eq!(stack.statuses(&keys.sign(&operator).unwrap()).await, UNKNOWN);
}
