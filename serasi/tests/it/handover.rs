//! The whole product is replaced while clients use it: on a socket that stays open, requests wait, and none fails.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
    // `ready` is printed afterwards. PostgreSQL must not announce itself.
    assert_eq!(manager.recv(&mut first).unwrap(), 7);
    assert_eq!(&first[..7], b"READY=1");
    assert!(manager.recv(&mut second).is_err());
    launcher
}

/// The body of a response with status 200.
fn send(address: SocketAddr, head: &str, body: &str) -> Result<String, String> {
    let attempt = || {
        let mut stream = TcpStream::connect(address)?;
        let request = format!(
            "{head}\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        std::io::Result::Ok(answer)
    };
    let answer = attempt().map_err(|error| error.to_string())?;
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if head.starts_with("HTTP/1.1 200 ") => Ok(body.to_owned()),
        _ => Err(answer),
    }
}

fn field(json: &str, name: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    json[name].as_str().unwrap().to_owned()
}

#[test]
fn requests_wait_while_the_product_is_replaced_and_sessions_stay() {
    let data_dir = tempfile::tempdir().unwrap();
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    let first = start_on(&socket, data_dir.path());
    let person = r#"{"email": "somebody@example.test", "password": "correct horse", "data": {"user_type": "influencer"}}"#;
    let session = send(address, "POST /auth/v1/signup HTTP/1.1", person).unwrap();
    let request =
        format!("GET /auth/v1/user HTTP/1.1\r\nauthorization: Bearer {}", field(&session, "access_token"));
    let requests = [
        request.as_str(),
        "GET /rest/v1/influencers?select=id&limit=1 HTTP/1.1",
        "GET /storage/v1/status HTTP/1.1",
    ];
    let (answered, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let more = || {
        let wanted = answered.load(Ordering::Relaxed) + 30;
        while answered.load(Ordering::Relaxed) < wanted {
            std::thread::yield_now();
        }
    };

    let client = || {
        let mut failures = Vec::new();
        for request in requests.iter().cycle() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            failures.extend(send(address, request, "").err());
            answered.fetch_add(1, Ordering::Relaxed);
        }
        failures
    };
    let (failures, _second) = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..3).map(|_| scope.spawn(client)).collect();
        more();
        first.signal("-TERM");
        assert!(first.wait().success());
        let second = start_on(&socket, data_dir.path());
        more();
        stop.store(true, Ordering::Relaxed);
        let failures: Vec<String> = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
        (failures, second)
    });

    assert_eq!(failures, Vec::<String>::new());
    let refresh = format!(r#"{{"refresh_token": "{}"}}"#, field(&session, "refresh_token"));
    send(address, "POST /auth/v1/token?grant_type=refresh_token HTTP/1.1", &refresh).unwrap();
}
