//! Where the program listens: Unix sockets and shared ports.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;

use crate::program::{Program, free_port, get_port};
use crate::support::database;

#[tokio::test]
async fn a_unix_socket_has_its_mode_and_the_limits_of_a_port() {
    let database = database().await;
    let program = Program::with(&database)
        .set("PGRST_SERVER_UNIX_SOCKET_MODE", "606")
        .set("HTTP_MAX_CONNECTIONS", "2")
        .set("HTTP_HEADER_TIMEOUT", "3600");
    // Left behind by a process that was killed.
    drop(std::os::unix::net::UnixListener::bind(program.path("api.sock")).unwrap());
    let mut running = program.serve(&[]);
    let file = std::fs::metadata(running.program.path("api.sock")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o606);
    let answer = running.get("/items?id=eq.1");
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"[{"id":1}]"#));
    running.until("the connection has ended", |running| running.get("/items?id=eq.1").status == 200);

    let held = [running.socket(), running.socket()];
    running.until("both are counted", |running| {
        let mut answer = String::new();
        running.socket().read_to_string(&mut answer).is_ok() && answer.contains("too many connections")
    });
    drop(held);
    running.until("there is room again", |running| running.get("/items?id=eq.1").status == 200);
    running.signal("TERM");
    assert_eq!(running.ended(), 0, "{}", running.log());
    assert!(!running.program.path("api.sock").exists());
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
    let mut alone = program("false").start(&[]);
    assert_eq!(alone.ended(), 1);
    assert!(alone.log().contains("can't be bound"), "{}", alone.log());
    let _second = program("true").serve(&[]);
    drop(first);
    // All new connections reach the second process.
    for _ in 0..20 {
        assert_eq!(get_port(port.parse().unwrap(), "/items?id=eq.1").status, 200);
    }
}

#[tokio::test]
async fn operators_can_have_a_socket_too() {
    let database = database().await;
    let program = Program::with(&database);
    let socket = program.path("admin.sock");
    let mut running = program.set("PGRST_ADMIN_SERVER_UNIX_SOCKET", &socket.display().to_string()).serve(&[]);
    let status = |path: &str| {
        let stream = std::os::unix::net::UnixStream::connect(&socket).unwrap();
        crate::program::exchange(stream, path, "").status
    };
    running.until("it is ready", |_| status("/ready") == 200);
    assert_eq!((status("/live"), status("/config"), status("/nothing")), (200, 404, 404));
    std::fs::remove_file(running.program.path("api.sock")).unwrap();
    assert_eq!((status("/live"), status("/ready")), (500, 500));
}
