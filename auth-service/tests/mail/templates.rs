use serde_json::json;
use test_support::smtp_server::SmtpServer;

use crate::support::Outbox;

#[tokio::test]
async fn the_operators_templates_and_name_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name, text| std::fs::write(folder.path().join(name), text).unwrap();
    write("recovery.html", "<a href=\"{{ .ConfirmationURL }}\">{{ .Data.name }}</a>");
    write("recovery.subject", "Your code is {{ .Token }}");
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::with(&[
        ("SMTP_URL", &server.url()),
        ("MAIL_TEMPLATES", folder.path().to_str().unwrap()),
        ("APP_NAME", "Kopi"),
    ])
    .await;
    let _worker = outbox.worker();

    let data =
        json!({ "link": "https://serasi.test/x?a=b&c=d", "code": "428317", "data": { "name": "<Aina>" } });
    outbox.add_with("recovery", "aina@example.test", data).await;

    let mail = server.next("accepted").await;
    assert_eq!(mail["headers"]["from"], "Kopi <no-reply@serasi.test>");
    assert_eq!(mail["headers"]["subject"], "Your code is 428317");
    let html = mail["parts"]["text/html"].as_str().unwrap();
    assert_eq!(html.trim(), "<a href=\"https://serasi.test/x?a=b&amp;c=d\">&lt;Aina&gt;</a>");
    let text = mail["parts"]["text/plain"].as_str().unwrap();
    assert!(text.contains("the Kopi account aina@example.test"), "{text}");
}
