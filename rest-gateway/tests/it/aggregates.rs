use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn aggregates_are_disabled_by_default() {
    let api = Api::start().await;
    let refused = api.assert_error("/processes?select=cost.sum()", 400, "PGRST123").await;
    assert_eq!(refused["message"], "Use of aggregate functions is not allowed");
    api.assert_error("/factories?select=name,processes(count())", 400, "PGRST123").await;
}

#[tokio::test]
async fn rows_are_grouped_by_the_columns_without_an_aggregate() {
    let api = Api::start_with(&[("PGRST_DB_AGGREGATES_ENABLED", "true")]).await;
    api.assert_rows("/processes?select=count()", json!([{ "count": 4 }])).await;
    api.assert_rows(
        "/processes?select=n:count(),cost.sum(),most:cost.max(),cost.avg()::int&factory_id=eq.1",
        json!([{ "n": 2, "sum": 30, "most": 20, "avg": 15 }]),
    )
    .await;
    api.assert_rows(
        "/processes?select=factory_id,cost.sum()&factory_id=not.is.null&order=factory_id",
        json!([{ "factory_id": 1, "sum": 30 }, { "factory_id": 2, "sum": 30 }]),
    )
    .await;
    api.assert_rows("/processes?select=name.count()", json!([{ "count": 4 }])).await;
    api.assert_rows(
        "/factories?select=name,processes(count())&order=id&limit=1",
        json!([{ "name": "Factory A", "processes": [{ "count": 2 }] }]),
    )
    .await;
    api.assert_rows(
        "/processes?select=...factories(factory:name),cost.sum()&factory_id=eq.1",
        json!([{ "factory": "Factory A", "sum": 30 }]),
    )
    .await;
    api.assert_rows("/tasks?select=...projects(client_id.max())&project_id=lt.3", json!([{ "max": 1 }]))
        .await;
}

#[tokio::test]
async fn aggregates_in_to_many_spreads_are_not_implemented() {
    let api = Api::start_with(&[("PGRST_DB_AGGREGATES_ENABLED", "true")]).await;
    let refused = api.assert_error("/factories?select=name,...processes(cost.sum())", 400, "PGRST127").await;
    assert_eq!(refused["details"], "Aggregates are not implemented for one-to-many or many-to-many spreads.");
}
