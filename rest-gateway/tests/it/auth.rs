use platform::clock::Clock;
use serde_json::{Value, json};

use crate::support::{Api, as_author, bearer, error};

fn error_body(code: &str, message: &str, details: Value) -> Value {
    error(code, message, details, Value::Null)
}

async fn request(api: &Api, authorization: &str) -> (u16, Value, Option<String>) {
    let answer =
        api.send("GET", "/authors_only?select=secret", &[("Authorization", authorization)], "").await;
    (answer.status.as_u16(), answer.json(), answer.header("www-authenticate").map(str::to_owned))
}

#[tokio::test]
async fn requests_run_with_the_tokens_role() {
    let api = Api::start().await;
    let refused = api.get("/authors_only").await;
    assert_eq!((refused.status.as_u16(), refused.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(refused.json(), error_body("42501", "permission denied for table authors_only", Value::Null));
    for scheme in [as_author(), as_author().replace("Bearer", "bearer")] {
        assert_eq!(request(&api, &scheme).await.1, json!([{ "secret": "secret" }]));
    }
    let answer = api.send("GET", "/private_table", &[("Authorization", &as_author())], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("www-authenticate")), (403, None));
    let path = "/rpc/privileged_hello?name=jdoe";
    assert_eq!(api.get(path).await.status, 401);
    let answer = api.send("GET", path, &[("Authorization", &as_author())], "").await;
    assert_eq!(answer.json(), json!("A guarded hello to jdoe"));
    // Other schemes are ignored.
    assert_eq!(request(&api, "Basic YTpi").await.0, 401);
}

#[tokio::test]
async fn a_key_in_the_address_is_removed_and_authenticates_nobody() {
    let api = Api::start().await;
    let key = as_author().replace("Bearer ", "");
    assert_eq!(api.get(&format!("/authors_only?apikey={key}")).await.status, 401);
    let path = "/rpc/privileged_hello?name=jdoe";
    assert_eq!(api.get(&format!("{path}&apikey={key}")).await.status, 401);
    let answer =
        api.send("GET", &format!("{path}&apikey={key}"), &[("Authorization", &as_author())], "").await;
    assert_eq!(answer.json(), json!("A guarded hello to jdoe"));
    // Anything but a valid key is a filter or an argument, as in PostgREST.
    for other in ["", "x", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA", &key[..key.len() - 2]] {
        let answer =
            api.send("GET", &format!("{path}&apikey={other}"), &[("Authorization", &as_author())], "").await;
        assert_eq!(answer.json()["code"], "PGRST202", "{other}");
    }
}

#[tokio::test]
async fn invalid_tokens_are_rejected() {
    let api = Api::start().await;
    let header =
        |message: &str| Some(format!("Bearer error=\"invalid_token\", error_description=\"{message}\""));

    let wrong = "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoiZ2F0ZXdheV9hdXRob3IifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let message = "No suitable key or wrong key type";
    let details = json!("None of the keys was able to decode the JWT");
    assert_eq!(
        request(&api, wrong).await,
        (401, error_body("PGRST301", message, details.clone()), header(message))
    );

    let message = "Expected 3 parts in JWT; got 2";
    assert_eq!(
        request(&api, "Bearer a.b").await,
        (401, error_body("PGRST301", message, Value::Null), header(message))
    );

    let message = "Empty JWT is sent in Authorization header";
    assert_eq!(
        request(&api, "Bearer ").await,
        (401, error_body("PGRST301", message, Value::Null), header(message))
    );

    // {"alg":"none"} in any letter case.
    let message = "Wrong or unsupported encoding algorithm";
    let details = json!("JWT is unsecured but expected 'alg' was not 'none'");
    for unsecured in ["eyJhbGciOiJub25lIn0", "eyJhbGciOiJOb25lIn0"] {
        let token = format!("Bearer {unsecured}.eyJyb2xlIjoiZ2F0ZXdheV9hdXRob3IifQ.");
        assert_eq!(
            request(&api, &token).await,
            (401, error_body("PGRST301", message, details.clone()), header(message))
        );
    }
    // An unsupported algorithm, a modified payload, an unknown key id.
    let token = as_author();
    let (head, signature) = (token.split('.').next().unwrap(), token.rsplit('.').next().unwrap());
    assert_eq!(request(&api, &format!("{head}.eyJyb2xlIjoicG9zdGdyZXMifQ.{signature}")).await.0, 401);
    let with_key_id = {
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
        header.kid = Some("other".to_owned());
        platform::jwt::ring_provider::install();
        let key = jsonwebtoken::EncodingKey::from_secret(crate::support::SECRET.as_bytes());
        jsonwebtoken::encode(&header, &json!({ "role": "gateway_author" }), &key).unwrap()
    };
    assert_eq!(request(&api, &format!("Bearer {with_key_id}")).await.0, 401);
}

#[tokio::test]
async fn claims_are_validated_with_clock_skew() {
    let now = Clock::system().now().timestamp();
    let api = Api::start_with(&[("PGRST_JWT_AUD", "us")]).await;
    let claim = async |name: &str, value: Value| {
        let mut claims = json!({ "role": "gateway_author" });
        claims[name] = value;
        let (status, body, _) = request(&api, &bearer(&claims)).await;
        (
            status,
            body["message"].as_str().unwrap_or_default().to_owned(),
            body["code"].as_str().map(str::to_owned),
        )
    };
    let refused = |message: &str| (401, message.to_owned(), Some("PGRST303".to_owned()));
    assert_eq!(claim("exp", json!(now - 25)).await.0, 200);
    assert_eq!(claim("exp", json!(now - 40)).await, refused("JWT expired"));
    assert_eq!(claim("nbf", json!(now + 25)).await.0, 200);
    assert_eq!(claim("nbf", json!(now + 40)).await, refused("JWT not yet valid"));
    assert_eq!(claim("iat", json!(now + 40)).await, refused("JWT issued at future"));
    assert_eq!(claim("exp", json!("soon")).await, refused("The JWT 'exp' claim must be a number"));
    assert_eq!(claim("aud", json!("us")).await.0, 200);
    assert_eq!(claim("aud", json!(["them", "us"])).await.0, 200);
    assert_eq!(claim("aud", json!([])).await.0, 200);
    assert_eq!(claim("aud", json!("them")).await, refused("JWT not in audience"));
    assert_eq!(
        claim("aud", json!(5)).await,
        refused("The JWT 'aud' claim must be a string or an array of strings")
    );
}

#[tokio::test]
async fn only_roles_granted_to_the_login_are_accepted() {
    let api = Api::start().await;
    for (role, status) in
        [("no_such_role", 401), ("postgres", 403), ("gateway_outsider", 403), ("pg_monitor", 403)]
    {
        let (found, body, _) = request(&api, &bearer(&json!({ "role": role }))).await;
        assert_eq!(found, status, "{role}: {body}");
    }
    // The login role itself is accepted, but has no privileges.
    for role in ["gateway \"test\" login", "none"] {
        let (found, body, _) = request(&api, &bearer(&json!({ "role": role }))).await;
        assert_eq!((found, body["code"].as_str()), (403, Some("42501")), "{role}");
    }
    let (found, ..) = request(&api, &bearer(&json!({ "role": "x'; drop table api.items; --" }))).await;
    assert_eq!(found, 401);
    assert_eq!(api.get("/items?limit=1").await.status, 200);
}

#[tokio::test]
async fn anonymous_access_can_be_disabled() {
    let api = Api::start_with(&[("PGRST_DB_ANON_ROLE", "")]).await;
    let refused = api.get("/items").await;
    assert_eq!((refused.status.as_u16(), refused.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(refused.json(), error_body("PGRST302", "Anonymous access is disabled", Value::Null));
    assert_eq!(request(&api, &bearer(&json!({ "sub": "x" }))).await.1["code"], "PGRST302");
    assert_eq!(request(&api, &as_author()).await.0, 200);
}

#[tokio::test]
async fn tokens_are_rejected_without_a_secret() {
    let api = Api::start_with(&[("PGRST_JWT_SECRET", "")]).await;
    let (status, body, _) = request(&api, &as_author()).await;
    assert_eq!((status, body), (500, error_body("PGRST300", "Server lacks JWT secret", Value::Null)));
}

#[tokio::test]
async fn json_web_keys_and_custom_role_claims_work() {
    let key = r#"{"kty":"oct","k":"cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU","alg":"HS256"}"#;
    let api =
        Api::start_with(&[("PGRST_JWT_SECRET", key), ("PGRST_JWT_ROLE_CLAIM_KEY", ".app.roles[1]")]).await;
    let claims = json!({ "app": { "roles": ["x", "gateway_author"] } });
    assert_eq!(request(&api, &bearer(&claims)).await.0, 200);
    let encoded = [
        ("PGRST_JWT_SECRET", "cmVhbGx5cmVhbGx5cmVhbGx5cmVhbGx5dmVyeXNhZmU="),
        ("PGRST_JWT_SECRET_IS_BASE64", "true"),
    ];
    let api = Api::start_with(&encoded).await;
    assert_eq!(request(&api, &as_author()).await.0, 200);
}

#[tokio::test]
async fn authenticated_responses_are_private() {
    let api = Api::start().await;
    let author = as_author();
    let caching = async |headers: &[(&str, &str)]| {
        let answer = api.send("GET", "/items?limit=1", headers, "").await;
        let vary: Vec<String> =
            answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
        (vary.join(", "), answer.header("cache-control").map(str::to_owned))
    };
    assert_eq!(caching(&[]).await, ("Accept, Prefer, Range".to_owned(), None));
    let private = ("Accept, Prefer, Range, Authorization".to_owned(), Some("private".to_owned()));
    assert_eq!(caching(&[("Authorization", &author)]).await, private);
}
