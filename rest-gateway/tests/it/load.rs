//! Clients share the connections fairly, and the cost of a request is limited.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use sqlx::Executor;

use crate::support::{Api, bearer};
use test_support::waiting::eventually;

const PROXIES: (&str, &str) = ("TRUSTED_PROXIES", "127.0.0.0/8");

/// Starts the gateway with a slow view.
async fn start(settings: &[(&str, &str)]) -> Arc<Api> {
    let settings: Vec<_> = settings.iter().copied().chain([PROXIES]).collect();
    let api = Api::start_with(&settings).await;
    api.sql(
        "create view api.slow as select id, name, pg_sleep(0.3)::text as slept from api.clients where id = 1;
         create function api.client_address() returns text language sql volatile as
           $$ select current_setting('request.client_address', true) $$;
         create function api.client_address_read() returns text language sql stable as
           $$ select current_setting('request.client_address', true) $$;
         grant select on api.slow to gateway_anon;
         notify pgrst, 'reload schema'",
    )
    .await;
    eventually("the schema cache is current", async || {
        api.send("POST", "/rpc/client_address_read", &[], "{}").await.status != 404
    })
    .await;
    Arc::new(api)
}

async fn get(api: &Api, client: &str, path: &str) -> (u16, Option<String>, Duration) {
    let began = Instant::now();
    let answer = api.send("GET", path, &[("X-Forwarded-For", client)], "").await;
    let retry = answer.header("retry-after").map(str::to_owned);
    (answer.status.as_u16(), retry, began.elapsed())
}

#[tokio::test]
async fn a_flood_of_one_client_does_not_block_others() {
    let api = start(&[("PGRST_DB_POOL", "5"), ("GATEWAY_EXPENSIVE_STATEMENTS", "2")]).await;
    let flood = (0..30).map(|_| {
        let api = Arc::clone(&api);
        tokio::spawn(async move { get(&api, "203.0.113.1", "/slow?name=match.eran&slept=is.not_null").await })
    });
    let flood: Vec<_> = flood.collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    for _ in 0..10 {
        let (status, _, took) = get(&api, "203.0.113.2", "/clients?id=eq.1").await;
        assert_eq!(status, 200);
        assert!(took < Duration::from_millis(250), "{took:?}");
    }
    // The other client's search runs before the rest of the flood.
    let (status, _, took) = get(&api, "203.0.113.2", "/slow?name=match.eran&slept=is.not_null").await;
    assert_eq!(status, 200);
    assert!(took < Duration::from_millis(1500), "{took:?}");
    let flooded = join_all(flood).await;
    let refused = flooded.iter().filter(|answer| answer.as_ref().unwrap().0 == 503).count();
    assert!((10..30).contains(&refused), "{refused} refused");
    for answer in flooded.into_iter().map(Result::unwrap) {
        assert!(answer.0 == 200 || answer.0 == 503 && answer.1.is_some(), "{answer:?}");
    }
}

/// Anyone can have many accounts.
#[tokio::test]
async fn many_accounts_of_one_address_share_its_part() {
    let settings =
        [("PGRST_DB_POOL", "5"), ("GATEWAY_EXPENSIVE_STATEMENTS", "2"), ("GATEWAY_QUEUE_LENGTH", "20")];
    let api = start(&settings).await;
    api.sql("grant select on api.slow, api.clients to gateway_author").await;
    let search = "/slow?name=match.eran&slept=is.not_null";
    let flood: Vec<_> = (0..60)
        .map(|number| {
            let api = Arc::clone(&api);
            let token = bearer(&json!({ "role": "gateway_author", "sub": format!("account {number}") }));
            tokio::spawn(async move {
                let headers = [("X-Forwarded-For", "203.0.113.1"), ("Authorization", token.as_str())];
                api.send("GET", search, &headers, "").await.status.as_u16()
            })
        })
        .collect();
    // The queue is full.
    let refused = async {
        while !flood.iter().any(tokio::task::JoinHandle::is_finished) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), refused).await.unwrap();
    for path in ["/clients?id=eq.1", "/clients?order=id", search] {
        let (status, _, took) = get(&api, "203.0.113.2", path).await;
        assert_eq!(status, 200, "{path}");
        assert!(took < Duration::from_millis(1500), "{path}: {took:?}");
    }
    for answer in join_all(flood).await {
        assert!([200, 503].contains(&answer.unwrap()));
    }
}

#[tokio::test]
async fn a_full_queue_rejects_requests_immediately() {
    let api = start(&[("PGRST_DB_POOL", "1"), ("GATEWAY_QUEUE_LENGTH", "0")]).await;
    let running = {
        let api = Arc::clone(&api);
        tokio::spawn(async move { get(&api, "203.0.113.1", "/slow").await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    let answer = api.send("GET", "/clients?id=eq.1", &[("X-Forwarded-For", "203.0.113.2")], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, Some("1")));
    assert_eq!(answer.json()["code"], "GATEWAY_BUSY");
    assert_eq!(running.await.unwrap().0, 200);
}

/// PostgreSQL builds the results in memory, and they can be many times as large as the tables.
#[tokio::test]
async fn requests_that_repeat_lists_count_as_expensive() {
    let settings =
        [("PGRST_DB_POOL", "5"), ("GATEWAY_EXPENSIVE_STATEMENTS", "1"), ("GATEWAY_QUEUE_LENGTH", "0")];
    let api = start(&settings).await;
    let many: Vec<_> = (0..9).map(|number| format!("a{number}:projects(id)")).collect();
    let many = format!("/clients?select=id,{}", many.join(","));
    for (path, is_refused) in [
        ("/projects?select=id,clients(id,projects(id))", true),
        ("/tasks?select=id,users(id,tasks(id))", true),
        (many.as_str(), true),
        ("/clients?select=id,projects(id,tasks(id))", false),
        ("/tasks?select=id,projects(id,clients(id))", false),
    ] {
        let mut owner = api.owner().await;
        owner.execute("begin; lock table api.projects, api.users").await.unwrap();
        let waiting = |client: &'static str| {
            let (api, path) = (Arc::clone(&api), path.to_owned());
            tokio::spawn(async move { get(&api, client, &path).await.0 })
        };
        let first = waiting("203.0.113.1");
        tokio::time::sleep(Duration::from_millis(200)).await;
        let second = waiting("203.0.113.2");
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(second.is_finished(), is_refused, "{path}");
        owner.execute("rollback").await.unwrap();
        assert_eq!(first.await.unwrap(), 200, "{path}");
        assert_eq!(second.await.unwrap(), if is_refused { 503 } else { 200 }, "{path}");
    }
}

#[tokio::test]
async fn the_pool_timeout_keeps_postgrests_error() {
    let api = start(&[("PGRST_DB_POOL", "1"), ("PGRST_DB_POOL_ACQUISITION_TIMEOUT", "1")]).await;
    let slow = |_| {
        let api = Arc::clone(&api);
        tokio::spawn(async move { get(&api, "203.0.113.1", "/slow?id=gt.0").await })
    };
    let answers = join_all((0..6).map(slow)).await;
    assert!(answers.into_iter().any(|answer| answer.unwrap().0 == 504));
}

#[tokio::test]
async fn the_memory_of_unread_responses_is_limited() {
    let api = start(&[("GATEWAY_MAX_RESPONSE_BYTES", "100000")]).await;
    api.sql(
        "create function api.large() returns text language sql stable as $$ select repeat('x', 70000) $$;
         notify pgrst, 'reload schema'",
    )
    .await;
    eventually("the schema cache is current", async || api.get("/rpc/large").await.status != 404).await;
    // The body stays in memory until the response is dropped.
    let unread = api.get("/rpc/large").await;
    assert_eq!(unread.status, 200);
    let refused = api.get("/rpc/large").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    assert_eq!(refused.json()["code"], "GATEWAY_BUSY");
    assert_eq!(api.get("/clients?id=eq.1").await.status, 200);
    let row = json!({ "id": 900, "name": "x".repeat(70_000) }).to_string();
    let written = api.send("POST", "/clients", &[("Prefer", "return=representation")], &row).await;
    assert_eq!(written.status, 201, "a committed write is not refused");
    drop(unread);
    assert_eq!(api.get("/rpc/large").await.status, 200);
}

#[tokio::test]
async fn a_response_above_the_limit_is_refused() {
    let api = start(&[("GATEWAY_MAX_RESPONSE_BYTES", "500000"), ("PGRST_DB_POOL", "1")]).await;
    let name = |id: i32, length: usize| json!({ "id": id, "name": "x".repeat(length) }).to_string();
    let returned = [("Prefer", "return=representation")];
    assert_eq!(api.send("POST", "/clients", &returned, &name(900, 400_000)).await.status, 201);
    let refused = api.send("POST", "/clients", &returned, &name(901, 600_000)).await;
    assert_eq!(refused.status, 413);
    let error = refused.json();
    assert_eq!(error["code"], "54000");
    assert_eq!(error["message"], "The response is larger than 500000 bytes");
    assert_eq!(error["details"], "The change was saved.");
    api.assert_rows("/clients?id=eq.901&select=id", json!([{ "id": 901 }])).await;
    api.assert_error("/clients?id=gt.0&select=*,again:name,once_more:name", 413, "54000").await;
    // The only connection can still be used.
    assert_eq!(api.get("/clients?id=eq.1").await.status, 200);
    let minimal = api.send("POST", "/clients", &[], &name(902, 600_000)).await;
    assert_eq!(minimal.status, 201, "the limit is for responses");
}

#[tokio::test]
async fn search_patterns_are_limited() {
    let api = start(&[]).await;
    let search = |count: usize| {
        let patterns = ["name.ilike.*eran*", "name.like.x", "name.match.x", "name.imatch.y"];
        let patterns: Vec<_> = patterns.into_iter().cycle().take(count).collect();
        format!("/clients?select=id&or=({})&id=lt.9", patterns.join(","))
    };
    api.assert_rows(&search(24), json!([{ "id": 1 }])).await;
    let code = "GATEWAY_TOO_MANY_PATTERNS";
    api.assert_error(&search(25), 400, code).await;
    let long = |length: usize| format!("/clients?select=id&name=match.{}", "a".repeat(length));
    api.assert_rows(&long(8192), json!([])).await;
    api.assert_error(&long(8193), 400, code).await;
}

/// PostgreSQL builds the response in memory. A short request could fill it.
#[tokio::test]
async fn copies_of_the_same_data_are_limited() {
    let api = start(&[]).await;
    let code = "GATEWAY_TOO_MANY_COPIES";
    let copies = |of: &str, count: usize| -> String {
        let items: Vec<_> = (0..count).map(|number| format!("a{number}:{of}")).collect();
        items.join(",")
    };
    assert_eq!(api.get(&format!("/clients?select={}", copies("name", 32))).await.status, 200);
    for select in [
        copies("name", 33),
        copies("name::text", 33),
        format!("*,{}", copies("name", 32)),
        copies("projects(name)", 33),
        copies("projects(*)", 33),
        // The columns of a list and of its parent's are the same.
        format!("projects(clients(name)),{}", copies("name", 32)),
        "projects(clients(projects(clients(projects(id)))))".to_owned(),
    ] {
        api.assert_error(&format!("/clients?select={select}"), 400, code).await;
    }
    let part = "data->0";
    assert_eq!(api.get(&format!("/jsonb_table?select={}", copies(part, 256))).await.status, 200);
    api.assert_error(&format!("/jsonb_table?select={}", copies(part, 257)), 400, code).await;
    let written = format!("/clients?id=eq.1&select={}", copies("name", 33));
    let refused =
        api.send("PATCH", &written, &[("Prefer", "return=representation")], r#"{ "name": "x" }"#).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (400, &json!(code)));
    assert_eq!(api.get("/clients?select=id,projects(clients(projects(id)))").await.status, 200);
}

#[tokio::test]
async fn the_client_address_is_set_for_writes() {
    let api = start(&[]).await;
    let call = async |path: &str| {
        api.send("POST", path, &[("X-Forwarded-For", "::ffff:203.0.113.9")], "{}").await.json()
    };
    assert_eq!(call("/rpc/client_address").await, json!("203.0.113.9"));
    // Reads don't set it. It is empty instead of null on a connection that was used for a write before.
    assert!([json!(null), json!("")].contains(&call("/rpc/client_address_read").await));
}
