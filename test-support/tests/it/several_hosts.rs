//! Several hosts in one URL: a service follows the primary without a restart.

use std::time::{Duration, Instant};

use platform::database::{Database, Limits, Pool, Servers};
use platform::env::Env;
use sqlx::Row;
use test_support::cluster::Cluster;

fn pool(url: &str) -> Pool {
    let servers: Servers = url.parse().unwrap();
    Database::new(servers, Limits::default()).pool(3)
}

/// Writes a row. Returns the port of the server that wrote it.
async fn write(pool: &Pool) -> sqlx::Result<i32> {
    let mut transaction = pool.begin().await?;
    sqlx::query("insert into written default values").execute(&mut *transaction).await?;
    let port = sqlx::query("select inet_server_port()").fetch_one(&mut *transaction).await?.get(0);
    transaction.commit().await?;
    Ok(port)
}

async fn write_within(pool: &Pool, limit: Duration) -> i32 {
    let began = Instant::now();
    loop {
        match write(pool).await {
            Ok(port) => return port,
            Err(error) => assert!(began.elapsed() < limit, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_promoted_standby_is_used_without_a_restart() {
    let mut primary = Cluster::start("");
    let mut owner = primary.connect().await;
    sqlx::query("create table written (id int generated always as identity)")
        .execute(&mut owner)
        .await
        .unwrap();
    let standby = primary.standby();
    let (first, second) = (i32::from(primary.port()), i32::from(standby.port()));
    // The standby comes first. A service that chose it could not write.
    let url = format!("postgres://postgres@127.0.0.1:{second},127.0.0.1:{first}/postgres");
    let pools = [pool(&url), pool(&format!("{url}?target_session_attrs=primary"))];
    for pool in &pools {
        assert_eq!(write_within(pool, Duration::from_secs(5)).await, first);
    }

    primary.kill();
    standby.promote();

    for pool in &pools {
        assert_eq!(write_within(pool, Duration::from_secs(10)).await, second);
    }
    let env = Env::from_iter([("DATABASE_URL", url.as_str())]);
    let servers = Servers::from_env(&env, "LOGIN_PASSWORD").unwrap();
    servers.direct.connect(Duration::from_secs(5)).await.unwrap();
}

#[tokio::test]
async fn a_frozen_primary_is_left_for_the_promoted_standby() {
    let primary = Cluster::start("");
    let mut owner = primary.connect().await;
    sqlx::query("create table written (id int generated always as identity)")
        .execute(&mut owner)
        .await
        .unwrap();
    let standby = primary.standby();
    let url =
        format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/postgres", primary.port(), standby.port());
    let pool = pool(&url);
    assert_eq!(write_within(&pool, Duration::from_secs(5)).await, i32::from(primary.port()));

    primary.freeze("STOP");
    standby.promote();

    assert_eq!(write_within(&pool, Duration::from_secs(15)).await, i32::from(standby.port()));
}

#[tokio::test]
async fn a_standby_is_used_if_it_is_wanted() {
    let primary = Cluster::start("");
    let standby = primary.standby();
    let hosts =
        format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/postgres", primary.port(), standby.port());
    for (wanted, expected) in [
        ("any", primary.port()),
        ("read-write", primary.port()),
        ("primary", primary.port()),
        ("read-only", standby.port()),
        ("standby", standby.port()),
        ("prefer-standby", standby.port()),
    ] {
        let servers: Servers = format!("{hosts}?target_session_attrs={wanted}").parse().unwrap();
        let mut connection = servers.pooled.connect(Duration::from_secs(5)).await.unwrap();
        let port: i32 =
            sqlx::query("select inet_server_port()").fetch_one(&mut connection).await.unwrap().get(0);
        assert_eq!(port, i32::from(expected), "{wanted}");
    }
    let only: Servers =
        format!("postgres://postgres@127.0.0.1:{}/postgres?target_session_attrs=standby", primary.port())
            .parse()
            .unwrap();
    let error = only.pooled.connect(Duration::from_secs(5)).await.unwrap_err().to_string();
    assert!(error.contains("the database is not a standby"), "{error}");
}
