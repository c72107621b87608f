//! Request smuggling through real proxies that share their connections to the server among clients: one
//! client's request must never change another client's answer.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::support::{Client, limits, start};

/// How long to wait for an answer to an attack: proxies refuse some attacks and wait for more bytes of
/// others.
const ATTACK_TIME: Duration = Duration::from_millis(150);
const VICTIMS: usize = 3;

struct Proxy {
    child: Child,
    address: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    async fn start(
        program: &str,
        configuration: impl Fn(&Path, SocketAddr) -> (String, Vec<String>),
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (text, arguments) = configuration(folder.path(), address);
        std::fs::write(folder.path().join("proxy.conf"), text).unwrap();
        let found = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
            .map(|place| Path::new(place).join(program))
            .into_iter()
            .find(|path| path.is_file());
        let found =
            found.unwrap_or_else(|| panic!("install HAProxy and nginx (Debian: haproxy nginx-light)"));
        let mut command = Command::new(found);
        command.args(arguments).current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        while tokio::net::TcpStream::connect(address).await.is_err() {
            assert!(
                child.try_wait().unwrap().is_none() && Instant::now() < until,
                "{program} does not start"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Self { child, address, _folder: folder }
    }

    async fn haproxy(server: SocketAddr) -> Self {
        Self::start("haproxy", |folder, address| {
            let text = format!(
                "defaults\n mode http\n http-reuse always\n timeout connect 5s\n timeout client 5s\n timeout server 5s\n \
                 timeout queue 5s\nfrontend public\n bind {address}\n default_backend ours\n\
                 backend ours\n server ours {server} maxconn 1\n"
            );
            let file = folder.join("proxy.conf").display().to_string();
            (text, vec!["-db".to_owned(), "-f".to_owned(), file])
        })
        .await
    }

    async fn nginx(server: SocketAddr) -> Self {
        Self::start("nginx", |folder, address| {
            let folder = folder.display();
            let text = format!(
                "daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n\
                 events {{}}\nhttp {{\n access_log off;\n client_body_temp_path {folder}/body;\n \
                 proxy_temp_path {folder}/proxy;\n fastcgi_temp_path {folder}/fastcgi;\n \
                 uwsgi_temp_path {folder}/uwsgi;\n scgi_temp_path {folder}/scgi;\n \
                 upstream ours {{ server {server}; keepalive 1; }}\n server {{\n listen {address};\n location / {{\n \
                 proxy_pass http://ours;\n proxy_http_version 1.1;\n proxy_set_header Connection \"\";\n \
                 proxy_request_buffering off;\n }} }} }}\n"
            );
            (text, vec!["-p".to_owned(), format!("{folder}/"), "-c".to_owned(), format!("{folder}/proxy.conf")])
        })
        .await
    }
}

const SMUGGLED: &str = "GET /smuggled HTTP/1.1\r\nHost: a\r\nX-Rest: ";

/// A name, and two parts: the second is sent after the answer to the first, or after a timeout.
type Attack = (&'static str, String, String);

fn post(headers: &str, body: &str) -> String {
    format!("POST /length HTTP/1.1\r\nHost: a\r\n{headers}\r\n\r\n{body}")
}

fn sized(headers: &str, length: usize) -> String {
    post(&format!("{headers}Content-Length: {length}"), "")
}

/// To a route that answers before it has read the body.
fn early(headers: &str, length: usize) -> String {
    sized(headers, length).replace("/length", "/early")
}

fn chunked() -> String {
    format!("{:x}\r\n{SMUGGLED}\r\n0\r\n\r\n", SMUGGLED.len())
}

/// Proxy and server disagree about where the body ends.
fn wrong_framing() -> Vec<Attack> {
    let chunked = chunked();
    let both = format!("0\r\n\r\n{SMUGGLED}");
    vec![
        (
            "CL.TE",
            post(&format!("Content-Length: {}\r\nTransfer-Encoding: chunked", both.len()), &both),
            String::new(),
        ),
        ("TE.CL", post("Transfer-Encoding: chunked\r\nContent-Length: 4", &chunked), String::new()),
        ("TE.TE", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x", &both), String::new()),
        ("TE.0", post("Transfer-Encoding: xchunked", &chunked), String::new()),
        (
            "TE tab",
            post(&format!("Content-Length: {}\r\nTransfer-Encoding:\tchunked", both.len()), &both),
            String::new(),
        ),
        (
            "TE space",
            post(&format!("Content-Length: {}\r\nTransfer-Encoding : chunked", both.len()), &both),
            String::new(),
        ),
        ("0.CL", sized("", SMUGGLED.len()).replace("POST", "GET") + SMUGGLED, String::new()),
        ("CL.0", early("", SMUGGLED.len()) + SMUGGLED, String::new()),
        (
            "two CL",
            post(&format!("Content-Length: 0\r\nContent-Length: {}", SMUGGLED.len()), SMUGGLED),
            String::new(),
        ),
        ("bare LF", post(&format!("A: b\nContent-Length: {}\n", SMUGGLED.len()), SMUGGLED), String::new()),
        (
            "chunk extension",
            post("Transfer-Encoding: chunked", &format!("1;a\n\r\nx\r\n{both}")),
            String::new(),
        ),
        ("chunk size", post("Transfer-Encoding: chunked", &format!("0x1\r\nx\r\n{both}")), String::new()),
    ]
}

/// The body is sent before or after the server is ready for it.
fn wrong_moments() -> Vec<Attack> {
    // If the server takes this for a request line, it grows by two bytes for each `<`, which is
    // percent-encoded.
    let growing = |tail: &str| format!("GET /{} HTTP/1.1\r\nA: {tail}", "<".repeat(tail.len() / 2));
    let grown = growing(SMUGGLED);
    let expect = "Expect: 100-continue\r\n";
    let chunked = chunked();
    vec![
        ("expected", sized(expect, grown.len()), grown.clone()),
        ("expected chunks", post(&format!("{expect}Transfer-Encoding: chunked"), ""), chunked),
        ("at once", sized(expect, grown.len()) + &grown, String::new()),
        ("early answer", early("", SMUGGLED.len() + 50), SMUGGLED.to_owned()),
        ("early, expected", early(expect, SMUGGLED.len()), SMUGGLED.to_owned()),
        ("early, growing", early(expect, grown.len()) + &grown, String::new()),
        ("raw target", format!("GET /?a=<{}> HTTP/1.1\r\nHost: a\r\n\r\n", "<".repeat(40)), String::new()),
    ]
}

async fn assert_harmless(proxy: &Proxy) {
    for (name, first, second) in [wrong_framing(), wrong_moments()].concat() {
        let mut attacker = Client::connect(proxy.address).await;
        attacker.try_send(&first).await;
        let _ = timeout(ATTACK_TIME, attacker.try_answer()).await;
        if !second.is_empty() {
            attacker.try_send(&second).await;
            let _ = timeout(ATTACK_TIME, attacker.try_answer()).await;
        }
        drop(attacker);
        for victim in 0..VICTIMS {
            let mut client = Client::connect(proxy.address).await;
            let path = format!("/own?{victim}");
            client.send(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await;
            let answer = client.answer().await;
            assert_eq!((answer.status, answer.body), (200, format!("you asked for {path}")), "after {name}");
        }
    }
}

/// A server with a short body timeout, because HAProxy's only connection waits for what an attacker leaves
/// unfinished.
async fn server() -> SocketAddr {
    let mut limits = limits(&[]);
    limits.body_timeout = Duration::from_secs(1);
    start(limits).await
}

#[tokio::test]
async fn behind_haproxy_every_client_gets_its_own_answer() {
    assert_harmless(&Proxy::haproxy(server().await).await).await;
}

#[tokio::test]
async fn behind_nginx_every_client_gets_its_own_answer() {
    assert_harmless(&Proxy::nginx(server().await).await).await;
}
