use crate::support::Api;

#[tokio::test]
async fn explain_plans_are_disabled_by_default() {
    let api = Api::start().await;
    let refused = api.send("GET", "/items", &[("Accept", "application/vnd.pgrst.plan")], "").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (406, Some("PGRST107")));
}

#[tokio::test]
async fn explain_plans_are_available_as_text_and_json() {
    let api = Api::start_with(&[("PGRST_DB_PLAN_ENABLED", "true")]).await;
    let answer = api.send("GET", "/items", &[("Accept", "application/vnd.pgrst.plan")], "").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("content-type"),
        Some("application/vnd.pgrst.plan+text; for=\"application/json\"; charset=utf-8")
    );
    assert!(answer.text().contains("Aggregate"), "{}", answer.text());
    let accept = "application/vnd.pgrst.plan+json; for=\"application/vnd.pgrst.object+json\"; options=analyze|verbose|settings|buffers|wal";
    let answer = api.send("GET", "/items?id=eq.1", &[("Accept", accept)], "").await;
    assert_eq!(
        answer.header("content-type"),
        Some(
            "application/vnd.pgrst.plan+json; for=\"application/vnd.pgrst.object+json\"; options=analyze|verbose|settings|buffers|wal; charset=utf-8"
        )
    );
    assert!(answer.json()[0]["Plan"]["Actual Rows"].is_number());
    let json = [("Accept", "application/vnd.pgrst.plan+json")];
    let answer = api.send("DELETE", "/items?id=eq.1", &json, "").await;
    assert_eq!(answer.status, 200);
    assert_eq!(api.rows("/items").await.as_array().unwrap().len(), 15);
    assert_eq!(api.send("POST", "/rpc/add_them", &json, r#"{"a":1,"b":2}"#).await.status, 200);
    let refused =
        api.send("GET", "/items", &[("Accept", "application/vnd.pgrst.plan; for=\"image/png\"")], "").await;
    assert_eq!(refused.status, 406);
}

#[tokio::test]
async fn explain_plans_list_only_postgrests_settings() {
    let api = Api::start_with(&[("PGRST_DB_PLAN_ENABLED", "true")]).await;
    let accept = [("Accept", "application/vnd.pgrst.plan+json; options=settings")];
    for path in ["/items?id=gt.1&order=id", "/rpc/get_projects_below?id=3"] {
        let settings = api.send("GET", path, &accept, "").await.json()[0]["Settings"].clone();
        assert_eq!(settings["search_path"], r#""api", "public""#, "{path}");
        assert!(settings.get("plan_cache_mode").is_none(), "{path}: {settings}");
    }
}

#[tokio::test]
async fn rows_are_counted_once_without_a_range() {
    let api = Api::start_with(&[("PGRST_DB_PLAN_ENABLED", "true")]).await;
    let aggregates = async |path: &str| {
        let headers = [("Accept", "application/vnd.pgrst.plan"), ("Prefer", "count=exact")];
        let answer = api.send("GET", path, &headers, "").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().matches("Aggregate").count()
    };
    assert_eq!(aggregates("/clients?select=*,projects!inner(id)&projects.limit=1").await, 2);
    assert_eq!(aggregates("/clients").await, 1);
    assert_eq!(aggregates("/clients?limit=1").await, 2);
    assert_eq!(aggregates("/rpc/get_projects_below?id=3").await, 1);
}
