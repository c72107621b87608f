use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn a_to_one_resource_is_spread_into_columns() {
    let api = Api::start().await;
    api.assert_rows(
        "/projects?select=id,...clients(client_name:name)&id=in.(1,5)&order=id",
        json!([{ "id": 1, "client_name": "Meranti" }, { "id": 5, "client_name": null }]),
    )
    .await;
    api.assert_rows(
        "/tasks?select=id,...projects(project:name,...clients(client:name))&id=eq.5",
        json!([{ "id": 5, "project": "Irosa", "client": "Angsana" }]),
    )
    .await;
    api.assert_rows(
        "/tasks?select=id,...projects(clients(name))&id=eq.5",
        json!([{ "id": 5, "clients": { "name": "Angsana" } }]),
    )
    .await;
    api.assert_rows(
        "/projects?select=id,...clients!inner(name)&clients.id=eq.2&order=id&limit=1",
        json!([{ "id": 3, "name": "Angsana" }]),
    )
    .await;
}

#[tokio::test]
async fn a_to_many_resource_is_spread_into_arrays() {
    let api = Api::start().await;
    api.assert_rows(
        "/clients?select=id,...projects(projects:name,ids:id)&order=id&projects.order=id.desc",
        json!([
            { "id": 1, "projects": ["Willow 10", "Willow 7"], "ids": [2, 1] },
            { "id": 2, "projects": ["Ostrava", "Irosa"], "ids": [4, 3] },
        ]),
    )
    .await;
    api.assert_rows("/projects?select=id,...tasks(names:name)&id=eq.5", json!([{ "id": 5, "names": [] }]))
        .await;
    api.assert_rows(
        "/users?select=id,...tasks(*)&id=eq.3&tasks.order=id",
        json!([{ "id": [1, 5], "name": ["Draw w7", "Draw Irosa"], "project_id": [1, 3] }]),
    )
    .await;
}
