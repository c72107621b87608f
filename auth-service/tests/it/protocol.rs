//! What all endpoints have in common: the formats of errors and bodies, CORS, and unknown paths.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};

use crate::support::{Auth, refused, says};

#[tokio::test]
async fn health_and_settings_need_no_key() {
    let auth = Auth::start().await;

    let health = auth.client.get("/health").await.json();
    let settings = auth.client.get("/settings").await.json();
    let keys = auth.client.get("/.well-known/jwks.json").await;

    assert_eq!(health["name"], "GoTrue");
    assert_eq!(
        (&settings["external"]["email"], &settings["external"]["phone"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&settings["disable_signup"], &settings["mailer_autoconfirm"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (keys.json(), keys.header("cache-control")),
        (json!({ "keys": [] }), Some("public, max-age=600"))
    );
}

#[tokio::test]
async fn the_client_chooses_the_error_format() {
    let auth = Auth::start().await;
    let ask = async |version: &str| {
        auth.client.send(Request::get("/user").header("x-supabase-api-version", version), "").await
    };

    let old = ask("2023-12-31").await;
    let new = ask("2024-01-01").await;

    refused(&old, 401, "no_authorization");
    assert_eq!(old.header("x-supabase-api-version"), None);
    let message = "This endpoint requires a valid Bearer token";
    assert_eq!(new.json(), json!({ "code": "no_authorization", "message": message }));
    assert_eq!(new.header("x-supabase-api-version"), Some("2024-01-01"));
    assert_eq!(new.header("x-sb-error-code"), Some("no_authorization"));

    // Only error answers depend on the version.
    let health = Request::get("/health").header("x-supabase-api-version", "2024-01-01");
    assert_eq!(auth.client.send(health, "").await.header("x-supabase-api-version"), None);
    let weak = Request::post("/signup").header("x-supabase-api-version", "2024-01-01");
    let weak = auth.client.send(weak, json!({ "email": "a@b.co", "password": "12345" }).to_string()).await;
    let message = "Password should be at least 6 characters.";
    assert_eq!(
        weak.json(),
        json!({ "code": "weak_password", "message": message, "weak_password": { "reasons": ["length"] } })
    );
}

#[tokio::test]
async fn bodies_are_json_whatever_their_content_type() {
    let auth = Auth::start().await;
    let body = json!({ "email": "ana@demo.serasi.test", "password": "123456" }).to_string();
    let plain = Request::post("/signup").header(header::CONTENT_TYPE, "text/plain");
    assert_eq!(auth.client.send(plain, body).await.status, 200);

    for broken in ["", "{", "email=a", "[1", "\u{feff}{}", "[]", " [{}]", "{\"email\": 1}"] {
        let answer = auth.client.send(Request::post("/signup"), broken).await;
        refused(&answer, 400, "bad_json");
        assert!(answer.json()["msg"].as_str().unwrap().starts_with("Could not parse request body as JSON: "));
    }
    let deep = format!("{{\"data\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    refused(&auth.client.send(Request::post("/signup"), deep).await, 400, "bad_json");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_send_bodies_without_asking() {
    let auth = Auth::start().await;
    let body = json!({ "email": "ana@demo.serasi.test", "password": "123456" }).to_string();
    let from_a_page = |path: &str| Request::post(path).header(header::ORIGIN, "https://evil.test");
    for kind in
        ["text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    {
        for path in ["/signup", "/token?grant_type=password", "/recover", "/otp"] {
            let request = from_a_page(path).header(header::CONTENT_TYPE, kind);
            let answer = auth.client.send(request, body.clone()).await;
            refused(&answer, 415, "validation_failed");
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    refused(&auth.client.send(from_a_page("/signup"), body.clone()).await, 415, "validation_failed");
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);

    // The browser asks first for this type, and auth-js sends it.
    let json = from_a_page("/signup").header(header::CONTENT_TYPE, "application/json;charset=UTF-8");
    assert_eq!(auth.client.send(json, body).await.status, 200);
    refused(&auth.client.send(from_a_page("/logout"), "").await, 401, "no_authorization");
}

#[tokio::test]
async fn bodies_are_parsed_as_gotrue_parses_them() {
    let auth = Auth::start().await;
    let ask = async |path: &str, body: &str| auth.client.send(Request::post(path), body.to_owned()).await;

    let nothing = ask("/token?grant_type=password", "null").await;
    refused(&nothing, 400, "validation_failed");
    says(&nothing, "missing email or phone");
    let last_wins = r#"{"email":"x","email":"ana@demo.serasi.test","password":"correct horse"}"#;
    assert_eq!(ask("/signup", last_wins).await.json()["user"]["email"], "ana@demo.serasi.test");
    for data in [r#""x""#, "[]", "1", "true"] {
        let body = format!(r#"{{"email":"bo@demo.serasi.test","password":"correct horse","data":{data}}}"#);
        let answer = ask("/signup", &body).await;
        refused(&answer, 400, "bad_json");
        assert!(answer.text().contains("Could not parse request body as JSON: "), "{}", answer.text());
    }
    for body in ["[]", "1", "\"x\"", "{", "", "{} {}", r#"{"email":1}"#] {
        refused(&ask("/signup", body).await, 400, "bad_json");
    }
}

#[tokio::test]
async fn the_first_of_repeated_parameters_counts() {
    let auth = Auth::start().await;
    let body = json!({ "email": "nobody@demo.serasi.test", "password": "x" });
    let answer = auth.client.post_json("/token?grant_type=password&grant_type=pkce", &body).await;
    refused(&answer, 400, "invalid_credentials");
    says(&answer, "Invalid login credentials");
}

#[tokio::test]
async fn a_body_over_a_mebibyte_is_refused() {
    let auth = Auth::start().await;
    let of_length = |length: usize| format!("{{\"x\":\"{}\"}}", "y".repeat(length - 8));

    refused(
        &auth.client.send(Request::post("/signup"), of_length(1_048_576)).await,
        422,
        "anonymous_provider_disabled",
    );
    let over = auth.client.send(Request::post("/signup"), of_length(1_048_577)).await;

    refused(&over, 413, "request_entity_too_large");
    says(&over, "Request body too large (max 1048576 bytes)");
}

#[tokio::test]
async fn unknown_paths_and_methods_answer_with_our_errors() {
    let auth = Auth::start().await;
    refused(&auth.client.get("/nothing/here").await, 404, "unknown");
    refused(&auth.client.get("/token").await, 405, "unknown");
    refused(
        &auth.client.send(Request::builder().method(Method::TRACE).uri("/user"), "").await,
        405,
        "unknown",
    );
}

#[tokio::test]
async fn a_trailing_slash_is_accepted_where_gotrue_accepts_it() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let owner = auth.as_owner(&ana);
    let enrolled = owner.post_json("/factors/", &json!({ "factor_type": "totp" })).await;
    let factor = enrolled.json()["id"].as_str().unwrap().to_owned();
    let account = format!("/admin/users/{}/", ana.user_id);
    assert_eq!(auth.operator().get(&account).await.json()["id"], json!(ana.user_id));
    assert_eq!(auth.operator().get(&format!("{account}factors/")).await.json()[0]["id"], factor);
    let named = json!({ "friendly_name": "john", "factor_type": "totp" });
    let renamed = auth.operator().put_json(&format!("{account}factors/{factor}/"), &named).await;
    assert_eq!((renamed.status.as_u16(), &renamed.json()["friendly_name"]), (200, &json!("john")));
    let deleted = owner.send(Request::delete(format!("/factors/{factor}/")), Body::empty()).await;
    assert_eq!(deleted.json()["id"], factor);
}

#[tokio::test]
async fn an_internal_error_reveals_no_details() {
    let auth = Auth::start().await;
    sqlx::query("alter table auth.users rename to gone").execute(&auth.rows).await.unwrap();

    let answer = auth.sign_in("ana@demo.serasi.test", "123456").await;

    refused(&answer, 500, "unexpected_failure");
    for word in ["auth.users", "relation", "sql", "42P01"] {
        assert!(!answer.text().contains(word), "{}", answer.text());
    }
}

#[tokio::test]
async fn only_our_own_origins_may_read_the_answers() {
    let auth = Auth::start_with(&[("CORS_ALLOWED_ORIGINS", "https://partner.test")]).await;
    let preflight = async |origin: &str| {
        let request = Request::builder()
            .method(Method::OPTIONS)
            .uri("/token?grant_type=password")
            .header(header::ORIGIN, origin)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "apikey,x-client-info,x-retry-count");
        auth.client.send(request, "").await
    };

    for ours in ["https://serasi.test", "https://partner.test"] {
        let answer = preflight(ours).await;
        assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (200, Some(ours)));
        assert_eq!(answer.header("access-control-allow-headers"), Some("apikey,x-client-info,x-retry-count"));
        assert_eq!(answer.header("access-control-allow-methods"), Some("GET,POST,PUT,PATCH,DELETE"));
        assert_eq!(answer.header("access-control-allow-credentials"), None, "no cookie is used");
    }
    for theirs in [
        "https://evil.test",
        "null",
        "http://serasi.test",
        "https://serasi.test.evil.test",
        "https://serasi.test:8443",
    ] {
        assert_eq!(preflight(theirs).await.header("access-control-allow-origin"), None, "{theirs}");
    }
    // Our pages can read errors too, so that they can say why a request failed.
    let request = Request::get("/user").header(header::ORIGIN, "https://serasi.test");
    let refusal = auth.client.send(request, "").await;
    assert_eq!(refusal.header("access-control-allow-origin"), Some("https://serasi.test"));
    assert_ne!(refusal.json(), Value::Null);
    let readable = refusal.header("access-control-expose-headers").unwrap();
    for name in ["x-total-count", "link", "x-supabase-api-version", "retry-after"] {
        assert!(readable.split(',').any(|exposed| exposed == name), "{name}: {readable}");
    }
}

#[tokio::test]
async fn the_database_knows_the_id_of_a_request() {
    let auth = Auth::start().await;
    let note = "create function auth.note() returns trigger language plpgsql as $$ begin
          new.raw_user_meta_data := new.raw_user_meta_data || jsonb_build_object('name', current_setting('application_name'));
          return new;
        end $$;
        create trigger note before insert on auth.users for each row execute function auth.note()";
    sqlx::raw_sql(note).execute(&auth.rows).await.unwrap();

    let client = auth.client.with_request_ids();
    let body = json!({ "email": "ana@demo.serasi.test", "password": crate::support::PASSWORD,
        "data": { "user_type": "influencer" } });
    let answer = client.post_json("/signup", &body).await;

    assert_eq!(answer.status, 200, "{}", answer.text());
    let stored = auth.text("select raw_user_meta_data ->> 'name' from auth.users").await;
    assert_eq!(stored.as_deref(), Some(answer.request_id()));
}
