//! Second factors: adding, listing and removing them with GoTrue's API.

use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::client::TestClient;

use crate::authenticator::{challenge, enroll, protected, unenroll, verify};
use crate::support::{Auth, PASSWORD, claims, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
const BO: &str = "bo@demo.serasi.test";

async fn ask(owner: &TestClient, body: Value) -> test_support::client::Answer {
    owner.post_json("/factors", &body).await
}

#[tokio::test]
async fn enrolling_shows_the_secret_once_and_counts_after_the_first_code() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let owner = auth.as_owner(&ana);

    let answer = ask(&owner, json!({ "factor_type": "totp", "friendly_name": "Phone" })).await;

    let body = answer.json();
    let (secret, uri) = (body["totp"]["secret"].as_str().unwrap(), body["totp"]["uri"].as_str().unwrap());
    assert_eq!((&body["type"], &body["friendly_name"]), (&json!("totp"), &json!("Phone")));
    assert_eq!(secret.len(), 32);
    assert!(uri.starts_with(&format!("otpauth://totp/serasi.test:{ANA}?")), "{uri}");
    assert!(uri.contains(&format!("secret={secret}")) && uri.contains("issuer=serasi.test"), "{uri}");
    let image = body["totp"]["qr_code"].as_str().unwrap();
    // The client puts it into a data URI unescaped, where `#` would end it.
    assert!(image.starts_with("<svg") && image.ends_with("</svg>") && !image.contains('#'), "{image}");
    let user = auth.user(&ana).await.json();
    assert_eq!(user["factors"][0]["status"], "unverified");
    assert_eq!(user["factors"][0]["id"], body["id"]);
    assert!(!user.to_string().contains(secret));

    let stored: Vec<u8> =
        sqlx::query_scalar("select secret from auth.mfa_factors").fetch_one(&auth.rows).await.unwrap();
    let plain = base32::decode(base32::Alphabet::Rfc4648 { padding: false }, secret).unwrap();
    assert!(!stored.windows(4).any(|window| plain.starts_with(window)), "the secret is encrypted");
}

#[tokio::test]
async fn the_first_code_opens_a_session_of_level_two_and_ends_the_others() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let other = session(&auth.sign_in(ANA, PASSWORD).await);
    let owner = auth.as_owner(&ana);
    let (unused, app) = (enroll(&owner, "Tablet").await, enroll(&owner, "Phone").await);
    auth.clock.advance(TimeDelta::seconds(1));

    let answer = verify(&owner, &app.factor, &app.code(&auth, 0)).await;

    let next = session(&answer);
    let claims = claims(&next.access_token);
    assert_eq!(claims["aal"], "aal2");
    let methods: Vec<_> = claims["amr"].as_array().unwrap().iter().map(|entry| &entry["method"]).collect();
    assert_eq!(methods, ["totp", "password"]);
    let factors = answer.json()["user"]["factors"].clone();
    assert_eq!(factors.as_array().unwrap().len(), 1, "{} is removed", unused.factor);
    assert_eq!(factors[0]["status"], "verified");
    for ended in [&ana, &other] {
        refused(&auth.user(ended).await, 403, "session_not_found");
        refused(&auth.refresh(&ended.refresh_token).await, 400, "refresh_token_not_found");
    }
    // A refresh keeps the level; a new sign-in has the first level again.
    let refreshed = session(&auth.refresh(&next.refresh_token).await);
    assert_eq!(crate::support::claims(&refreshed.access_token)["aal"], "aal2");
    let again = auth.sign_in(ANA, PASSWORD).await;
    assert_eq!(crate::support::claims(&session(&again).access_token)["aal"], "aal1");
    assert_eq!(again.json()["user"]["factors"][0]["status"], "verified");
    assert_eq!(auth.text("select template from serasi.mail_outbox").await.as_deref(), Some("factor_added"));
}

#[tokio::test]
async fn invalid_requests_are_refused_with_gotrues_errors() {
    let auth = Auth::start().await;
    let ana = auth.as_owner(&auth.influencer(ANA).await);
    for (body, status, code) in [
        (json!({ "factor_type": "phone" }), 422, "mfa_phone_enroll_not_enabled"),
        (json!({ "factor_type": "webauthn" }), 422, "mfa_webauthn_enroll_not_enabled"),
        (json!({ "factor_type": "fax" }), 400, "validation_failed"),
        (json!({}), 400, "validation_failed"),
        (json!({ "factor_type": "totp", "friendly_name": "x".repeat(101) }), 400, "validation_failed"),
        (json!({ "factor_type": "totp", "friendly_name": "a\0" }), 400, "validation_failed"),
        (json!({ "factor_type": "totp", "issuer": "x".repeat(101) }), 400, "validation_failed"),
        (json!({ "factor_type": 1 }), 400, "bad_json"),
    ] {
        refused(&ask(&ana, body).await, status, code);
    }
    let app = enroll(&ana, "Phone").await;
    let conflict = ask(&ana, json!({ "factor_type": "totp", "friendly_name": " Phone " })).await;
    refused(&conflict, 422, "mfa_factor_name_conflict");
    says(&conflict, "A factor with the friendly name \"Phone\" for this user already exists");

    let nobodys = uuid::Uuid::new_v4().to_string();
    let others = enroll(&auth.as_owner(&auth.influencer(BO).await), "Phone").await;
    for factor in [&nobodys, &others.factor] {
        refused(&challenge(&ana, factor).await, 404, "mfa_factor_not_found");
        refused(&unenroll(&ana, factor).await, 404, "mfa_factor_not_found");
    }
    refused(&challenge(&ana, "x").await, 404, "validation_failed");
    let path = format!("/factors/{}/verify", app.factor);
    for body in [json!({}), json!({ "challenge_id": nobodys, "code": app.code(&auth, 0) })] {
        refused(&ana.post_json(&path, &body).await, 422, "mfa_factor_not_found");
    }
    refused(&ana.post_json(&path, &json!({ "challenge_id": "x" })).await, 400, "bad_json");
    for path in ["/factors", "/factors/x/challenge", "/factors/x/verify", "/factors/recovery-codes"] {
        refused(&auth.client.post_json(path, &json!({})).await, 401, "no_authorization");
    }
}

#[tokio::test]
async fn an_account_has_at_most_ten_factors_and_those_without_a_code_expire() {
    let auth = Auth::start().await;
    let ana = auth.as_owner(&auth.influencer(ANA).await);
    for number in 0..10 {
        enroll(&ana, &format!("Phone {number}")).await;
    }
    refused(&ask(&ana, json!({ "factor_type": "totp" })).await, 422, "too_many_enrolled_mfa_factors");

    auth.clock.advance(TimeDelta::minutes(5));

    enroll(&ana, "Phone 0").await;
    assert_eq!(auth.count("select count(*) from auth.mfa_factors").await, 1);
}

#[tokio::test]
async fn concurrent_requests_add_no_more_factors_than_allowed() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let owner = auth.as_owner(&ana);
    let add = |name: String| ask(&owner, json!({ "factor_type": "totp", "friendly_name": name }));

    let equal = join_all((0..8).map(|_| add("Phone".to_owned()))).await;
    let others = join_all((0..20).map(|number| add(format!("Phone {number}")))).await;

    let (added, refused_ones): (Vec<_>, Vec<_>) = equal.iter().partition(|answer| answer.status == 200);
    assert_eq!(added.len(), 1);
    refused_ones.iter().for_each(|answer| refused(answer, 422, "mfa_factor_name_conflict"));
    let (added, refused_ones): (Vec<_>, Vec<_>) = others.iter().partition(|answer| answer.status == 200);
    assert_eq!(added.len(), 9);
    refused_ones.iter().for_each(|answer| refused(answer, 422, "too_many_enrolled_mfa_factors"));
    assert_eq!(auth.count("select count(*) from auth.mfa_factors").await, 10);
}

#[tokio::test]
async fn a_factor_keeps_ten_challenges() {
    let auth = Auth::start().await;
    let ana = auth.as_owner(&auth.influencer(ANA).await);
    let app = enroll(&ana, "Phone").await;
    for _ in 0..15 {
        assert_eq!(challenge(&ana, &app.factor).await.json()["type"], "totp");
        auth.clock.advance(TimeDelta::milliseconds(1));
    }
    assert_eq!(auth.count("select count(*) from auth.mfa_challenges").await, 10);
}

#[tokio::test]
async fn changing_factors_requires_a_recent_second_step() {
    let auth = Auth::start().await;
    let (app, ana) = protected(&auth, ANA).await;
    let first_level = auth.as_owner(&session(&auth.sign_in(ANA, PASSWORD).await));
    let enroll_body = json!({ "factor_type": "totp", "friendly_name": "Tablet" });
    let attempt = async |client: &TestClient| {
        refused(&ask(client, enroll_body.clone()).await, 403, "insufficient_aal");
        refused(&unenroll(client, &app.factor).await, 422, "insufficient_aal");
        let codes = client.post_json("/factors/recovery-codes", &json!({})).await;
        refused(&codes, 403, "insufficient_aal");
    };
    attempt(&first_level).await;
    auth.clock.advance(TimeDelta::minutes(15));
    attempt(&auth.as_owner(&ana)).await;

    let ana = session(&verify(&auth.as_owner(&ana), &app.factor, &app.code(&auth, 0)).await);
    let owner = auth.as_owner(&ana);
    enroll(&owner, "Tablet").await;
    assert_eq!(unenroll(&owner, &app.factor).await.json(), json!({ "id": app.factor }));
    // The session no longer counts as having passed a second step, and none is required.
    let claims = claims(&session(&auth.refresh(&ana.refresh_token).await).access_token);
    assert_eq!(claims["aal"], "aal1");
}

/// Two requests at once: one adds a factor, and the other one verifies the account's first factor.
#[tokio::test]
async fn a_factor_that_was_added_too_late_requires_the_second_step() {
    let auth = Auth::start().await;
    let owner = auth.as_owner(&auth.influencer(ANA).await);
    let (late, app) = (enroll(&owner, "Thief").await, enroll(&owner, "Phone").await);
    let late_id: uuid::Uuid = late.factor.parse().unwrap();
    let late_row = "select to_jsonb(mfa_factors) from auth.mfa_factors where id = $1";
    let row: Value = sqlx::query_scalar(late_row).bind(late_id).fetch_one(&auth.rows).await.unwrap();
    let ana = session(&verify(&owner, &app.factor, &app.code(&auth, 0)).await);
    sqlx::query(
        "insert into auth.mfa_factors select * from jsonb_populate_record(null::auth.mfa_factors, $1)",
    )
    .bind(row)
    .execute(&auth.rows)
    .await
    .unwrap();

    let first_level = auth.as_owner(&session(&auth.sign_in(ANA, PASSWORD).await));
    refused(&verify(&first_level, &late.factor, &late.code(&auth, 0)).await, 403, "insufficient_aal");
    session(&verify(&auth.as_owner(&ana), &late.factor, &late.code(&auth, 0)).await);
}

#[tokio::test]
async fn changing_password_or_address_requires_the_second_step() {
    let auth = Auth::start().await;
    let (_, ana) = protected(&auth, ANA).await;
    let first_level = auth.as_owner(&session(&auth.sign_in(ANA, PASSWORD).await));
    for body in [json!({ "password": "another horse" }), json!({ "email": BO })] {
        let answer = first_level.put_json("/user", &body).await;
        refused(&answer, 401, "insufficient_aal");
        says(&answer, "AAL2 session is required to update email or password when MFA is enabled.");
    }
    assert_eq!(first_level.put_json("/user", &json!({ "data": { "city": "Ipoh" } })).await.status, 200);
    let answer = auth.as_owner(&ana).put_json("/user", &json!({ "password": "another horse" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn operators_list_rename_and_delete_factors() {
    let auth = Auth::start().await;
    let (app, ana) = protected(&auth, ANA).await;
    let bo = auth.influencer(BO).await;
    let operator = auth.operator();
    let list = format!("/admin/users/{}/factors", ana.user_id);
    let one = format!("{list}/{}", app.factor);

    assert_eq!(operator.get(&list).await.json()[0]["friendly_name"], "Phone");
    assert_eq!(
        operator.put_json(&one, &json!({ "friendly_name": "Old" })).await.json()["friendly_name"],
        "Old"
    );
    let others = format!("/admin/users/{}/factors/{}", bo.user_id, app.factor);
    refused(&operator.put_json(&others, &json!({})).await, 404, "mfa_factor_not_found");
    refused(&operator.send(Request::delete(&others), Body::empty()).await, 404, "mfa_factor_not_found");
    let wrong = operator.send(Request::delete(format!("{list}/x")), Body::empty()).await;
    refused(&wrong, 404, "validation_failed");
    refused(&auth.as_owner(&bo).get(&list).await, 403, "not_admin");

    let gone = operator.send(Request::delete(&one), Body::empty()).await;
    assert_eq!(gone.json()["id"], app.factor.as_str());
    assert_eq!(operator.get(&list).await.json(), json!([]));
    assert_eq!(auth.count("select count(*) from auth.sessions where aal = 'aal2'").await, 0);
}
