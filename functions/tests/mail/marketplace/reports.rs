use serde_json::json;
use uuid::Uuid;

use super::applications::gig_with_applications;
use super::{Expected, Marketplace, Person, called};

async fn reported(market: &Marketplace, reporter: &Person, kind: &str, subject: Uuid) -> Uuid {
    let report =
        json!({ "kind": kind, "subject_id": subject, "reason": "scam", "text": "They want RM 200." });
    called(&reporter.api, "/reports", &report).await;
    let made = "select id from app.reports where reporter_id = $1 and subject_id = $2";
    sqlx::query_scalar(made).bind(reporter.id).bind(subject).fetch_one(&market.outbox.rows).await.unwrap()
}

#[tokio::test]
async fn the_reporter_and_the_owner_are_told_and_cannot_unsubscribe() {
    let mut market = Marketplace::open().await;
    let (admin, lumut) = (market.admin().await, market.agency("Lumut").await);
    let (aina, budi) = (market.influencer("Aina").await, market.influencer("Budi").await);
    let gig = gig_with_applications(&market, &lumut, &[]).await[0];
    let other = gig_with_applications(&market, &lumut, &[]).await[0];
    let decide = async |report: Uuid, decision: &str, more: serde_json::Value| {
        let mut body = json!({ "report_id": report, "decision": decision, "note": "Seen by the desk." });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        called(&admin.api, "/rpc/decide_report", &body).await;
        called(&admin.api, "/rpc/decide_report", &body).await;
    };
    let (of_aina, of_budi) =
        (reported(&market, &aina, "gig", gig).await, reported(&market, &budi, "gig", other).await);
    decide(of_aina, "taken", json!({})).await;
    decide(of_budi, "taken", json!({})).await;
    let told = |person: &'static str, says, reader| Expected {
        to: person,
        subject: "We decided about your report",
        says,
        link: "/gigs".to_owned(),
        reader,
        kind: None,
    };

    decide(of_budi, "dismissed", json!({})).await;
    let says = ["“Hosts”", "found nothing that breaks our rules"];
    market.mails([told("budi@example.test", &says, &budi.api)]).await;

    decide(of_aina, "upheld", json!({ "actions": ["close_gig", "block_sender"] })).await;
    let owner = Expected {
        to: &lumut.email,
        subject: "We upheld a report about your gig",
        says: &["“Hosts”", "it asks for money or looks like a scam", "We closed the gig."],
        link: "/agency-dashboard?tab=gigs".to_owned(),
        reader: &lumut.api,
        kind: None,
    };
    market
        .mails([told("aina@example.test", &["“Hosts” and agree with your report"], &aina.api), owner])
        .await;
}
