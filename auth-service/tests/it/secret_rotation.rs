//! A new JWT secret does not sign anyone out while the previous one is still accepted.

use serde_json::json;
use test_support::person::TEST_SECRET;

use crate::support::{Auth, refused, session};

const ANA: &str = "ana@demo.serasi.test";
const NEW_SECRET: &str = "the-secret-after-the-rotation-of-it";

#[tokio::test]
async fn sessions_and_mailed_links_outlive_the_secret_that_made_them() {
    let auth = Auth::start().await;
    let first = auth.influencer(ANA).await;
    let second = session(&auth.refresh(&first.refresh_token).await);
    auth.recover(ANA).await;
    let mail = auth.last_mail().await;

    let auth = auth.with_settings(&[("JWT_SECRET", NEW_SECRET), ("JWT_PREVIOUS_SECRETS", TEST_SECRET)]).await;

    assert_eq!(auth.user(&second).await.status, 200);
    // The client missed the answer with the second token.
    let again = session(&auth.refresh(&first.refresh_token).await);
    assert_eq!(again.refresh_token, second.refresh_token);
    let third = session(&auth.refresh(&second.refresh_token).await);
    assert_eq!(session(&auth.refresh(&second.refresh_token).await).refresh_token, third.refresh_token);
    // The link proves the address for the first time, which ends earlier sessions.
    let recovered = session(&auth.verify_link("recovery", &mail.token_hash()).await);

    // The new secret signs, so that the old one can be removed.
    let auth = auth.with_settings(&[("JWT_PREVIOUS_SECRETS", "")]).await;
    assert_eq!(auth.user(&recovered).await.status, 200);
    refused(&auth.user(&second).await, 403, "bad_jwt");
}

#[tokio::test]
async fn a_typed_code_and_the_old_service_key_are_accepted_until_the_secret_is_removed() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    auth.recover(ANA).await;
    let mail = auth.last_mail().await;

    let auth = auth.with_settings(&[("JWT_SECRET", NEW_SECRET), ("JWT_PREVIOUS_SECRETS", TEST_SECRET)]).await;

    let path = format!("/admin/users/{}", ana.user_id);
    assert_eq!(auth.operator().get(&path).await.status, 200);
    session(&auth.verify_code("recovery", ANA, mail.code()).await);
    let auth = auth.with_settings(&[("JWT_PREVIOUS_SECRETS", "")]).await;
    assert_eq!(auth.operator().put_json(&path, &json!({})).await.status, 403);
}
