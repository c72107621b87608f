//! Encrypted connections to the database, through a relay that encrypts.

use std::sync::Arc;
use std::time::Duration;

use rest_gateway::Config;
use test_support::client::TestClient;
use test_support::database::TestDatabase;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::support::database;

const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls/certificate.pem");
const KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls/key.pem");

/// Accepts only encrypted connections, and forwards them to the database. Returns its port.
async fn relay(database: &TestDatabase) -> u16 {
    let certificate = CertificateDer::from_pem_file(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_file(KEY).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = (database.owner().get_host().to_owned(), database.owner().get_port());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (acceptor, server) = (acceptor.clone(), server.clone());
            tokio::spawn(async move {
                let mut request = [0; 8];
                stream.read_exact(&mut request).await?;
                if request[4..] != 80_877_103_u32.to_be_bytes() {
                    return Ok(());
                }
                stream.write_all(b"S").await?;
                let mut encrypted = acceptor.accept(stream).await?;
                let mut database = TcpStream::connect(server).await?;
                copy_bidirectional(&mut encrypted, &mut database).await.map(drop)
            });
        }
    });
    port
}

#[tokio::test]
async fn connections_are_encrypted_as_sslmode_demands() {
    let database = database().await;
    let port = relay(&database).await;
    // A gateway that can't connect keeps retrying, so the test waits only briefly for an expected failure.
    let answers = async |host: &str, port: u16, parameters: &str, patience: u64| {
        let (name, login) = (&database.name, "user='gateway \"test\" login' password=test-login");
        let uri = format!("host={host} port={port} dbname={name} {login} {parameters}");
        let settings = [
            ("PGRST_DB_URI", uri.as_str()),
            ("PGRST_DB_SCHEMAS", "api"),
            ("PGRST_DB_ANON_ROLE", "gateway_anon"),
        ];
        let config = Config::from_env(&settings.into_iter().collect()).unwrap();
        let gateway = rest_gateway::start(config).await.unwrap();
        let client = TestClient::new(gateway.router());
        let loading = tokio::time::timeout(Duration::from_secs(patience), gateway.loaded()).await;
        let mut statuses = Vec::new();
        for _ in 0..2 {
            statuses.push(client.get("/items?id=eq.1").await.status.as_u16());
        }
        gateway.stop();
        loading.is_ok() && statuses == [200, 200]
    };
    let trusted = format!("sslmode=verify-full sslrootcert={CERTIFICATE}");
    let without_name = format!("sslmode=verify-ca sslrootcert={CERTIFICATE}");
    let required = format!("sslmode=require sslrootcert={CERTIFICATE}");
    for (host, parameters, expected) in [
        ("127.0.0.1", "", true),
        ("127.0.0.1", "sslmode=require", true),
        ("localhost", trusted.as_str(), true),
        ("127.0.0.1", &without_name, true),
        ("127.0.0.1", &required, true),
        ("127.0.0.1", &trusted, false),
        ("localhost", "sslmode=verify-full", false),
        ("127.0.0.1", "sslmode=disable", false),
    ] {
        assert_eq!(
            answers(host, port, parameters, if expected { 30 } else { 2 }).await,
            expected,
            "{host} {parameters}"
        );
    }
    // The tests' database does not support TLS.
    let owner = database.owner();
    assert!(answers(owner.get_host(), owner.get_port(), "sslmode=prefer", 30).await);
    assert!(!answers(owner.get_host(), owner.get_port(), "sslmode=require", 2).await);
}
