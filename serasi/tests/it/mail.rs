//! Without an SMTP server, mail is captured and shown to those who know a secret.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use reqwest::Client;
use serde_json::Value;
use sqlx::{Connection, PgConnection};

use crate::prepared;
use crate::product::settings;
use crate::support::{Launcher, free_port, up, within};

#[tokio::test]
async fn without_an_smtp_server_mail_is_captured() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let _launcher = Launcher::start(data_dir.path(), port);
    let address = format!("{}?format=json", settings(data_dir.path())["MAIL_URL"].clone());
    let shown = async || reqwest::get(&address).await.unwrap().json::<Vec<Value>>().await.unwrap();
    assert!(shown().await.is_empty());
    let database = settings(data_dir.path())["DB_URL"].clone();
    let mut rows = PgConnection::connect(&database).await.unwrap();

    let add = "insert into serasi.mail_outbox (template, recipient, data)
        values ('reauthentication', 'aina@example.test', '{\"code\": \"428317\"}')";
    sqlx::query(add).execute(&mut rows).await.unwrap();

    let mail = tokio::time::timeout(Duration::from_secs(20), async {
        loop {
            if let Some(mail) = shown().await.pop() {
                return mail;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mail = mail.await.unwrap();
    assert_eq!((mail["to"].as_str(), mail["code"].as_str()), (Some("aina@example.test"), Some("428317")));
}

/// A request through nginx comes from this machine, and the visitor chooses its Host header.
#[tokio::test]
async fn behind_nginx_captured_mail_needs_the_secret() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let mut command = up(data_dir.path(), port);
    command.env("TRUSTED_PROXIES", "127.0.0.1");
    let _launcher = Launcher::of(command);
    let plain = format!("server {{ listen LISTEN; location / {{ proxy_pass http://127.0.0.1:{port}; }} }}");
    for server in [plain, documented_nginx(port)] {
        let nginx = Nginx::start(&server);
        let status = async |path: &str, host: &str| {
            let request = Client::new().get(format!("{}{path}", nginx.url)).header("host", host);
            request.send().await.unwrap().status().as_u16()
        };
        for host in ["127.0.0.1", "localhost", "serasi.example.com"] {
            assert_eq!(status("/health", host).await, 200, "{host}");
            for path in [
                "/dev/mail",
                "/dev/mail/",
                "/dev/mail?format=json",
                "/dev/mail/guess",
                "/dev/mail/guess/html",
            ] {
                assert_eq!(status(path, host).await, 404, "{host} {path}");
            }
        }
        let address = settings(data_dir.path())["MAIL_URL"].clone();
        let (_, path) = address.split_once("/dev/").unwrap();
        assert_eq!(status(&format!("/dev/{path}"), "serasi.example.com").await, 200);
    }
}

/// nginx allows 1 MB unless told otherwise. The service's own error is JSON.
#[tokio::test]
async fn the_documented_nginx_accepts_large_images() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let _launcher = Launcher::start(data_dir.path(), port);
    let nginx = Nginx::start(&documented_nginx(port));
    let key = settings(data_dir.path())["SERVICE_ROLE_KEY"].clone();
    let address = format!("{}/storage/v1/object/images/large.png", nginx.url);
    let upload = Client::new().post(address).bearer_auth(key).header("content-type", "image/png");

    let answer = upload.body(vec![0; 9 << 20]).send().await.unwrap();

    let refusal: Value = answer.json().await.unwrap();
    assert_ne!(refusal["statusCode"], "413", "{refusal}");
}

/// The configuration in docs/install.md, without TLS.
fn documented_nginx(port: u16) -> String {
    let guide = include_str!("../../../docs/install.md");
    let block = guide.split_once("```nginx\n").unwrap().1.split_once("```").unwrap().0;
    let lines = block.lines().filter(|line| !line.trim().starts_with("ssl_"));
    let server = lines.collect::<Vec<_>>().join("\n");
    assert!(server.contains("listen 443 ssl;") && server.contains("http://127.0.0.1:8000;"), "{server}");
    server.replace("443 ssl", "LISTEN").replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"))
}

struct Nginx {
    child: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Nginx {
    fn start(server: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("127.0.0.1:{}", free_port());
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {}/{name};", folder.path().display()));
        let text = format!(
            "daemon off; master_process off; pid pid; error_log error.log;\nevents {{}}\nhttp {{ access_log off; {}\n{} }}\n",
            temporary.concat(),
            server.replace("LISTEN", &address),
        );
        std::fs::write(folder.path().join("nginx.conf"), text).unwrap();
        let program = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"];
        let program = program.into_iter().find(|path| Path::new(path).is_file());
        let mut command =
            Command::new(program.unwrap_or_else(|| panic!("install nginx (Debian: nginx-light)")));
        let child = command.arg("-p").arg(folder.path()).args(["-c", "nginx.conf"]).spawn().unwrap();
        let starts = within(Duration::from_secs(10), || TcpStream::connect(&address).is_ok());
        assert!(starts, "nginx does not start");
        Self { child, url: format!("http://{address}"), _folder: folder }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn no_mail_is_captured_for_a_public_site() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let mut command = up(data_dir.path(), port);
    command.env("SITE_URL", "https://serasi.example.com");
    let _launcher = Launcher::of(command);
    assert_eq!(settings(data_dir.path()).get("MAIL_URL"), None);
}

#[tokio::test]
async fn the_keys_and_addresses_are_the_same_at_every_start() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let printed = || {
        let _launcher = Launcher::start(data_dir.path(), port);
        // Not DB_URL: the server takes another port while its last one is in use.
        ["ANON_KEY", "SERVICE_ROLE_KEY", "JWT_SECRET", "MAIL_URL"]
            .map(|name| settings(data_dir.path())[name].clone())
    };
    let first = printed();
    // Times in a key have a resolution of one second.
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(printed(), first);
}

#[tokio::test]
async fn with_an_smtp_server_no_mail_is_shown() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let mut command = up(data_dir.path(), port);
    command.env("SMTP_URL", "smtp://127.0.0.1:9");
    let _launcher = Launcher::of(command);

    assert_eq!(settings(data_dir.path()).get("MAIL_URL"), None);
    let answer = reqwest::get(format!("http://127.0.0.1:{port}/dev/mail")).await.unwrap();
    assert_eq!(answer.status(), 404);
}
