//! TLS to the database, with libpq's meaning of the settings.

use platform::database::{Database, Limits, Servers};
use sqlx::Row;
use test_support::cluster::Cluster;

const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ca.pem");
const OTHER_AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/other-ca.pem");

/// The error at the start of a service, or whether its connection is encrypted.
async fn encrypted(url: &str) -> Result<bool, String> {
    let servers: Servers = url.parse().map_err(|error| format!("{error}"))?;
    let database = Database::new(servers, Limits::default());
    database.wait().await.map_err(|error| error.to_string())?;
    let pool = database.pool(1);
    let mut connection = pool.acquire().await.unwrap();
    let ask = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    Ok(sqlx::query(ask).fetch_one(&mut *connection).await.unwrap().get(0))
}

#[tokio::test]
async fn connections_are_encrypted_as_sslmode_demands() {
    let server = Cluster::start_with_tls(
        include_str!("../fixtures/server.pem"),
        include_str!("../fixtures/server.key"),
    );
    let url = |host: &str, parameters: &str| {
        format!("postgres://postgres@{host}:{}/postgres?{parameters}", server.port())
    };
    for (host, parameters) in [
        ("127.0.0.1", String::new()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={AUTHORITY}")),
        ("127.0.0.1", format!("sslmode=require&sslrootcert={AUTHORITY}")),
        ("localhost", format!("sslmode=verify-full&sslrootcert={AUTHORITY}")),
    ] {
        assert_eq!(encrypted(&url(host, &parameters)).await, Ok(true), "{host} {parameters}");
    }
    for (host, parameters, cause) in [
        (
            "127.0.0.1",
            format!("sslmode=verify-full&sslrootcert={AUTHORITY}"),
            "the certificate names another host",
        ),
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={OTHER_AUTHORITY}"),
            "sslrootcert must name the CA",
        ),
        (
            "localhost",
            format!("sslmode=verify-ca&sslrootcert={OTHER_AUTHORITY}"),
            "sslrootcert must name the CA",
        ),
        ("localhost", "sslmode=verify-full".to_owned(), "sslrootcert must name the CA"),
        ("127.0.0.1", "sslmode=disable".to_owned(), "the server may require TLS"),
    ] {
        let problem = encrypted(&url(host, &parameters)).await.unwrap_err();
        let is_clear =
            problem.starts_with("DATABASE_URL: ") && problem.contains(cause) && problem.lines().count() == 1;
        assert!(is_clear, "{host} {parameters}: {problem}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_used_unless_tls_is_required() {
    let server = Cluster::start("");
    let url = |mode: &str| format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode={mode}", server.port());
    for mode in ["disable", "allow", "prefer"] {
        assert_eq!(encrypted(&url(mode)).await, Ok(false), "{mode}");
    }
    for mode in ["require", "verify-full"] {
        let problem = encrypted(&url(mode)).await.unwrap_err();
        assert!(problem.contains("enable TLS in the server"), "{mode}: {problem}");
    }
}
