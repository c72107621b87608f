//! The whole product is replaced while clients use it: the socket stays open, so requests wait and none
//! fails.

use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use test_support::handover::{Call, Load};

use crate::prepared;
use crate::support::{Launcher, up};

/// `up` on a socket of the test, as under a service manager.
fn start_on(socket: &TcpListener, data_dir: &Path) -> Launcher {
    let up = up(data_dir, 1);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\" 3<&0 0</dev/null"]);
    command.arg(up.get_program()).args(up.get_args());
    for (name, value) in up.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(OwnedFd::from(socket.try_clone().unwrap()));
    let notified = data_dir.join("notified");
    let _ = std::fs::remove_file(&notified);
    let manager = UnixDatagram::bind(&notified).unwrap();
    manager.set_nonblocking(true).unwrap();
    command.env("NOTIFY_SOCKET", &notified);
    let launcher = Launcher::of(command);
    let (mut first, mut second) = ([0; 16], [0; 16]);
    // `ready` is printed afterwards. PostgreSQL must not report its own readiness.
    let length = manager.recv(&mut first).unwrap();
    assert_eq!(&first[..length], b"READY=1\n");
    assert!(manager.recv(&mut second).is_err());
    launcher
}

fn field(json: &str, name: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    json[name].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_wait_while_the_product_is_replaced_and_sessions_stay() {
    let data_dir = prepared::data_dir();
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    let first = start_on(&socket, data_dir.path());
    let person = json!({"email": "somebody@example.test", "password": "correct horse",
        "data": {"user_type": "influencer"}});
    let session = Call::post("/auth/v1/signup", &person).send(address).await.unwrap();
    let calls = [
        Call::get("/auth/v1/user").with_token(&field(&session, "access_token")),
        Call::get("/rest/v1/influencers?select=id&limit=1"),
        Call::get("/storage/v1/status"),
    ];

    let load = Load::start(address, &calls);
    load.more().await;
    first.signal("-TERM");
    assert!(first.wait().success());
    let _second = start_on(&socket, data_dir.path());
    load.more().await;

    assert_eq!(load.failures().await, Vec::<String>::new());
    let refresh = json!({"refresh_token": field(&session, "refresh_token")});
    Call::post("/auth/v1/token?grant_type=refresh_token", &refresh).send(address).await.unwrap();
}
