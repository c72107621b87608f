//! The HTTP server's limits, reported in each API's error format.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::prepared;
use crate::support::{Launcher, free_port, serasi, up};

const JSON: &str = "content-type: application/json";

/// A connection that has sent the beginning of a request.
struct Client(TcpStream);

impl Client {
    fn send(port: u16, path: &str, key: &str, length: usize, body: &str) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\napikey: {key}\r\n\
             Authorization: Bearer {key}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        // The server may answer before it has read everything.
        let _ = stream.write_all(head.as_bytes());
        Self(stream)
    }

    /// Whether there is no answer yet.
    fn waits(&mut self) -> bool {
        self.0.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        self.0.read(&mut [0]).is_err()
    }

    /// Reads until the connection closes. Returns the head in lower case, and the body.
    fn answer(mut self) -> (String, String) {
        let mut text = String::new();
        self.0.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_ascii_lowercase(), body.to_owned())
    }
}

/// Bodies of which the last byte is missing use up the memory for large ones.
fn take_all_memory(port: u16, path: &str, key: &str) -> Vec<Client> {
    let mut held = Vec::new();
    for length in [1_000_000, 250_000, 60_000, 30_000, 20_000, 17_000] {
        for _ in 0..100 {
            let mut client = Client::send(port, path, key, length + 1, &"x".repeat(length));
            if !client.waits() {
                break;
            }
            held.push(client);
        }
    }
    held
}

#[test]
fn incomplete_and_excessive_bodies_get_each_apis_error() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let _launcher = Launcher::of(up(data_dir.path(), port));
    let status = serasi().args(["status", "--output", "env", "--data-dir"]).arg(data_dir.path()).output();
    let keys = String::from_utf8(status.unwrap().stdout).unwrap();
    let key = keys.lines().find_map(|line| line.strip_prefix("SERVICE_ROLE_KEY=")).unwrap();

    let services = [
        ("/rest/v1/newsletter_subscribers", "\"code\":\"PGRST102\""),
        ("/auth/v1/signup", "\"msg\":"),
        ("/storage/v1/object/list/images", "\"statusCode\":"),
    ];
    let unfinished = services.map(|(path, shape)| (path, shape, Client::send(port, path, key, 100, "{")));
    for (path, shape, client) in unfinished {
        let (head, body) = client.answer();
        assert!(head.starts_with("http/1.1 408 "), "{path}: {head}");
        assert!(head.contains(JSON) && head.contains("connection: close"), "{path}: {head}");
        assert!(body.contains(shape), "{path}: {body}");
    }
    let _held = take_all_memory(port, services[0].0, key);
    for (path, shape) in services {
        let body = format!("{{\"x\": \"{}", "x".repeat(30_000));
        let (head, body) = Client::send(port, path, key, 40_000, &body).answer();
        assert!(head.starts_with("http/1.1 503 "), "{path}: {head}");
        assert!(head.contains("retry-after: 1") && head.contains("connection: close"), "{path}: {head}");
        assert!(body.contains(shape), "{path}: {body}");
    }
    // Rejected before the body was read.
    let (head, body) = Client::send(port, "/functions/v1/create-admin", "wrong", 100, "{").answer();
    assert!(head.starts_with("http/1.1 401 ") && head.contains("connection: close"), "{head}");
    assert!(body.contains("\"error\":"), "{body}");
}
