//! The rules for new passwords, wherever one is set.

use serde_json::json;

use crate::support::{Auth, refused, says, session};

#[tokio::test]
async fn all_broken_password_rules_are_reported_together() {
    let auth = Auth::start_with(&[("AUTH_PASSWORD_REQUIRED_CHARACTERS", "0123456789:!\\:")]).await;
    let ask = async |email: &str, password: &str| {
        auth.client.post_json("/signup", &json!({ "email": email, "password": password })).await
    };

    let weak = ask("ana@demo.serasi.test", "short").await;

    refused(&weak, 422, "weak_password");
    says(
        &weak,
        "Password should be at least 6 characters. \
         Password should contain at least one character of each: 0123456789, !:.",
    );
    assert_eq!(weak.json()["weak_password"], json!({ "reasons": ["length", "characters"] }));
    refused(&ask("ana@demo.serasi.test", "long enough!").await, 422, "weak_password");
    let ana = session(&ask("ana@demo.serasi.test", "1 is enough!").await);
    // Operators may create an account with any password, but may only change it to one that follows the
    // rules.
    let path = format!("/admin/users/{}", ana.user_id);
    let bo = json!({ "email": "bo@demo.serasi.test", "password": "long enough", "email_confirm": true });
    assert_eq!(auth.operator().post_json("/admin/users", &bo).await.status, 200);
    let signed_in = auth.sign_in("bo@demo.serasi.test", "long enough").await.json();
    assert_eq!(signed_in["weak_password"]["reasons"], json!(["characters"]));
    let change = auth.operator().put_json(&path, &json!({ "password": "long enough" })).await;
    refused(&change, 422, "weak_password");
    let change = auth.as_owner(&ana).put_json("/user", &json!({ "password": "long enough" })).await;
    assert_eq!(change.json()["weak_password"]["reasons"], json!(["characters"]));
}
