use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn aggregates_are_disabled_by_default() {
    let api = Api::start().await;
    let refused = api.refuses("/processes?select=cost.sum()", 400, "PGRST123").await;
    assert_eq!(refused["message"], "Use of aggregate functions is not allowed");
    api.refuses("/factories?select=name,processes(count())", 400, "PGRST123").await;
}

#[tokio::test]
async fn rows_are_grouped_by_the_columns_without_aggregate() {
    let api = Api::start_with(&[("PGRST_DB_AGGREGATES_ENABLED", "true")]).await;
    api.shows("/processes?select=count()", json!([{ "count": 4 }])).await;
    api.shows(
        "/processes?select=n:count(),cost.sum(),most:cost.max(),cost.avg()::int&factory_id=eq.1",
        json!([{ "n": 2, "sum": 30, "most": 20, "avg": 15 }]),
    )
    .await;
    api.shows(
        "/processes?select=factory_id,cost.sum()&factory_id=not.is.null&order=factory_id",
        json!([{ "factory_id": 1, "sum": 30 }, { "factory_id": 2, "sum": 30 }]),
    )
    .await;
    api.shows("/processes?select=name.count()", json!([{ "count": 4 }])).await;
    api.shows(
        "/factories?select=name,processes(count())&order=id&limit=1",
        json!([{ "name": "Factory A", "processes": [{ "count": 2 }] }]),
    )
    .await;
    api.shows(
        "/processes?select=...factories(factory:name),cost.sum()&factory_id=eq.1",
        json!([{ "factory": "Factory A", "sum": 30 }]),
    )
    .await;
    api.shows("/tasks?select=...projects(client_id.max())&project_id=lt.3", json!([{ "max": 1 }])).await;
}

#[tokio::test]
async fn aggregates_in_to_many_spreads_are_not_implemented() {
    let api = Api::start_with(&[("PGRST_DB_AGGREGATES_ENABLED", "true")]).await;
    let refused = api.refuses("/factories?select=name,...processes(cost.sum())", 400, "PGRST127").await;
    assert_eq!(refused["details"], "Aggregates are not implemented for one-to-many or many-to-many spreads.");
}
