use chrono::TimeDelta;
use platform::clock::Clock;
use serde_json::{Value, json};
use test_support::smtp_server::SmtpServer;
use uuid::Uuid;

use crate::support::Outbox;

#[tokio::test]
async fn names_arrive_as_written() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    let name = "Nur ’Aïn & <b>双</b>\r\nBcc: thief@example.test";

    let profile_id = Uuid::new_v4();
    let data = json!({ "name": name, "profile_id": profile_id });
    outbox.add_with("approved", "ain@example.test", data).await;
    let mail = server.next("accepted").await;

    let text = mail["parts"]["text/plain"].as_str().unwrap();
    assert!(text.contains("Nur ’Aïn & <b>双</b>"), "{text}");
    assert!(text.contains(&format!("https://serasi.test/profile/{profile_id}")), "{text}");
    assert!(mail["parts"]["text/html"].as_str().unwrap().contains("Nur ’Aïn &#38; &#60;b&#62;双"));
    assert_eq!(mail["to"], json!(["ain@example.test"]), "a name adds no recipient");
    assert!(mail["headers"].get("bcc").is_none());
}

#[tokio::test]
async fn an_approval_is_sent_at_any_age() {
    let mut server = SmtpServer::with_plan("").await;
    let mut outbox = Outbox::to(&server.url()).await;
    outbox.config.clock = Clock::fixed(Clock::system().now() + TimeDelta::days(30));
    let approval = json!({ "name": "Aina", "profile_id": Uuid::nil() });
    let approval = outbox.add_with("approved", "aina@example.test", approval).await;
    let notice = json!({ "title": "Raya", "path": "/gigs/1" });
    let news = outbox.add_with("gig_closed", "aina@example.test", notice).await;

    let _worker = outbox.worker();

    outbox.sent(approval).await;
    assert_eq!(outbox.given_up(news).await.last_error.as_deref(), Some("expired"));
    assert_eq!(server.next("accepted").await["headers"]["subject"], "Your profile is approved");
    assert_eq!(server.rest(), Vec::<Value>::new());
}
