//! The database is upgraded while a gateway serves it, with the schema cache of the older version.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::http::{Request, header};
use platform::env::Env;
use rest_gateway::{Config, Gateway};
use sqlx::ConnectOptions;
use test_support::client::TestClient;
use test_support::database::TestDatabase;
use test_support::person::{TEST_SECRET, token_of};
use test_support::waiting::eventually;
use tokio::task::JoinSet;

/// The oldest database that can be upgraded.
const DUMP: &[u8] = include_bytes!("../../../db/tests/upgrades/migration-0049.sql.gz");

const READS: [&str; 4] = [
    "/influencers?select=id,name,username,badge_type&approved=is.true&order=created_at.desc&limit=24",
    "/influencers?select=*&approved=is.true&name=ilike.*a*&limit=24",
    "/agencies?select=*&order=created_at.desc&limit=24",
    "/vendors?select=name,type&limit=24",
];

/// Requests of each client before and after the upgrade.
const AROUND: usize = 20;

async fn gateway(database: &TestDatabase) -> Gateway {
    let uri = database.url_as("authenticator").await;
    let env = Env::from_iter([
        ("PGRST_DB_URI", uri.as_str()),
        ("PGRST_DB_SCHEMAS", "public"),
        ("PGRST_DB_PRE_REQUEST", "public.raise_limits"),
        ("PGRST_DB_ANON_ROLE", "anon"),
        ("PGRST_JWT_SECRET", TEST_SECRET),
    ]);
    let gateway = rest_gateway::start(Config::from_env(&env).expect("settings")).await.expect("start");
    gateway.loaded().await;
    gateway
}

async fn read(
    client: TestClient,
    first: usize,
    count: Arc<AtomicUsize>,
    done: Arc<AtomicBool>,
) -> Vec<String> {
    let mut failures = Vec::new();
    for path in READS.iter().cycle().skip(first) {
        let answer = client.get(path).await;
        if answer.status != 200 || answer.json().as_array().is_none_or(Vec::is_empty) {
            failures.push(format!("{path}: {} {}", answer.status, answer.text()));
        }
        count.fetch_add(1, Ordering::Relaxed);
        if done.load(Ordering::Relaxed) {
            break;
        }
    }
    failures
}

/// An influencer who edits its own profile.
async fn write(
    client: TestClient,
    user: uuid::Uuid,
    count: Arc<AtomicUsize>,
    done: Arc<AtomicBool>,
) -> Vec<String> {
    let client = client.with_token(token_of(user, "somebody@example.test"));
    let mut failures = Vec::new();
    while !done.load(Ordering::Relaxed) {
        let request = Request::patch(format!("/influencers?user_id=eq.{user}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header("prefer", "return=representation");
        let answer = client.send(request, r#"{"bio": "Being upgraded"}"#).await;
        if answer.status != 200 || answer.json()[0]["bio"] != "Being upgraded" {
            failures.push(format!("PATCH: {} {}", answer.status, answer.text()));
        }
        count.fetch_add(1, Ordering::Relaxed);
    }
    failures
}

async fn more(count: &AtomicUsize, clients: usize) {
    let wanted = count.load(Ordering::Relaxed) + clients * AROUND;
    eventually("enough requests have ended", async || count.load(Ordering::Relaxed) >= wanted).await;
}

#[tokio::test]
async fn no_request_fails_while_the_database_is_upgraded() {
    let database = TestDatabase::restored(DUMP).await;
    let mut owner = database.owner().connect().await.expect("connect as superuser");
    let user: uuid::Uuid =
        sqlx::query_scalar("select user_id from app.influencers where approved order by user_id limit 1")
            .fetch_one(&mut owner)
            .await
            .expect("choose an influencer");
    // On a busy machine, an upgrade takes longer than requests usually wait for a lock. The gateway sets the limits that
    // roles have in the whole cluster, which other tests use.
    let raise_limits = "create function public.raise_limits() returns void language sql as
           $$ select set_config(name, '1min', true) from unnest('{lock_timeout,statement_timeout}'::text[]) name $$;
         grant execute on function public.raise_limits() to anon, authenticated";
    sqlx::raw_sql(raise_limits).execute(&mut owner).await.expect("raise the limits");
    let gateway = gateway(&database).await;
    let client = TestClient::new(gateway.router());
    let (count, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let mut clients = JoinSet::new();
    for first in 0..READS.len() {
        clients.spawn(read(client.clone(), first, Arc::clone(&count), Arc::clone(&done)));
    }
    clients.spawn(write(client, user, Arc::clone(&count), Arc::clone(&done)));
    more(&count, clients.len()).await;

    db::migrate(&mut owner, |_| ()).await.expect("upgrade");

    more(&count, clients.len()).await;
    done.store(true, Ordering::Relaxed);
    assert_eq!(clients.join_all().await.concat(), Vec::<String>::new());
    gateway.stop();
}
