use serde_json::json;
use test_support::smtp_server::SmtpServer;

use crate::support::Outbox;

#[tokio::test]
async fn starttls_and_implicit_tls_work_with_a_trusted_certificate() {
    for (way, scheme, option) in [("starttls", "smtp", "?tls=required"), ("implicit", "smtps", "")] {
        let folder = tempfile::tempdir().unwrap();
        let ca_file = folder.path().join("ca.pem").display().to_string();
        let mut server =
            SmtpServer::start(&["--tls", way, "--ca-file", &ca_file, "--password", "p:w/d"]).await;
        let url = format!("{scheme}://serasi:p%3Aw%2Fd@127.0.0.1:{}{option}", server.port);
        let outbox = Outbox::with(&[("SMTP_URL", &url), ("SMTP_CA_FILE", &ca_file)]).await;
        let _worker = outbox.worker();

        outbox.add("aina@example.test").await;

        server.next("signed in").await;
        assert_eq!(server.next("accepted").await["encrypted"], true, "{way}");
    }
}

#[tokio::test]
async fn a_server_with_an_untrusted_certificate_gets_no_data() {
    for (way, scheme, option) in [("starttls", "smtp", "?tls=required"), ("implicit", "smtps", "")] {
        let folder = tempfile::tempdir().unwrap();
        let ca_file = folder.path().join("ca.pem").display().to_string();
        let mut server =
            SmtpServer::start(&["--tls", way, "--ca-file", &ca_file, "--password", "hush"]).await;
        let outbox = Outbox::to(&format!("{scheme}://serasi:hush@127.0.0.1:{}{option}", server.port)).await;
        let _worker = outbox.worker();

        let id = outbox.add("aina@example.test").await;
        let row = outbox.until(id, |row| row.last_error.is_some() && row.attempts > 1).await;

        assert!(!row.sent && !row.given_up, "{row:?}");
        let error = row.last_error.unwrap();
        assert!(error.starts_with("CONNECT: ") && error.contains("certificate"), "{way}: {error}");
        assert_eq!(
            server.rest(),
            Vec::<serde_json::Value>::new(),
            "no password was tried, no mail was shown"
        );
    }
}

#[tokio::test]
async fn a_server_without_tls_gets_no_mail_when_tls_is_required() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&format!("{}?tls=required", server.url())).await;
    let _worker = outbox.worker();

    let id = outbox.add("aina@example.test").await;
    let row = outbox.until(id, |row| row.last_error.is_some() && row.attempts > 1).await;

    assert!(!row.sent && !row.given_up, "{row:?}");
    assert_eq!(
        row.data,
        json!({ "link": "https://serasi.test/x", "code": "428317" }),
        "the mail still waits"
    );
    assert_eq!(server.rest(), Vec::<serde_json::Value>::new());
}
