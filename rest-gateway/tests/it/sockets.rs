//! Unix sockets and shared ports.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::program::{Program, Running, free_port, get_port};
use crate::support::database;

#[tokio::test]
async fn a_unix_socket_has_its_mode_and_the_limits_of_a_port() {
    let database = database().await;
    let program =
        Program::with(&database).set("PGRST_SERVER_UNIX_SOCKET_MODE", "606").set("HTTP_MAX_CONNECTIONS", "2");
    // A process that was killed leaves its socket behind.
    drop(std::os::unix::net::UnixListener::bind(program.path("api.sock")).unwrap());
    let mut running = program.serve(&[]);
    let file = std::fs::metadata(running.program.path("api.sock")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o606);
    let answer = running.get("/items?id=eq.1");
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"[{"id":1}]"#));

    // A closed connection is counted for a little longer.
    let held = [hold(&running), hold(&running)];
    let mut refused = String::new();
    running.socket().read_to_string(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("too many connections"), "{refused}");
    drop(held);
    running.wait_until("there is room again", |running| running.get("/items?id=eq.1").status == 200);
    running.signal("TERM");
    assert_eq!(running.wait_for_exit(), 0, "{}", running.log());
    assert!(!running.program.path("api.sock").exists());
}

const HELD: &[u8] =
    b"POST /items HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";

/// A connection with a request whose body the server waits for.
fn hold(running: &Running) -> UnixStream {
    for _ in 0..500 {
        let mut stream = running.socket();
        let sent = stream.write_all(HELD);
        let mut status = [0; 13];
        if sent.is_ok() && stream.read_exact(&mut status).is_ok() && &status == b"HTTP/1.1 100 " {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no connection is accepted: {}", running.log());
}

#[tokio::test]
async fn only_a_shared_port_can_be_opened_twice() {
    let database = database().await;
    let port = free_port().to_string();
    let program = |shared: &str| {
        Program::with(&database)
            .unset("PGRST_SERVER_UNIX_SOCKET")
            .set("PGRST_SERVER_HOST", "127.0.0.1")
            .set("PGRST_SERVER_PORT", &port)
            .set("PGRST_SERVER_REUSEPORT", shared)
    };
    let first = program("true").serve(&[]);
    let mut exclusive = program("false").start(&[]);
    assert_eq!(exclusive.wait_for_exit(), 1);
    assert!(exclusive.log().contains("can't be bound"), "{}", exclusive.log());
    let _second = program("true").serve(&[]);
    drop(first);
    // All new connections reach the second process.
    for _ in 0..20 {
        assert_eq!(get_port(port.parse().unwrap(), "/items?id=eq.1").status, 200);
    }
}

#[tokio::test]
async fn the_admin_server_can_use_a_socket() {
    let database = database().await;
    let program = Program::with(&database);
    let socket = program.path("admin.sock");
    let mut running = program.set("PGRST_ADMIN_SERVER_UNIX_SOCKET", &socket.display().to_string()).serve(&[]);
    let status = |path: &str| {
        let stream = UnixStream::connect(&socket).unwrap();
        crate::program::exchange(stream, path, "").status
    };
    running.wait_until("it is ready", |_| status("/ready") == 200);
    assert_eq!((status("/live"), status("/config"), status("/nothing")), (200, 404, 404));
    std::fs::remove_file(running.program.path("api.sock")).unwrap();
    assert_eq!((status("/live"), status("/ready")), (500, 500));
}
