//! Reads on real standbys.

use std::time::{Duration, Instant};

use axum::http::Request;
use platform::env::Env;
use rest_gateway::{Config, Gateway};
use serde_json::{Value, json};
use sqlx::{Executor, PgConnection};
use test_support::client::{Answer, TestClient};
use test_support::cluster::Cluster;
use test_support::waiting::eventually;

use crate::database::load_fixtures;
use crate::support::{SECRET, as_author};

/// `slow` holds a lock on a table, for a long time on a standby only.
const FUNCTIONS: &str = "
    create function api.on_standby() returns bool language sql stable as 'select pg_is_in_recovery()';
    create function api.on_standby_volatile() returns bool language sql volatile as 'select pg_is_in_recovery()';
    create function api.server_port() returns int language sql stable as 'select inet_server_port()';
    create table api.locked (id int);
    create function api.slow() returns bool language plpgsql stable as $$ begin
      perform from api.locked;
      if pg_is_in_recovery() then perform pg_sleep(20); end if;
      return pg_is_in_recovery();
    end $$;
    grant select on api.locked to gateway_anon;";

struct Setup {
    primary: Cluster,
    standbys: Vec<Cluster>,
    gateway: Gateway,
    client: TestClient,
}

impl Setup {
    async fn start(standbys: usize, settings: &[(&str, &str)]) -> Self {
        let primary = Cluster::start("");
        let mut owner = primary.connect().await;
        load_fixtures(&mut owner).await;
        owner.execute(FUNCTIONS).await.unwrap();
        let standbys: Vec<_> = (0..standbys).map(|_| primary.standby()).collect();
        let gateway = gateway(&primary, &standbys, settings).await;
        let client = TestClient::new(gateway.router());
        let setup = Self { primary, standbys, gateway, client };
        setup.wait_until_on_standby(true).await;
        setup
    }

    async fn on_standby(&self, headers: &[(&str, &str)]) -> bool {
        let answer = ask(&self.client, "GET", "/rpc/on_standby", headers, "").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json() == true
    }

    /// Waits until anonymous reads use the standby, or no longer do. These tests don't limit how long that
    /// takes.
    async fn wait_until_on_standby(&self, expected: bool) -> Duration {
        let began = Instant::now();
        while self.on_standby(&[]).await != expected {
            assert!(began.elapsed() < Duration::from_secs(20), "reads stay where they are");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        began.elapsed()
    }

    async fn insert(&self, id: i32, headers: &[(&str, &str)]) -> Answer {
        let body = json!({ "id": id, "name": "x" }).to_string();
        let answer = ask(&self.client, "POST", "/clients", headers, &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer
    }

    /// Whether a read sees the row.
    async fn sees(&self, id: i32, headers: &[(&str, &str)]) -> bool {
        sees(&self.client, id, headers).await
    }

    async fn standby_owner(&self) -> PgConnection {
        self.standbys[0].connect().await
    }

    /// Reads without a pause until it is dropped. Returns the statuses other than 200.
    fn load(&self) -> (tokio::sync::oneshot::Sender<()>, tokio::task::JoinHandle<(usize, Vec<u16>)>) {
        let client = TestClient::new(self.gateway.router());
        let (stop, mut stopped) = tokio::sync::oneshot::channel();
        let running = tokio::spawn(async move {
            let (mut answered, mut failures) = (0, Vec::new());
            while stopped.try_recv().is_err() {
                let reads = (0..4).map(|_| client.get("/clients?id=eq.1"));
                for answer in futures::future::join_all(reads).await {
                    answered += 1;
                    if answer.status != 200 {
                        failures.push(answer.status.as_u16());
                    }
                }
            }
            (answered, failures)
        });
        (stop, running)
    }
}

async fn gateway(primary: &Cluster, standbys: &[Cluster], settings: &[(&str, &str)]) -> Gateway {
    let url = |ports: &[u16]| {
        let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!("postgres://gateway%20%22test%22%20login:test-login@{}/postgres", hosts.join(","))
    };
    let ports: Vec<u16> = standbys.iter().map(Cluster::port).collect();
    let (uri, replicas) = (url(&[primary.port()]), url(&ports));
    let defaults = [
        ("PGRST_DB_URI", uri.as_str()),
        ("DATABASE_REPLICA_URL", replicas.as_str()),
        ("PGRST_DB_SCHEMAS", "api"),
        ("PGRST_DB_ANON_ROLE", "gateway_anon"),
        ("PGRST_DB_POOL", "5"),
        ("PGRST_JWT_SECRET", SECRET),
    ];
    let env: Env = defaults.iter().chain(settings).copied().collect();
    let gateway = rest_gateway::start(Config::from_env(&env).unwrap()).await.unwrap();
    gateway.loaded().await;
    gateway
}

async fn ask(client: &TestClient, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.send(request, body.to_owned()).await
}

/// An account. `as_author` has none, so that its reads and writes count as a visitor's.
fn account(name: &str) -> String {
    crate::support::bearer(&json!({ "role": "gateway_author", "sub": name }))
}

async fn sees(client: &TestClient, id: i32, headers: &[(&str, &str)]) -> bool {
    let answer = ask(client, "GET", &format!("/clients?select=id&id=eq.{id}"), headers, "").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json() == json!([{ "id": id }])
}

#[tokio::test]
async fn reads_come_from_the_standby_and_everything_else_from_the_primary() {
    let setup = Setup::start(1, &[]).await;
    for (method, path, expected) in [
        ("GET", "/rpc/on_standby", true),
        ("POST", "/rpc/on_standby", false),
        ("GET", "/rpc/on_standby_volatile", false),
    ] {
        assert_eq!(
            ask(&setup.client, method, path, &[], "").await.json(),
            Value::Bool(expected),
            "{method} {path}"
        );
    }
    assert_eq!(ask(&setup.client, "HEAD", "/clients", &[], "").await.status, 200);
    assert!(setup.gateway.ready().await.is_ok());
    assert!(!setup.on_standby(&[("x-read-after", "latest")]).await);
    // A user with a new token may have just signed up.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let token = |issued: u64| {
        crate::support::bearer(&json!({ "role": "gateway_author", "sub": "me", "iat": issued }))
    };
    assert!(!setup.on_standby(&[("authorization", &token(now))]).await);
    let old = token(now - 600);
    eventually("an older token reads from the standby", async || {
        setup.on_standby(&[("authorization", &old)]).await
    })
    .await;
}

#[tokio::test]
async fn a_writer_reads_its_write_immediately_through_any_gateway() {
    let setup = Setup::start(1, &[("DATABASE_REPLICA_LAG_SECONDS", "3600")]).await;
    let author = account("writer");
    let author = [("authorization", author.as_str())];
    let lag = [("DATABASE_REPLICA_LAG_SECONDS", "3600")];
    let other = TestClient::new(gateway(&setup.primary, &setup.standbys, &lag).await.router());
    eventually("a standby answers", async || {
        ask(&other, "GET", "/rpc/on_standby", &[], "").await.json() == true
    })
    .await;
    let mut owner = setup.standby_owner().await;
    owner.execute("select pg_wal_replay_pause()").await.unwrap();

    let written = setup.insert(901, &author).await;

    let position = written.header("x-read-after").unwrap().to_owned();
    let cookie = written.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert!(setup.sees(901, &author).await, "the writer");
    assert!(!sees(&other, 901, &[]).await, "others");
    assert!(sees(&other, 901, &[("x-read-after", &position)]).await, "the header");
    assert!(sees(&other, 901, &[("cookie", &cookie)]).await, "the cookie");
    assert!(sees(&other, 901, &[]).await, "a client that has seen it");
    assert!(setup.on_standby(&[]).await);

    owner.execute("select pg_wal_replay_resume()").await.unwrap();

    let began = Instant::now();
    while !sees(&other, 901, &[]).await || !setup.on_standby(&author).await {
        assert!(began.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn no_reader_sees_time_run_backwards() {
    let lag = [("DATABASE_REPLICA_LAG_SECONDS", "3600")];
    let mut setup = Setup::start(2, &lag).await;
    let other = TestClient::new(gateway(&setup.primary, &setup.standbys, &lag).await.router());
    eventually("the other gateway reads from a standby", async || {
        ask(&other, "GET", "/rpc/on_standby", &[], "").await.json() == true
    })
    .await;
    let port = ask(&setup.client, "GET", "/rpc/server_port", &[], "").await.json();
    let own = setup.standbys.iter().position(|standby| json!(standby.port()) == port).unwrap();
    let mut late = setup.standbys[1 - own].connect().await;
    late.execute("select pg_wal_replay_pause()").await.unwrap();
    setup.insert(903, &[("authorization", &account("writer"))]).await;

    let mut has_seen = false;
    let mut cookie = String::new();
    let began = Instant::now();
    // The reader never writes. Its standby is killed after it has seen the row, and the other one is late.
    while !has_seen || began.elapsed() < Duration::from_secs(4) {
        let answer = ask(&setup.client, "GET", "/clients?select=id&id=eq.903", &[], "").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let sees_it = answer.json() == json!([{ "id": 903 }]);
        assert!(sees_it || !has_seen, "after {:?}", began.elapsed());
        if sees_it && !has_seen {
            cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
            setup.standbys[own].kill();
        }
        has_seen |= sees_it;
    }
    assert!(sees(&other, 903, &[("cookie", &cookie)]).await, "through another gateway");

    // What the primary has shown.
    setup.insert(904, &[("authorization", &account("writer"))]).await;
    assert!(sees(&other, 904, &[("x-read-after", "latest")]).await);
    assert!(sees(&other, 904, &[]).await);
}

#[tokio::test]
async fn accounts_do_not_read_from_a_standby_that_is_late() {
    let setup = Setup::start(1, &[("DATABASE_REPLICA_LAG_SECONDS", "3600")]).await;
    let reader = account("reader");
    let reader = [("authorization", reader.as_str())];
    eventually("an account reads from the standby", async || setup.on_standby(&reader).await).await;
    setup.standby_owner().await.execute("select pg_wal_replay_pause()").await.unwrap();
    setup.insert(905, &[("authorization", &account("writer"))]).await;
    eventually("an account reads from the primary", async || !setup.on_standby(&reader).await).await;
    assert!(setup.on_standby(&[]).await, "visitors");
}

#[tokio::test]
async fn a_late_standby_is_not_used_until_it_has_caught_up() {
    let setup = Setup::start(1, &[("DATABASE_REPLICA_LAG_SECONDS", "1")]).await;
    let mut owner = setup.standby_owner().await;
    owner.execute("select pg_wal_replay_pause()").await.unwrap();
    setup.insert(902, &[("authorization", &as_author())]).await;
    setup.wait_until_on_standby(false).await;
    assert!(setup.sees(902, &[]).await);
    owner.execute("select pg_wal_replay_resume()").await.unwrap();
    setup.wait_until_on_standby(true).await;
}

#[tokio::test]
async fn no_request_fails_when_a_standby_is_killed_or_frozen() {
    let mut setup = Setup::start(2, &[]).await;
    let (stop, load) = setup.load();

    setup.standbys[0].kill();
    tokio::time::sleep(Duration::from_millis(500)).await;
    setup.standbys[1].freeze("STOP");
    let took = setup.wait_until_on_standby(false).await;
    setup.standbys[1].freeze("CONT");
    setup.wait_until_on_standby(true).await;
    setup.standbys[0].launch();

    stop.send(()).unwrap();
    let (answered, failures) = load.await.unwrap();
    assert_eq!(failures, [0; 0], "of {answered}");
    assert!(answered > 20 && took < Duration::from_secs(3), "{answered} {took:?}");
}

#[tokio::test]
async fn a_promoted_standby_is_not_used() {
    let setup = Setup::start(1, &[]).await;
    setup.standbys[0].promote();
    setup.wait_until_on_standby(false).await;
}

#[tokio::test]
async fn a_conflict_with_recovery_is_answered_by_the_primary() {
    let setup = Setup::start(1, &[]).await;
    let reading = ask(&setup.client, "GET", "/rpc/slow", &[], "");
    let locking = async {
        let mut standby = setup.standby_owner().await;
        let running = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
        eventually("the query runs", async || {
            sqlx::query_scalar::<_, i64>(running).fetch_one(&mut standby).await.unwrap() > 0
        })
        .await;
        setup.primary.connect().await.execute("begin; lock table api.locked; commit").await.unwrap();
    };
    let (answer, ()) = tokio::join!(reading, locking);
    assert_eq!((answer.status.as_u16(), answer.json()), (200, Value::Bool(false)), "{}", answer.text());
}
