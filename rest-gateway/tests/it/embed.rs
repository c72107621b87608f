use serde_json::{Value, json};

use crate::support::Api;
use test_support::waiting::eventually;

#[tokio::test]
async fn to_one_to_many_and_junction_relations_embed() {
    let api = Api::start().await;
    api.assert_rows(
        "/projects?select=id,clients(name)&id=in.(1,5)&order=id",
        json!([{ "id": 1, "clients": { "name": "Meranti" } }, { "id": 5, "clients": null }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=id,projects(id)&order=id&projects.order=id",
        json!([{ "id": 1, "projects": [{ "id": 1 }, { "id": 2 }] }, { "id": 2, "projects": [{ "id": 3 }, { "id": 4 }] }]),
    )
    .await;
    api.assert_rows(
        "/users?select=name,tasks(id)&id=eq.3&tasks.order=id",
        json!([{ "name": "Dewi Ratna", "tasks": [{ "id": 1 }, { "id": 5 }] }]),
    )
    .await;
    api.assert_rows(
        "/country?select=name,capital(name)&id=eq.1",
        json!([{ "name": "Austria", "capital": { "name": "Vienna" } }]),
    )
    .await;
    api.assert_rows(
        "/capital?select=name,country(name)&id=eq.2",
        json!([{ "name": "Brussels", "country": { "name": "Belgium" } }]),
    )
    .await;
    api.assert_rows(
        "/comments?select=content,users_tasks(users(name),tasks(name))",
        json!([{ "content": "Has to be ready on Friday",
                 "users_tasks": { "users": { "name": "Ayu Lestari" }, "tasks": { "name": "Draw w7" } } }]),
    )
    .await;
    api.assert_rows("/items?select=id,nothing:id&id=eq.1", json!([{ "id": 1, "nothing": 1 }])).await;
}

#[tokio::test]
async fn a_page_counts_the_rows_that_an_embedded_view_repeats() {
    let api = Api::start().await;
    api.sql(
        "create view api.clients_twice as select c.* from api.clients c, generate_series(1, 2);
         grant select on api.clients_twice to gateway_anon;
         notify pgrst",
    )
    .await;
    eventually("the schema cache is current", async || api.get("/clients_twice?limit=1").await.status != 404)
        .await;
    let page =
        |limit: &str| format!("/projects?select=id,clients_twice(name)&id=in.(1,3)&order=id.desc{limit}");
    let project = |id: i32, client: &str| json!({ "id": id, "clients_twice": { "name": client } });
    let all = [project(3, "Angsana"), project(3, "Angsana"), project(1, "Meranti"), project(1, "Meranti")];
    api.assert_rows(&page(""), json!(all)).await;
    api.assert_rows(&page("&limit=3"), json!(all[..3])).await;
    api.assert_rows(&page("&limit=2&offset=1"), json!(all[1..3])).await;
}

#[tokio::test]
async fn embedded_resources_nest_and_have_aliases() {
    let api = Api::start().await;
    api.assert_rows(
        "/clients?select=id,work:projects(label:name,tasks(id))&id=eq.1&work.id=eq.1&work.tasks.order=id.desc",
        json!([{ "id": 1, "work": [{ "label": "Willow 7", "tasks": [{ "id": 2 }, { "id": 1 }] }] }]),
    )
    .await;
    // By the name of the foreign key or of its column.
    let by_key = json!([{ "id": 1, "projects_client_id_fkey": { "name": "Meranti" } }]);
    api.assert_rows("/projects?select=id,projects_client_id_fkey(name)&id=eq.1", by_key).await;
    api.assert_rows(
        "/projects?select=id,client:client_id(name)&id=eq.1",
        json!([{ "id": 1, "client": { "name": "Meranti" } }]),
    )
    .await;
}

#[tokio::test]
async fn embedded_resources_are_filtered_ordered_and_limited() {
    let api = Api::start().await;
    api.assert_rows(
        "/clients?select=id,projects(id)&projects.id=eq.2&order=id",
        json!([{ "id": 1, "projects": [{ "id": 2 }] }, { "id": 2, "projects": [] }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=id,projects(id)&projects.order=id.desc&projects.limit=1&order=id",
        json!([{ "id": 1, "projects": [{ "id": 2 }] }, { "id": 2, "projects": [{ "id": 4 }] }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=id,projects(id)&projects.order=id&projects.limit=1&projects.offset=1&id=eq.1",
        json!([{ "id": 1, "projects": [{ "id": 2 }] }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=id,projects(id)&projects.or=(id.eq.1,name.eq.Ostrava)&order=id",
        json!([{ "id": 1, "projects": [{ "id": 1 }] }, { "id": 2, "projects": [{ "id": 4 }] }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=id,projects(id)&projects.not.or=(id.eq.1,id.eq.3)&order=id",
        json!([{ "id": 1, "projects": [{ "id": 2 }] }, { "id": 2, "projects": [{ "id": 4 }] }]),
    )
    .await;
    let refused = api.assert_error("/clients?select=id&projects.id=eq.2", 400, "PGRST108").await;
    assert_eq!(refused["message"], "'projects' is not an embedded resource in this request");
    assert_eq!(refused["hint"], "Verify that 'projects' is included in the 'select' query parameter.");
}

#[tokio::test]
async fn inner_joins_drop_rows_without_a_match() {
    let api = Api::start().await;
    let ids = |rows: Value| -> Vec<i64> {
        rows.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids(api.rows("/projects?select=id,clients!inner(id)&order=id").await), [1, 2, 3, 4]);
    assert_eq!(ids(api.rows("/projects?select=id,clients!left(id)&order=id").await), [1, 2, 3, 4, 5]);
    assert_eq!(
        ids(api.rows("/projects?select=id,clients!inner(id)&clients.name=eq.Angsana&order=id").await),
        [3, 4]
    );
    assert_eq!(ids(api.rows("/clients?select=id,projects!inner(id)&projects.name=eq.Irosa").await), [2]);
    assert_eq!(ids(api.rows("/users?select=id,tasks!inner(id)&tasks.id=eq.6").await), [2]);
    assert_eq!(
        ids(api
            .rows("/clients?select=id,projects!inner(id,tasks!inner(id))&projects.tasks.name=like.*w10")
            .await),
        [1]
    );
    // The count only includes the remaining rows.
    let answer = api
        .send(
            "GET",
            "/projects?select=id,clients!inner(id)&clients.id=eq.1",
            &[("Prefer", "count=exact")],
            "",
        )
        .await;
    assert_eq!(answer.header("content-range"), Some("0-1/2"));
}

#[tokio::test]
async fn null_filters_test_for_embedded_rows() {
    let api = Api::start().await;
    api.assert_rows("/projects?select=id,clients(id)&clients=is.null", json!([{ "id": 5, "clients": null }]))
        .await;
    api.assert_rows(
        "/projects?select=id,clients()&clients=not.is.null&order=id&limit=2",
        json!([{ "id": 1 }, { "id": 2 }]),
    )
    .await;
    api.assert_rows("/projects?select=id,tasks()&tasks=is.null", json!([{ "id": 5 }])).await;
    api.assert_rows(
        "/projects?select=id,clients(),tasks()&or=(clients.is.null,tasks.is.null)",
        json!([{ "id": 5 }]),
    )
    .await;
    let answer = api
        .send("GET", "/projects?select=id,clients()&clients=not.is.null", &[("Prefer", "count=exact")], "")
        .await;
    assert_eq!(answer.header("content-range"), Some("0-3/4"));
}

#[tokio::test]
async fn rows_are_ordered_by_a_to_one_resource() {
    let api = Api::start().await;
    api.assert_rows(
        "/projects?select=id,clients()&order=clients(name).asc.nullslast,id.desc",
        json!([{ "id": 4 }, { "id": 3 }, { "id": 2 }, { "id": 1 }, { "id": 5 }]),
    )
    .await;
    api.assert_rows(
        "/projects?select=id,c:clients(name)&order=c(name).desc.nullslast,id&limit=1",
        json!([{ "id": 1, "c": { "name": "Meranti" } }]),
    )
    .await;
    let many = api.assert_error("/clients?select=id,projects(id)&order=projects(id)", 400, "PGRST118").await;
    assert_eq!(many["message"], "A related order on 'projects' is not possible");
    assert_eq!(
        many["details"],
        "'clients' and 'projects' do not form a many-to-one or one-to-one relationship"
    );
    api.assert_error("/projects?select=id&order=clients(name)", 400, "PGRST108").await;
}

#[tokio::test]
async fn views_have_the_relations_of_their_tables() {
    let api = Api::start().await;
    let one = json!([{ "id": 1, "clients": { "name": "Meranti" } }]);
    api.assert_rows("/projects_view?select=id,clients(name)&id=eq.1", one.clone()).await;
    api.assert_rows("/materialized_projects?select=id,clients(name)&id=eq.1", one).await;
    api.assert_rows(
        "/projects_view_alt?select=t_id,clients(name)&t_id=eq.1",
        json!([{ "t_id": 1, "clients": { "name": "Meranti" } }]),
    )
    .await;
    api.assert_rows(
        "/projects?select=id,clients_view(name)&id=eq.1",
        json!([{ "id": 1, "clients_view": { "name": "Meranti" } }]),
    )
    .await;
    api.assert_rows(
        "/projects_view?select=id,clients_view(name)&id=eq.1",
        json!([{ "id": 1, "clients_view": { "name": "Meranti" } }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=id,projects_view(id)&id=eq.2",
        json!([{ "id": 2, "projects_view": [{ "id": 3 }, { "id": 4 }] }]),
    )
    .await;
    api.assert_rows(
        "/nested_projects_view?select=t_id,tasks(id)&t_id=eq.1&tasks.order=id",
        json!([{ "t_id": 1, "tasks": [{ "id": 1 }, { "id": 2 }] }]),
    )
    .await;
    api.assert_rows(
        "/articles?select=id,users(name)&id=eq.1",
        json!([{ "id": 1, "users": { "name": "Ayu Lestari" } }]),
    )
    .await;
    api.assert_rows("/users?select=id,articles(id)&id=eq.2", json!([{ "id": 2, "articles": [{ "id": 2 }] }]))
        .await;
}

#[tokio::test]
async fn functions_compute_columns_and_relations() {
    let api = Api::start().await;
    api.assert_rows(
        "/clients?select=id,computed_projects(id)&id=eq.1&computed_projects.order=id",
        json!([{ "id": 1, "computed_projects": [{ "id": 1 }, { "id": 2 }] }]),
    )
    .await;
    api.assert_rows(
        "/projects?select=id,computed_client(name,upper_name)&id=eq.3",
        json!([{ "id": 3, "computed_client": { "name": "Angsana", "upper_name": "ANGSANA" } }]),
    )
    .await;
    api.assert_rows(
        "/projects?select=id,computed_client!inner(id)&computed_client.name=eq.Angsana&order=id",
        json!([{ "id": 3, "computed_client": { "id": 2 } }, { "id": 4, "computed_client": { "id": 2 } }]),
    )
    .await;
}

#[tokio::test]
async fn using_a_name_instead_of_its_alias_warns_or_fails() {
    let api = Api::start().await;
    let by_name = "/clients?select=id,works:projects(id,jobs:tasks(id))&id=eq.2&projects.order=id.desc&projects.limit=1&projects.tasks.limit=0";
    let answer = api.get(by_name).await;
    assert_eq!(answer.json(), json!([{ "id": 2, "works": [{ "id": 4, "jobs": [] }] }]));
    let warning = answer.header("warning").expect("a warning");
    assert!(warning.starts_with("299 PostgRESTv"), "{warning}");
    assert!(
        warning.ends_with(
            "Update `projects` to `works`, `tasks` to `jobs` in query string filters, orders or limits.\""
        ),
        "{warning}"
    );

    let by_alias = "/clients?select=id,works:projects(id)&id=eq.2&works.id=eq.3";
    assert_eq!(api.get(by_alias).await.header("warning"), None);

    // The name of another resource without an alias takes precedence.
    let both = "/clients?select=id,works:projects(id),projects(id)&id=eq.2&projects.id=eq.3&works.id=eq.4";
    let answer = api.get(both).await;
    assert_eq!(answer.json(), json!([{ "id": 2, "works": [{ "id": 4 }], "projects": [{ "id": 3 }] }]));
    assert_eq!(answer.header("warning"), None);

    let strict = Api::start_with(&[("PGRST_URL_USE_LEGACY_TARGET_NAMES", "false")]).await;
    let refused = strict.assert_error(by_name, 400, "PGRST108").await;
    assert_eq!(refused["details"], "Target names are not allowed in filters if they have an alias");
    assert_eq!(strict.get(by_alias).await.status, 200);
}
