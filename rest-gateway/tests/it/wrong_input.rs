//! Client errors get a 4xx status, even if PostgreSQL reports an internal error or a limit.

use serde_json::json;

use crate::support::Api;
use test_support::waiting::eventually;

async fn status_and_code(api: &Api, method: &str, path: &str, body: &str) -> (u16, String) {
    let headers = [("Prefer", "resolution=merge-duplicates")];
    let answer = api.send(method, path, &headers, body).await;
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn wrong_input_is_a_client_error() {
    let api = Api::start().await;
    api.sql(
        "create view api.totals as select count(*) as clients from api.clients;
         grant select, insert, update, delete on api.totals to gateway_anon;
         notify pgrst, 'reload schema'",
    )
    .await;
    eventually("the schema cache is current", async || api.get("/totals").await.status != 404).await;
    let twice = json!([{ "id": 77, "name": "a" }, { "id": 77, "name": "b" }]).to_string();
    for (method, path, body, status, code) in [
        ("POST", "/totals", "{\"clients\":1}", 405, "55000"),
        ("PATCH", "/totals?clients=eq.1", "{\"clients\":1}", 405, "55000"),
        ("DELETE", "/totals?clients=eq.1", "", 405, "55000"),
        ("GET", "/clients?name=fts(0).x", "", 400, "XX000"),
        ("GET", "/clients?name=plfts(99999).x", "", 400, "XX000"),
        ("GET", "/clients?select=name::unknown", "", 400, "XX000"),
        ("GET", "/clients?id=eq(any).{{{{{{{1}}}}}}}", "", 400, "54000"),
        ("POST", "/clients", twice.as_str(), 400, "21000"),
    ] {
        let found = status_and_code(&api, method, path, body).await;
        assert_eq!(found, (status, code.to_owned()), "{method} {path}");
    }
}

/// As in PostgREST, because the client does not choose what functions and triggers do.
#[tokio::test]
async fn errors_inside_functions_are_server_errors() {
    let api = Api::start().await;
    api.sql(
        "create table api.endless (id int);
         create function api.insert_again() returns trigger language plpgsql as
           $$ begin insert into api.endless values (new.id); return new; end $$;
         create trigger again before insert on api.endless for each row execute function api.insert_again();
         create view api.totals as select count(*) as clients from api.clients;
         create function api.write_total() returns void language plpgsql security definer as
           $$ begin insert into api.totals values (1); end $$;
         create function api.nested() returns int[] language plpgsql as
           $$ begin return '{{{{{{{1}}}}}}}'; end $$;
         grant insert on api.endless to gateway_anon; notify pgrst, 'reload schema'",
    )
    .await;
    eventually("the schema cache is current", async || {
        api.post("/rpc/nested", json!({})).await.status != 404
    })
    .await;
    for (path, body, code) in [
        ("/endless", "{\"id\":1}", "54001"),
        ("/rpc/write_total", "{}", "55000"),
        ("/rpc/nested", "{}", "54000"),
    ] {
        let found = status_and_code(&api, "POST", path, body).await;
        assert_eq!(found, (500, code.to_owned()), "{path}");
    }
}
