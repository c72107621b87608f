use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn limit_and_offset_select_rows() {
    let api = Api::start().await;
    let answer = api.get("/items?order=id&limit=2&offset=3").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([{ "id": 4 }, { "id": 5 }])));
    assert_eq!(answer.header("content-range"), Some("3-4/*"));
    let answer = api.get("/items?limit=0").await;
    assert_eq!(
        (answer.status.as_u16(), answer.json(), answer.header("content-range")),
        (200, json!([]), Some("*/*"))
    );
    let answer = api.get("/items?offset=100").await;
    assert_eq!(
        (answer.status.as_u16(), answer.json(), answer.header("content-range")),
        (200, json!([]), Some("*/*"))
    );
    let refused = api.assert_error("/items?limit=-1", 416, "PGRST103").await;
    assert_eq!(refused["message"], "Requested range not satisfiable");
    assert_eq!(refused["details"], "Limit should be greater than or equal to zero.");
    assert_eq!(api.get("/items?limit=x").await.status, 200);
}

#[tokio::test]
async fn the_range_header_selects_rows() {
    let api = Api::start().await;
    let request = async |range: &str, prefer: &str| {
        let headers = [("Range-Unit", "items"), ("Range", range), ("Prefer", prefer)];
        let answer = api.send("GET", "/items?order=id", &headers, "").await;
        (answer.status.as_u16(), answer.header("content-range").map(str::to_owned))
    };
    assert_eq!(request("0-1", "").await, (200, Some("0-1/*".into())));
    assert_eq!(request("0-1", "count=exact").await, (206, Some("0-1/15".into())));
    assert_eq!(request("10-", "count=exact").await, (206, Some("10-14/15".into())));
    assert_eq!(request("0-99", "count=exact").await, (200, Some("0-14/15".into())));
    assert_eq!(request("99-", "").await, (200, Some("*/*".into())));
    assert_eq!(request("5-2", "").await.0, 416);
    let answer = api.send("GET", "/items", &[("Range", "100-199"), ("Prefer", "count=exact")], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (416, Some("*/15")));
    assert_eq!(
        answer.json(),
        json!({ "code": "PGRST103", "message": "Requested range not satisfiable", "hint": null,
                "details": "An offset of 100 was requested, but there are only 15 rows." })
    );
    let refused = api.send("GET", "/items", &[("Range", "1-0")], "").await;
    assert_eq!(
        refused.json()["details"],
        "The lower boundary must be lower than or equal to the upper boundary in the Range header."
    );
}

#[tokio::test]
async fn max_rows_caps_every_level() {
    let api = Api::start_with(&[("PGRST_DB_MAX_ROWS", "2")]).await;
    let answer = api.send("GET", "/items?order=id", &[("Prefer", "count=exact")], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (206, Some("0-1/15")));
    assert_eq!(api.rows("/items?limit=100").await.as_array().unwrap().len(), 2);
    assert_eq!(api.rows("/users?select=tasks(id)&id=eq.1").await[0]["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(api.rows("/rpc/ret_setof_integers").await.as_array().unwrap().len(), 2);
    // Mutations are not limited.
    let answer =
        api.send("PATCH", "/items?id=lt.4", &[("Prefer", "return=representation")], r#"{"id":1}"#).await;
    assert_eq!(answer.status, 409);
    let answer = api.send("DELETE", "/items?id=lt.5", &[("Prefer", "return=representation")], "").await;
    assert_eq!(answer.json().as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn counts_can_be_planned_or_estimated() {
    let api = Api::start_with(&[("PGRST_DB_MAX_ROWS", "4")]).await;
    api.sql("analyze api.items").await;
    let counted = async |path: &str, prefer: &str| {
        let answer = api.send("HEAD", path, &[("Prefer", prefer)], "").await;
        assert_eq!(answer.body.len(), 0);
        (answer.status.as_u16(), answer.header("content-range").map(str::to_owned))
    };
    assert_eq!(counted("/items", "count=planned").await, (206, Some("0-3/15".into())));
    assert_eq!(counted("/items?id=lt.3", "count=estimated").await, (200, Some("0-1/2".into())));
    assert_eq!(counted("/items", "count=estimated").await, (206, Some("0-3/15".into())));
    assert_eq!(counted("/items", "count=none").await, (200, Some("0-3/*".into())));
}

/// PostgREST compares the exact count with the maximum to decide whether it is complete. Without a maximum, the larger
/// of the exact and the estimated count is returned.
#[tokio::test]
async fn without_a_maximum_the_larger_count_is_returned() {
    let api = Api::start().await;
    let counted = async || {
        let answer = api.send("HEAD", "/items", &[("Prefer", "count=estimated")], "").await;
        (answer.status.as_u16(), answer.header("content-range").map(str::to_owned))
    };
    api.sql("analyze api.items; delete from api.items where id > 10").await;
    assert_eq!(counted().await, (206, Some("0-9/15".into())));
    api.sql("insert into api.items (id) select generate_series(11, 30)").await;
    assert_eq!(counted().await, (200, Some("0-29/30".into())));
}

#[tokio::test]
async fn the_largest_range_selects_all_rows() {
    let api = Api::start().await;
    for range in ["0-9223372036854775807", "0-9223372036854775808"] {
        let answer = api.send("GET", "/items?select=id", &[("Range", range)], "").await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-range")),
            (200, Some("0-14/*")),
            "{range}"
        );
    }
    let answer = api.send("GET", "/items", &[("Range", "9223372036854775807-9223372036854775807")], "").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
}

#[tokio::test]
async fn counts_are_exact_if_configured() {
    let api = Api::start_with(&[("PGRST_DB_EXACT_COUNTS", "true")]).await;
    api.sql("insert into api.items (id) select generate_series(1001, 3000); analyze api.items; delete from api.items where id > 1000")
        .await;
    for prefer in ["count=planned", "count=estimated", "count=exact"] {
        let answer = api.send("HEAD", "/items", &[("Prefer", prefer)], "").await;
        assert_eq!(answer.header("content-range"), Some("0-14/15"), "{prefer}");
        assert_eq!(answer.header("preference-applied"), Some("count=exact"), "{prefer}");
    }
}
