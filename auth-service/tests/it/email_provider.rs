//! `AUTH_EMAIL_PROVIDER=off`: sign-up and sign-in by e-mail are disabled.

use serde_json::{Value, json};

use crate::support::{Auth, PASSWORD, refused, says};

const ANA: &str = "ana@demo.serasi.test";

#[tokio::test]
async fn switching_it_off_disables_sign_up_and_sign_in_by_email() {
    let auth = Auth::start_with(&[("AUTH_EMAIL_PROVIDER", "off")]).await;
    let made = json!({ "email": ANA, "password": PASSWORD, "email_confirm": true });
    assert_eq!(auth.operator().post_json("/admin/users", &made).await.status, 200);
    let ask = async |path: &str, body: Value| auth.client.post_json(path, &body).await;

    assert_eq!(auth.client.get("/settings").await.json()["external"]["email"], false);
    let sign_up = auth.sign_up("bo@demo.serasi.test", json!({})).await;
    refused(&sign_up, 400, "email_provider_disabled");
    says(&sign_up, "Email signups are disabled");
    for answer in [
        auth.sign_in(ANA, PASSWORD).await,
        ask("/otp", json!({ "email": ANA })).await,
        ask("/magiclink", json!({ "email": ANA })).await,
    ] {
        refused(&answer, 422, "email_provider_disabled");
        says(&answer, "Email logins are disabled");
    }
    for path in ["/recover", "/resend"] {
        let answer = ask(path, json!({ "email": ANA, "type": "signup" })).await;
        refused(&answer, 400, "email_provider_disabled");
        says(&answer, "Email logins are disabled");
    }
    assert_eq!(auth.mails().await.len(), 0);
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}
