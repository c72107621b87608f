//! Database outages: silent, gone, restarted, or locked. Clients are told to retry, and the service recovers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use test_support::client::{Answer, TestClient};
use test_support::faulty_proxy::{Fault, FaultyProxy};
use test_support::log::Log;

use crate::support::{Person, Service, pixel, post};

/// The limit from the issue.
const LIMIT: Duration = Duration::from_secs(10);
/// The limit once the service has detected the outage.
const KNOWN_OUTAGE_LIMIT: Duration = Duration::from_secs(2);

/// A service with a proxy in front of its database.
async fn behind_proxy() -> (Service, FaultyProxy) {
    let mut service = Service::start().await;
    let database = service.config.database.pooled.host(0).clone();
    let server = (database.get_host().to_owned(), database.get_port());
    let address = tokio::net::lookup_host(server).await.unwrap().next().unwrap();
    let proxy = FaultyProxy::start(address).await;
    service.config.database = database.host("127.0.0.1").port(proxy.address().port()).into();
    service.app = storage_service::app(service.config.clone()).await.unwrap();
    (service, proxy)
}

#[track_caller]
fn assert_told_to_retry(answer: &Answer, code: &str) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.header("retry-after"), Some("1"));
    let body = answer.json();
    assert_eq!((&body["statusCode"], &body["code"]), (&"503".into(), &code.into()), "{body}");
}

/// Sends a download, an upload and a listing at the same time.
async fn ask_everything(service: &Service, owner: &Person) -> (Vec<Answer>, Duration) {
    let began = Instant::now();
    let key = format!("images/{}/{}.png", owner.id, uuid::Uuid::new_v4());
    let download = format!("/object/public/images/{}/first.png", owner.id);
    let info = format!("/object/info/public/images/{}/first.png", owner.id);
    let visitor = service.visitor();
    let (upload, download, info) = tokio::join!(
        post(&owner.client, &key, "image/png", pixel("png")),
        visitor.get(&download),
        owner.client.get(&info),
    );
    (vec![upload, download, info], began.elapsed())
}

async fn upload(owner: &Person, name: &str) -> Answer {
    post(&owner.client, &format!("images/{}/{name}.png", owner.id), "image/png", pixel("png")).await
}

async fn recovers(service: &Service, owner: &Person) {
    let began = Instant::now();
    while ask_everything(service, owner).await.0.iter().any(|answer| answer.status != 200) {
        assert!(began.elapsed() < LIMIT, "the service does not recover");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let rounds = join_all((0..10).map(|_| ask_everything(service, owner))).await;
    assert!(rounds.iter().flat_map(|(answers, _)| answers).all(|answer| answer.status == 200));
}

#[tokio::test]
async fn requests_time_out_while_the_database_is_silent_and_free_their_connections() {
    let (service, proxy) = behind_proxy().await;
    let owner = service.person().await;
    assert_eq!(upload(&owner, "first").await.status, 200);

    proxy.set(Fault::BlackHole);
    let rounds = join_all((0..5).map(|_| ask_everything(&service, &owner)));
    let rounds = tokio::time::timeout(LIMIT, rounds).await.expect("503 within ten seconds");
    for (answers, _) in rounds {
        answers.iter().for_each(|answer| assert_told_to_retry(answer, "ServiceUnavailable"));
    }
    let (answers, took) = ask_everything(&service, &owner).await;
    answers.iter().for_each(|answer| assert_told_to_retry(answer, "ServiceUnavailable"));
    assert!(took < KNOWN_OUTAGE_LIMIT, "{took:?}");

    proxy.set(Fault::None);
    recovers(&service, &owner).await;
}

#[tokio::test]
async fn requests_fail_fast_while_the_server_is_down_and_succeed_once_it_is_back() {
    let (service, proxy) = behind_proxy().await;
    let owner = service.person().await;
    assert_eq!(upload(&owner, "first").await.status, 200);

    proxy.refuse().await;
    for _ in 0..2 {
        let (answers, took) = ask_everything(&service, &owner).await;
        answers.iter().for_each(|answer| assert_told_to_retry(answer, "ServiceUnavailable"));
        assert!(took < KNOWN_OUTAGE_LIMIT, "{took:?}");
    }

    proxy.forward().await;
    recovers(&service, &owner).await;
}

#[tokio::test]
async fn requests_survive_connections_that_were_just_cut() {
    let (service, proxy) = behind_proxy().await;
    let owner = service.person().await;
    for name in ["first", "second", "third"] {
        assert_eq!(upload(&owner, name).await.status, 200);
        proxy.cut();
        let download = format!("/object/public/images/{}/{name}.png", owner.id);
        assert_eq!(service.visitor().get(&download).await.status, 200);
        proxy.cut();
    }
}

#[tokio::test]
async fn a_locked_row_is_reported_as_locked() {
    let service = Service::start().await;
    let owner = service.person().await;
    assert_eq!(upload(&owner, "first").await.status, 200);
    let name: String =
        sqlx::query_scalar("select current_database()::text").fetch_one(&service.rows).await.unwrap();
    let hasten = format!("alter role storage_admin in database {name} set lock_timeout = '300ms'");
    sqlx::raw_sql(sqlx::AssertSqlSafe(hasten)).execute(&service.rows).await.unwrap();
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'storage_admin'")
        .bind(&name)
        .execute(&service.rows)
        .await
        .unwrap();
    let mut holder = service.rows.begin().await.unwrap();
    sqlx::query("select 1 from storage.objects for update").execute(&mut *holder).await.unwrap();

    let path = format!("/object/images/{}/first.png", owner.id);
    assert_told_to_retry(&crate::support::delete(&owner.client, &path).await, "LockTimeout");

    holder.rollback().await.unwrap();
    assert_eq!(crate::support::delete(&owner.client, &path).await.status, 200);
}

#[tokio::test]
async fn a_database_error_is_a_warning_that_names_the_request() {
    let log = Log::listen();
    let (service, proxy) = behind_proxy().await;
    proxy.refuse().await;

    let answer = service.visitor().with_request_ids().get("/bucket").await;

    assert_told_to_retry(&answer, "ServiceUnavailable");
    let lines = log.about(answer.request_id());
    assert!(lines.len() == 1 && lines[0].contains(" WARN "), "{}", log.text());
}

#[tokio::test]
async fn the_readiness_check_answers_at_once_while_the_database_hangs() {
    let (service, proxy) = behind_proxy().await;
    let operator = TestClient::new(Arc::new(service.work().await).admin_router());
    operator.becomes_ready().await;
    proxy.set(Fault::BlackHole);

    let mut times = Vec::new();
    while times.len() < 5 {
        let began = Instant::now();
        // The last success is trusted for a moment.
        if operator.get("/ready").await.status == 503 {
            times.push(began.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    times.sort_unstable();
    // The machine may be busy once or twice.
    assert!(times[2] < Duration::from_millis(100), "{times:?}");
}
