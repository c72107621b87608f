//! Without an SMTP server, mail is captured and shown locally.

use std::time::Duration;

use serde_json::Value;
use sqlx::{Connection, PgConnection};

use crate::prepared;
use crate::support::{Launcher, free_port, serasi, up};

#[tokio::test]
async fn without_an_smtp_server_mail_is_captured() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let _launcher = Launcher::start(data_dir.path(), port);
    let address = format!("http://127.0.0.1:{port}/dev/mail?format=json");
    let shown = async || reqwest::get(&address).await.unwrap().json::<Vec<Value>>().await.unwrap();
    assert!(shown().await.is_empty());
    let status = serasi().args(["status", "--output", "env", "--data-dir"]).arg(data_dir.path()).output();
    let keys = String::from_utf8(status.unwrap().stdout).unwrap();
    let database = keys.lines().find_map(|line| line.strip_prefix("DB_URL=")).unwrap();
    let mut rows = PgConnection::connect(database).await.unwrap();

    let add = "insert into app.mail_outbox (template, recipient, data)
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

#[tokio::test]
async fn with_an_smtp_server_no_mail_is_shown() {
    let data_dir = prepared::data_dir();
    let port = free_port();
    let mut command = up(data_dir.path(), port);
    command.env("SMTP_URL", "smtp://127.0.0.1:9");
    let _launcher = Launcher::of(command);

    for path in ["/dev/mail", "/dev/mail?format=json", "/dev/mail/x/html"] {
        let answer = reqwest::get(format!("http://127.0.0.1:{port}{path}")).await.unwrap();
        assert_eq!(answer.status(), 404, "{path}");
    }
}
