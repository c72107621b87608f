//! `AUTH_ADMIN_MFA=required`, and the recovery of a superadmin who lost the second factor.

use std::path::Path;
use std::process::Output;

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::prepared;
use crate::product::Product;
use crate::support::{refusal, serasi};

const OPS: &str = "ops@demo.serasi.test";
const PASSWORD: &str = "correct horse";

fn reset(data_dir: &Path, email: &str) -> Output {
    serasi().args(["reset-factor", email, "--data-dir"]).arg(data_dir).output().unwrap()
}

/// A new session's token.
async fn sign_in(product: &Product) -> String {
    let person = json!({ "email": OPS, "password": PASSWORD });
    let answer = product.request(Method::POST, "/auth/v1/token?grant_type=password").json(&person).send();
    let session: Value = answer.await.unwrap().json().await.unwrap();
    session["access_token"].as_str().unwrap().to_owned()
}

/// What the account must do next, and how many other accounts it can read.
async fn access(product: &Product, token: &str) -> (Value, usize) {
    let http = reqwest::Client::new();
    let url = |path: &str| format!("http://127.0.0.1:{}/rest/v1/{path}", product.port);
    let call = http.post(url("rpc/staff_access")).bearer_auth(token).json(&json!({}));
    let others = http.get(url("profiles?select=email&email=neq.ops@demo.serasi.test")).bearer_auth(token);
    let rows: Vec<Value> = others.send().await.unwrap().json().await.unwrap();
    (call.send().await.unwrap().json().await.unwrap(), rows.len())
}

async fn until_required(connection: &mut PgConnection) {
    for _ in 0..3000 {
        let written = "select exists (select from auth.settings where admin_mfa_required)";
        if sqlx::query_scalar(written).fetch_one(&mut *connection).await.unwrap() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the setting does not reach the database");
}

#[tokio::test]
async fn required_factors_are_enforced_by_the_database_and_reset_on_the_server() {
    let data_dir = prepared::data_dir();
    let product = Product::start(data_dir.path(), &[("AUTH_ADMIN_MFA", "required")]);
    for (email, role) in [(OPS, "superadmin"), ("other@demo.serasi.test", "admin")] {
        let account = json!({ "email": email, "password": PASSWORD, "email_confirm": true, "app_metadata": { "marketplace_role": role } });
        let made = product.request(Method::POST, "/auth/v1/admin/users").json(&account).send().await.unwrap();
        assert!(made.status().is_success(), "{}", made.text().await.unwrap());
    }
    let mut connection = PgConnection::connect(&product.settings["DB_URL"]).await.unwrap();
    until_required(&mut connection).await;
    let token = sign_in(&product).await;
    assert_eq!(access(&product, &token).await, (json!("enroll"), 0));
    assert!(refusal(&reset(data_dir.path(), OPS)).contains("ops@demo.serasi.test has no second factor"));
    assert!(
        refusal(&reset(data_dir.path(), "none@x.test")).contains("no account has the address none@x.test")
    );

    // The state after the second step.
    connection
        .execute(
            "insert into auth.mfa_factors (id, user_id, secret, secret_key_id, verified_at, created_at, updated_at)
             select gen_random_uuid(), user_id, 'x', 'x', now(), now(), now() from app.user_roles where role = 'superadmin'",
        )
        .await
        .unwrap();
    assert_eq!(access(&product, &token).await, (json!("verify"), 0));
    connection.execute("update auth.sessions set aal = 'aal2'").await.unwrap();
    assert_eq!(access(&product, &token).await, (json!("granted"), 1));

    let done = reset(data_dir.path(), "OPS@demo.serasi.test");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(access(&product, &token).await, (json!("enroll"), 0));
    assert_eq!(access(&product, &sign_in(&product).await).await, (json!("enroll"), 0));
    let logged = "select actor from app.audit_log where action = 'reset_factor'";
    let actor: String = sqlx::query_scalar(logged).fetch_one(&mut connection).await.unwrap();
    assert_eq!(actor, "postgres");
}
