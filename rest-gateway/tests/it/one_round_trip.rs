//! All statements of a request are sent at once. After a failed one the later ones must have no effect, and
//! the connection must keep nothing of the request.

use std::time::Duration;

use rest_gateway::execute::{self, Job};
use rest_gateway::pool::Pool;
use rest_gateway::query::fragment::Sql;
use serde_json::json;
use sqlx::Row;

use crate::support::{Api, bearer, config};

fn sql(text: &str) -> Sql {
    Sql { text: text.to_owned(), params: Vec::new() }
}

/// A job that inserts an item and returns what the gateway's statements return.
fn job(begin: &str, settings: &str) -> Job {
    Job {
        role: "gateway_anon".into(),
        begin: Some(begin.to_owned()),
        settings: sql(settings),
        pre_request: None,
        statement: sql("with source as (insert into api.items values (999) returning id) \
             select null::bigint as total_result_set, count(*) as page_total, null::text[] as header, \
             json_agg(source)::text as body, null::text as response_headers, null::text as response_status, \
             null::int as response_inserted from source")
        .into(),
        estimate: None,
        explains: false,
        rolls_back: false,
        reads_only: false,
        authenticated: true,
        schema_generation: 0,
    }
}

const BEGIN: &str = "BEGIN";
const AS_ANON: &str = "select set_config('role', 'gateway_anon', true)";

async fn pool_of_one(api: &Api) -> Pool {
    Pool::new(&config(&api.database, &[("PGRST_DB_POOL", "1")]).database)
}

async fn backend(pool: &Pool) -> i32 {
    let mut lease = pool.lease().await.unwrap();
    let pid = lease.connection().unwrap().simple("select pg_backend_pid()").await.unwrap().unwrap();
    lease.give_back(None);
    pid.parse().unwrap()
}

/// The pool's connection has the rights of the login role and no transaction.
async fn assert_keeps_nothing(pool: &Pool) {
    let mut lease = pool.lease().await.unwrap();
    let connection = lease.connection().unwrap();
    let role = connection.simple("select current_user").await.unwrap();
    assert_eq!(role.as_deref(), Some("gateway \"test\" login"));
    assert!(!connection.in_transaction);
    lease.give_back(None);
}

async fn items(api: &Api) -> i64 {
    let mut owner = api.owner().await;
    sqlx::query("select count(*) from api.items where id = 999").fetch_one(&mut owner).await.unwrap().get(0)
}

#[tokio::test]
async fn a_failed_begin_has_no_effect() {
    let api = Api::start().await;
    let pool = pool_of_one(&api).await;
    // Several times, because later runs use prepared statements.
    for _ in 0..3 {
        let error = execute::run(&pool, &job("BEGIN NONSENSE", AS_ANON), None).await.unwrap_err();
        assert_eq!(error.error_body().code, "42601");
    }
    assert_eq!(items(&api).await, 0);
    assert_keeps_nothing(&pool).await;
}

#[tokio::test]
async fn a_failed_setting_has_no_effect() {
    let api = Api::start().await;
    let pool = pool_of_one(&api).await;
    for settings in
        ["select set_config('role', 'postgres', true)", "select set_config('role', 'nobody_at_all', true)"]
    {
        for begin in [Some(BEGIN), None] {
            let mut job = job(BEGIN, settings);
            job.begin = begin.map(str::to_owned);
            let error = execute::run(&pool, &job, None).await.unwrap_err();
            assert!(["42501", "22023"].contains(&error.error_body().code.as_str()), "{error:?}");
            assert_keeps_nothing(&pool).await;
        }
    }
    assert_eq!(items(&api).await, 0);
    // Through the router: the pool's next request succeeds.
    for role in ["postgres", "nobody_at_all"] {
        let token = bearer(&json!({ "role": role }));
        assert!(
            api.ask("POST", "/items", &[("Authorization", &token)], r#"{"id":999}"#)
                .await
                .status
                .is_client_error()
        );
    }
    assert_eq!(items(&api).await, 0);
    api.shows("/rpc/current_role_name", json!("gateway_anon")).await;
}

#[tokio::test]
async fn a_failed_statement_leaves_a_usable_connection() {
    let api = Api::start().await;
    let pool = pool_of_one(&api).await;
    let before = backend(&pool).await;
    for _ in 0..4 {
        let mut failing = job(BEGIN, AS_ANON);
        failing.statement = sql("select 1 / 0").into();
        assert_eq!(execute::run(&pool, &failing, None).await.unwrap_err().error_body().code, "22012");
        failing.statement = sql("select nothing from nowhere").into();
        assert_eq!(execute::run(&pool, &failing, None).await.unwrap_err().error_body().code, "42P01");
    }
    assert_eq!(execute::run(&pool, &job(BEGIN, AS_ANON), None).await.unwrap().rows, 1);
    assert_eq!(items(&api).await, 1);
    assert_eq!(backend(&pool).await, before);
}

#[tokio::test]
async fn a_failed_check_rolls_back() {
    let api = Api::start().await;
    let pool = pool_of_one(&api).await;
    let refuse =
        |outcome: &execute::Outcome| Err(execute::error::CheckError::NotSingular { rows: outcome.rows });
    for _ in 0..3 {
        let error = execute::run(&pool, &job(BEGIN, AS_ANON), Some(&refuse)).await.unwrap_err();
        assert_eq!(error.error_body().code, "PGRST116");
    }
    assert_eq!(items(&api).await, 0);
}

#[tokio::test]
async fn a_dropped_request_discards_the_connection() {
    let api = Api::start().await;
    let pool = pool_of_one(&api).await;
    let before = backend(&pool).await;
    let mut slow = job(BEGIN, AS_ANON);
    slow.statement = sql("select pg_sleep(20)::text").into();
    let accept = |_: &execute::Outcome| Ok(());
    assert!(
        tokio::time::timeout(Duration::from_millis(200), execute::run(&pool, &slow, Some(&accept)))
            .await
            .is_err()
    );
    let after = tokio::time::timeout(Duration::from_secs(5), backend(&pool)).await.unwrap();
    assert_ne!(after, before);
    // PostgreSQL does not continue the statement either.
    let mut owner = api.owner().await;
    for _ in 0..100 {
        let running = sqlx::query("select count(*) from pg_stat_activity where pid = $1").bind(before);
        if running.fetch_one(&mut owner).await.unwrap().get::<i64, _>(0) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the statement still runs");
}

#[tokio::test]
async fn the_login_role_has_no_privileges() {
    let api = Api::start().await;
    let pool = pool_of_one(&api).await;
    let mut lease = pool.lease().await.unwrap();
    let connection = lease.connection().unwrap();
    for statement in
        ["select * from api.items", "insert into api.items values (999)", "select * from hidden.articles"]
    {
        let error = connection.simple(statement).await.unwrap_err();
        assert!(error.to_string().starts_with("permission denied"), "{statement}: {error}");
    }
}

#[tokio::test]
async fn concurrent_requests_do_not_mix() {
    let api = std::sync::Arc::new(Api::start().await);
    let author = bearer(&json!({ "role": "gateway_author" }));
    let asked = (0..60).map(|number| {
        let (api, author) = (std::sync::Arc::clone(&api), author.clone());
        async move {
            let headers = [("Authorization", author.as_str())];
            let headers = if number % 2 == 0 { &headers[..] } else { &[] };
            let path = format!("/rpc/get_guc?name=role&select={number}");
            let role =
                api.ask("GET", &path.replace(&format!("&select={number}"), ""), headers, "").await.json();
            let id = number % 15 + 1;
            let row = api.ask("GET", &format!("/items?id=eq.{id}"), headers, "").await.json();
            (number, role, row, id)
        }
    });
    for (number, role, row, id) in futures::future::join_all(asked).await {
        assert_eq!(role, if number % 2 == 0 { "gateway_author" } else { "gateway_anon" });
        assert_eq!(row, json!([{ "id": id }]));
    }
}
