use serde_json::{Value, json};
use test_support::smtp_server::SmtpServer;
use uuid::Uuid;

use crate::notifications::account;
use crate::support::Outbox;

const WORK: Uuid = Uuid::from_u128(7);

/// The account of an influencer who accepted a guest's enquiry.
async fn work_with_a_guest(outbox: &Outbox) {
    let aina = account(outbox, "aina@example.test").await;
    for statement in [
        "insert into app.influencers (id, user_id, name, username, category, approved) values ($2, $1, 'Aina', 'aina', 'Travel', true)",
        "insert into app.collaborations (id, source, title, influencer_id, guest_name)
         select $2, 'enquiry', 'Raya reel', id, 'Mei' from app.influencers where user_id = $1",
        "with brief as (insert into app.enquiry_briefs (sender_key, guest_email) values ('mei', 'mei@example.test') returning id)
         insert into app.enquiries (brief_id, influencer_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, collaboration_id)
         select brief.id, influencers.id, 'mei', 'Mei', 'Raya reel', 'Would you show our new menu?', 'accepted', now(), now(), $2
         from brief, app.influencers where user_id = $1",
    ] {
        sqlx::query(statement).bind(aina).bind(WORK).execute(&outbox.rows).await.unwrap();
    }
}

async fn run(outbox: &Outbox, statement: &'static str, token: &str) {
    sqlx::query(statement).bind(token).execute(&outbox.rows).await.unwrap();
}

fn text(mail: &Value) -> &str {
    mail["parts"]["text/plain"].as_str().unwrap()
}

#[tokio::test]
async fn a_guest_reviews_with_the_mailed_link_and_both_sides_read_the_reviews() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    work_with_a_guest(&outbox).await;

    sqlx::query("select app.complete_side($1, 'influencer')").bind(WORK).execute(&outbox.rows).await.unwrap();

    let mail = server.next("accepted").await;
    assert_eq!(mail["to"], json!(["mei@example.test"]));
    assert_eq!(mail["headers"]["subject"], "How was working with Aina?");
    let link = format!("https://serasi.test/review/{WORK}#token=");
    assert!(mail["parts"]["text/html"].as_str().unwrap().contains(&link));
    let after = text(&mail).split(&link).nth(1).unwrap();
    let token: String = after.chars().take_while(char::is_ascii_alphanumeric).collect();

    // Opening the link changes nothing; the review completes the work.
    let state = "select state from app.guest_collaboration($1)";
    let opened: String = sqlx::query_scalar(state).bind(&token).fetch_one(&outbox.rows).await.unwrap();
    assert_eq!(opened, "accepted");
    run(&outbox, "select app.review_as_guest($1, 5, 'It was good to work together.')", &token).await;

    let mail = server.next("accepted").await;
    assert_eq!(
        (&mail["to"], &mail["headers"]["subject"]),
        (&json!(["aina@example.test"]), &json!("How was working with Mei?"))
    );
    assert!(text(&mail).contains(&format!("https://serasi.test/review/{WORK}")));
    assert!(!text(&mail).contains(&token));

    // The time to write is over: the review of the influencer is published.
    sqlx::query("update app.reviews set publish_at = now()").execute(&outbox.rows).await.unwrap();
    sqlx::query("select app.tick_collaborations()").execute(&outbox.rows).await.unwrap();
    let mail = server.next("accepted").await;
    assert_eq!(mail["headers"]["subject"], "Mei reviewed you");
    assert!(text(&mail).contains("5 of 5 stars"), "{}", text(&mail));
    assert!(text(&mail).contains(&format!("https://serasi.test/profile/{WORK}?tab=review")));
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_cancellation_tells_the_guest_why() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    work_with_a_guest(&outbox).await;

    let cancel = "select app.cancel_side($1, 'influencer', 'The dates do not fit.')";
    sqlx::query(cancel).bind(WORK).execute(&outbox.rows).await.unwrap();

    let mail = server.next("accepted").await;
    assert_eq!(mail["headers"]["subject"], "Your work with Aina was cancelled");
    assert!(text(&mail).contains("The dates do not fit."));
    assert!(text(&mail).contains("https://serasi.test/search/influencers"));
}
