use serde_json::json;
use uuid::Uuid;

use super::{Expected, Marketplace, Person, called};

const EXPIRE: &str = "update app.enquiries set expires_at = now() where id = $1";

/// An e-mail about an enquiry to an account.
fn about<'a>(
    person: &'a Person,
    subject: &'a str,
    says: &'a [&'a str],
    kind: &'static str,
    id: Uuid,
) -> Expected<'a> {
    let link = format!("/enquiries/{id}");
    Expected { to: &person.email, subject, says, link, reader: &person.api, kind: Some(kind) }
}

#[tokio::test]
async fn a_guest_confirms_is_answered_and_otherwise_told_of_the_end() {
    let mut market = Marketplace::open().await;
    let (aina, budi) = (market.influencer("Aina").await, market.influencer("Budi").await);
    let guest = market.guest.clone();
    let to_guest = |subject, says, reader| Expected {
        to: "mei@example.test",
        subject,
        says,
        link: "/enquiry/{token}".to_owned(),
        reader,
        kind: None,
    };

    let ids = market.send_brief(None, &[&aina, &budi]).await;
    let subject = "Confirm your enquiry to Aina and 1 other";
    let [token] = market.mails([to_guest(subject, &["If it wasn't you, ignore this e-mail."], &guest)]).await;

    called(&guest, "/rpc/confirm_enquiry", &json!({ "token": token })).await;
    let received = "Mei sent you an enquiry";
    market
        .mails([
            about(&aina, received, &["Raya reel"], "enquiry_received", ids[0]),
            about(&budi, received, &["Raya reel"], "enquiry_received", ids[1]),
        ])
        .await;

    market
        .run("update app.enquiries set opened_at = now() - interval '72 hours' where id = $1", ids[1])
        .await;
    market.tick().await;
    let waiting = "Mei is waiting for your answer";
    market.mails([about(&budi, waiting, &["Raya reel"], "enquiry_reminder", ids[1])]).await;

    let answer = json!({ "enquiry_id": ids[0], "accept": true, "answer": "Gladly, on a Saturday." });
    called(&aina.api, "/rpc/answer_enquiry", &answer).await;
    called(&aina.api, "/rpc/answer_enquiry", &answer).await;
    let says = ["Raya reel", "Gladly, on a Saturday."];
    market.mails([to_guest("Aina accepted your enquiry", &says, &guest)]).await;

    market.run(EXPIRE, ids[1]).await;
    market.tick().await;
    market.mails([to_guest("Your enquiry to Budi expired", &["Raya reel"], &guest)]).await;
}

#[tokio::test]
async fn an_agency_is_told_of_each_answer_and_an_influencer_of_a_withdrawal() {
    let mut market = Marketplace::open().await;
    let (aina, budi, chong) =
        (market.influencer("Aina").await, market.influencer("Budi").await, market.influencer("Chong").await);
    let lumut = market.agency("Lumut").await;
    let ids = market.send_brief(Some(&lumut), &[&aina, &budi, &chong]).await;
    let (subject, says) = ("Lumut sent you an enquiry", &["Raya reel", "Never pay to get work."][..]);
    market
        .mails([
            about(&aina, subject, says, "enquiry_received", ids[0]),
            about(&budi, subject, says, "enquiry_received", ids[1]),
            about(&chong, subject, says, "enquiry_received", ids[2]),
        ])
        .await;

    let answer = json!({ "enquiry_id": ids[0], "accept": false, "reason": "I am away in May." });
    called(&aina.api, "/rpc/answer_enquiry", &answer).await;
    let (subject, says) = ("Aina declined your enquiry", &["I am away in May."][..]);
    market.mails([about(&lumut, subject, says, "enquiry_answered", ids[0])]).await;

    called(&lumut.api, "/rpc/withdraw_enquiry", &json!({ "enquiry_id": ids[1] })).await;
    let (subject, says) = ("Lumut withdrew an enquiry", &["Raya reel"][..]);
    market.mails([about(&budi, subject, says, "enquiry_withdrawn", ids[1])]).await;

    market.run(EXPIRE, ids[2]).await;
    market.tick().await;
    let subject = "Your enquiry to Chong expired";
    market.mails([about(&lumut, subject, says, "enquiry_expired", ids[2])]).await;
}
