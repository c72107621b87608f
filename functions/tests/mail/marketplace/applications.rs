use serde_json::json;
use uuid::Uuid;

use super::{Expected, Marketplace, Person, called};

/// A gig of the agency, and an application for it by each of them.
pub async fn gig_with_applications(market: &Marketplace, agency: &Person, people: &[&Person]) -> Vec<Uuid> {
    let gig = Uuid::new_v4();
    let add = "insert into app.gigs (id, agency_id, title, description, places) values ($1, $2, 'Hosts', 'Two days.', 1)";
    sqlx::query(add).bind(gig).bind(agency.id).execute(&market.outbox.rows).await.unwrap();
    let mut ids = vec![gig];
    for person in people {
        let row = json!({ "gig_id": gig, "pitch": "I have hosted ten food festivals." });
        called(&person.api, "/gig_applications", &row).await;
        let made = "select id from app.gig_applications where influencer_id = $1";
        ids.push(sqlx::query_scalar(made).bind(person.id).fetch_one(&market.outbox.rows).await.unwrap());
    }
    ids
}

/// Decides twice, as after a lost response.
async fn decide(agency: &Person, application: Uuid, decision: &str) {
    let body = json!({ "application_id": application, "decision": decision });
    called(&agency.api, "/rpc/decide_application", &body).await;
    called(&agency.api, "/rpc/decide_application", &body).await;
}

fn to_applicant<'a>(person: &'a Person, subject: &'a str, kind: &'static str) -> Expected<'a> {
    Expected {
        to: &person.email,
        subject,
        says: &["“Hosts”"],
        link: "/applications".to_owned(),
        reader: &person.api,
        kind: Some(kind),
    }
}

#[tokio::test]
async fn an_agency_gets_one_digest_and_each_applicant_every_decision() {
    let mut market = Marketplace::open().await;
    let lumut = market.agency("Lumut").await;
    let (aina, budi, chong) =
        (market.influencer("Aina").await, market.influencer("Budi").await, market.influencer("Chong").await);
    let ids = gig_with_applications(&market, &lumut, &[&aina, &budi, &chong]).await;
    let [gig, of_aina, of_budi, _] = ids[..] else { panic!("{ids:?}") };
    market.tick().await;
    market
        .mails([Expected {
            to: &lumut.email,
            subject: "3 new applicants for “Hosts”",
            says: &["Read their pitches"],
            link: format!("/gigs/{gig}/applicants"),
            reader: &lumut.api,
            kind: Some("application_received"),
        }])
        .await;

    decide(&lumut, of_aina, "shortlisted").await;
    let subject = "You are on the shortlist for “Hosts”";
    market.mails([to_applicant(&aina, subject, "application_decided")]).await;

    market
        .run(
            "update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date where id = $1",
            gig,
        )
        .await;
    market.tick().await;
    let subject = "“Hosts” closes in 48 hours";
    market.mails([to_applicant(&aina, subject, "gig_closing")]).await;

    decide(&lumut, of_budi, "declined").await;
    let subject = "Your application for “Hosts” was declined";
    market.mails([to_applicant(&budi, subject, "application_decided")]).await;

    // The only place is taken, so the third one is told, too.
    decide(&lumut, of_aina, "accepted").await;
    let accepted = Expected {
        to: &aina.email,
        subject: "Lumut accepted your application for “Hosts”",
        says: &["Never pay to get work."],
        link: format!("/agency/{}", lumut.id),
        reader: &aina.api,
        kind: Some("application_decided"),
    };
    let full = to_applicant(&chong, "“Hosts” is full", "gig_closed");
    market.mails([accepted, full]).await;
}

#[tokio::test]
async fn applicants_are_told_of_the_end_of_a_gig_and_the_agency_of_a_withdrawal() {
    let mut market = Marketplace::open().await;
    let lumut = market.agency("Lumut").await;
    let (aina, budi) = (market.influencer("Aina").await, market.influencer("Budi").await);
    let ids = gig_with_applications(&market, &lumut, &[&aina, &budi]).await;
    let [gig, _, of_budi] = ids[..] else { panic!("{ids:?}") };
    let to_agency = |subject, kind| Expected {
        to: "lumut@example.test",
        subject,
        says: &["“Hosts”"],
        link: format!("/gigs/{gig}/applicants"),
        reader: &lumut.api,
        kind: Some(kind),
    };
    market.tick().await;
    market.mails([to_agency("2 new applicants for “Hosts”", "application_received")]).await;

    called(&budi.api, "/rpc/withdraw_application", &json!({ "application_id": of_budi })).await;
    market.mails([to_agency("Budi withdrew an application", "application_withdrawn")]).await;

    market
        .run("update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date - 1 where id = $1", gig)
        .await;
    market.tick().await;
    market.mails([to_applicant(&aina, "“Hosts” is closed", "gig_closed")]).await;

    market.run("delete from app.gigs where id = $1", gig).await;
    market.mails([to_applicant(&aina, "“Hosts” was removed", "gig_closed")]).await;
}
