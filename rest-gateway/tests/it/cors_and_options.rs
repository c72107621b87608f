use crate::support::Api;

#[tokio::test]
async fn cross_origin_requests_are_allowed() {
    let api = Api::start().await;
    let headers = [
        ("Origin", "http://example.com"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "Foo,Bar"),
    ];
    let answer = api.send("OPTIONS", "/items", &headers, "").await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(
        answer.header("access-control-allow-methods"),
        Some("GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD")
    );
    assert_eq!(
        answer.header("access-control-allow-headers"),
        Some("Authorization, Foo, Bar, Accept, Accept-Language, Content-Language")
    );
    assert_eq!(answer.header("access-control-max-age"), Some("86400"));
    for path in ["/items?limit=1", "/nothing"] {
        let answer = api.send("GET", path, &[("Origin", "http://example.com")], "").await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(
            answer.header("access-control-expose-headers"),
            Some(
                "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit"
            )
        );
    }
    assert_eq!(api.get("/items?limit=1").await.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn allowed_origins_can_be_restricted() {
    let api =
        Api::start_with(&[("PGRST_SERVER_CORS_ALLOWED_ORIGINS", "http://one.example, http://two.example")])
            .await;
    let allowed = async |origin: &str| {
        let answer = api.send("GET", "/items?limit=1", &[("Origin", origin)], "").await;
        answer.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(allowed("http://two.example").await.as_deref(), Some("http://two.example"));
    assert_eq!(allowed("http://evil.example").await, None);
}

#[tokio::test]
async fn options_lists_the_allowed_methods() {
    let api = Api::start().await;
    let allowed = async |path: &str| {
        let answer = api.send("OPTIONS", path, &[], "").await;
        (answer.status.as_u16(), answer.header("allow").map(str::to_owned))
    };
    assert_eq!(allowed("/items").await, (200, Some("OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE".into())));
    assert_eq!(allowed("/no_pk").await, (200, Some("OPTIONS,GET,HEAD,POST,PATCH,DELETE".into())));
    assert_eq!(allowed("/materialized_projects").await, (200, Some("OPTIONS,GET,HEAD".into())));
    assert_eq!(allowed("/rpc/noparams").await, (200, Some("OPTIONS,GET,HEAD,POST".into())));
    assert_eq!(allowed("/rpc/ret_void").await, (200, Some("OPTIONS,POST".into())));
    assert_eq!(allowed("/").await, (200, Some("OPTIONS,GET,HEAD".into())));
    assert_eq!(allowed("/nothing").await.0, 404);
}
