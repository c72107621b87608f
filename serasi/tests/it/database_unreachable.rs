//! `serasi up` waits for an external database that is not up yet.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Stdio;
use std::time::Duration;

use reqwest::header;

use crate::product::{Product, client};
use crate::support::{free_port, refusal, serasi, up};

/// Forwards connections, so that the test controls when the database becomes reachable on another port.
fn forward(from: TcpListener, to: u16) {
    std::thread::spawn(move || {
        for client in from.incoming().map_while(Result::ok) {
            let server = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).unwrap();
            let halves = [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)];
            for (mut source, mut target) in halves {
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut source, &mut target);
                    let _ = target.shutdown(std::net::Shutdown::Both);
                });
            }
        }
    });
}

#[tokio::test]
async fn up_waits_for_an_unreachable_database_but_fails_on_a_wrong_password() {
    let (theirs, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Product::start(theirs.path(), &[]);
    let url = url::Url::parse(&server.settings["DB_URL"]).unwrap();
    let (port, admin_port, database_port) = (free_port(), free_port(), free_port());
    let mut address = url.clone();
    address.set_port(Some(database_port)).unwrap();

    let mut command = up(ours.path(), port);
    command.env("DATABASE_URL", address.as_str()).env("ADMIN_PORT", admin_port.to_string());
    command.env("JWT_SECRET", &server.settings["JWT_SECRET"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = stderr.find(|line| line.contains("DATABASE_URL")).expect("it reports what it waits for");
    assert!(line.contains("refused") && !line.contains(url.password().unwrap()), "{line}");

    let get = async |port: u16, path: &str| {
        client().get(format!("http://127.0.0.1:{port}{path}")).send().await.unwrap()
    };
    assert_eq!(get(port, "/health").await.status(), 200);
    assert_eq!(get(admin_port, "/ready").await.status(), 503);
    for path in ["/rest/v1/influencers", "/auth/v1/user", "/storage/v1/bucket", "/functions/v1/x", "/"] {
        let response = get(port, path).await;
        assert_eq!(response.status(), 503, "{path}");
        assert!(response.headers().contains_key(header::RETRY_AFTER), "{path}");
    }

    forward(TcpListener::bind((Ipv4Addr::LOCALHOST, database_port)).unwrap(), url.port().unwrap());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("ready")));
    let launcher = crate::support::Launcher(child);
    assert_eq!(get(admin_port, "/ready").await.status(), 200);
    assert_eq!(get(port, "/rest/v1/influencers?limit=1").await.status(), 200);
    launcher.signal("-TERM");
    assert!(launcher.wait().success());

    address.set_password(Some("hush-hush")).unwrap();
    let output = up(ours.path(), free_port()).env("DATABASE_URL", address.as_str()).output().unwrap();
    let message = refusal(&output);
    assert!(message.contains("correct them there or in DATABASE_PASSWORD"), "{message}");
    assert_eq!(message.matches("authentication failed").count(), 1, "{message}");
    assert!(!message.contains("hush-hush"), "{message}");
}

#[tokio::test]
async fn commands_wait_for_the_database() {
    let (theirs, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Product::start(theirs.path(), &[]);
    let mut address = url::Url::parse(&server.settings["DB_URL"]).unwrap();
    let port = address.port().unwrap();
    for command in ["demo", "seed --vendors 1", "storage check"] {
        let database_port = free_port();
        address.set_port(Some(database_port)).unwrap();
        let mut started = serasi();
        started.args(command.split(' ')).arg("--data-dir").arg(ours.path());
        started.env("DATABASE_URL", address.as_str()).env("STORAGE_DIR", theirs.path().join("storage"));
        let mut child = started.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = stderr.find(|line| line.contains("Waiting")).expect(command);
        assert!(line.contains("refused"), "{command}: {line}");

        forward(TcpListener::bind((Ipv4Addr::LOCALHOST, database_port)).unwrap(), port);

        let messages: Vec<String> = stderr.collect();
        assert!(child.wait().unwrap().success(), "{command}: {messages:?}");
    }
}

#[tokio::test]
async fn sigterm_ends_the_wait() {
    let data_dir = tempfile::tempdir().unwrap();
    let mut command = up(data_dir.path(), free_port());
    command.env("DATABASE_URL", format!("postgres://me:hush-hush@127.0.0.1:{}/x", free_port()));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    stderr.find(|line| line.contains("DATABASE_URL")).expect("it reports what it waits for");

    let launcher = crate::support::Launcher(child);
    launcher.signal("-TERM");

    let mut launcher = launcher;
    let ended = || launcher.0.try_wait().unwrap().is_some_and(|status| status.success());
    assert!(crate::support::within(Duration::from_secs(10), ended));
}
