//! Limits hold for all replicas together: two gateways and two functions services on one database get parallel requests.

use axum::http::Request;
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::client::Answer;
use test_support::person::anon_key;
use uuid::Uuid;

use crate::stack::{Replica, Stack, email};

/// Requests to one path, sent at once.
struct Flood {
    path: &'static str,
    token: String,
    bodies: Vec<Value>,
    /// How many are accepted.
    limit: usize,
    /// The status of the others.
    refused: u16,
    /// The number of rows that were added.
    added: &'static str,
}

fn profile(number: usize) -> Uuid {
    Uuid::from_u128(1 + u128::try_from(number).unwrap())
}

/// Thirty approved influencers, and an agency with thirty gigs that `influencer` may see.
async fn marketplace(stack: &Stack) -> (String, String) {
    let tokens = (stack.portal_user("agency").await, stack.portal_user("influencer").await);
    let id = |expression: &str| {
        format!("('00000000-0000-0000-0000-' || lpad(to_hex({expression}), 12, '0'))::uuid")
    };
    let (account, profile, gig) = (id("1000 + n"), id("1 + n"), id("2000 + n"));
    stack
        .run(&format!(
            r#"insert into auth.users (id, email, raw_user_meta_data)
                 select {account}, 'i' || n || '@example.test', '{{"user_type": "influencer"}}' from generate_series(0, 29) as n"#
        ))
        .await;
    stack
        .run(&format!(
            "insert into app.influencers (id, user_id, name, username, category, approved)
               select {profile}, {account}, 'Influencer ' || n, 'i' || n, 'Travel', true from generate_series(0, 29) as n;
             insert into app.influencers (user_id, name, username, category, approved, badge_type)
               select id, 'Applicant', 'applicant', 'Travel', true, 'gold' from auth.users where email = '{applicant}';
             insert into app.agencies (user_id, name, email) select id, 'Agency', email from auth.users where email = '{agency}';
             insert into app.gigs (id, agency_id, title, description)
               select {gig}, agencies.id, 'Gig', 'D' from app.agencies, generate_series(0, 29) as n",
            applicant = email("influencer"),
            agency = email("agency"),
        ))
        .await;
    tokens
}

fn brief(to: usize) -> Value {
    json!({
        "influencer_ids": [profile(to)], "deliverables": "Two reels", "message": "Would you show our new menu?",
    })
}

fn guest_brief(number: usize) -> Value {
    let mut body = brief(number);
    body["name"] = json!("Mei");
    body["email"] = json!(format!("guest{number}@example.test"));
    body
}

/// Alternately to one replica and the other.
async fn send(replicas: &[Replica; 2], flood: &Flood, client: impl Fn(usize) -> String) -> Vec<Answer> {
    join_all(flood.bodies.iter().enumerate().map(|(number, body)| {
        let replica = &replicas[number % 2];
        let service = if flood.path == "/enquiries" { &replica.functions } else { &replica.gateway };
        let request = Request::post(flood.path)
            .header("authorization", format!("Bearer {}", flood.token))
            .header("content-type", "application/json")
            .header("x-forwarded-for", client(number));
        service.send(request, body.to_string())
    }))
    .await
}

fn floods(agency: &str, influencer: &str) -> Vec<Flood> {
    let application = |number: u128| json!({ "gig_id": Uuid::from_u128(2000 + number), "pitch": "I would love to do this." });
    let report = |number| json!({ "kind": "influencer", "subject_id": profile(number), "reason": "spam" });
    let flood = |path, token: &str, bodies, limit, refused, added| Flood {
        path,
        token: token.to_owned(),
        bodies,
        limit,
        refused,
        added,
    };
    let enquiries = "select count(*) from app.enquiries";
    vec![
        flood("/enquiries", agency, vec![brief(0); 8], 1, 409, enquiries),
        // One of five is used by now.
        flood("/enquiries", agency, (1..13).map(brief).collect(), 4, 429, enquiries),
        // Five of twenty are used by now.
        flood("/enquiries", &anon_key(), (0..24).map(guest_brief).collect(), 15, 429, enquiries),
        flood(
            "/gig_applications",
            influencer,
            (0..26).map(application).collect(),
            20,
            429,
            "select count(*) from app.gig_applications",
        ),
        flood(
            "/reports",
            influencer,
            (0..14).map(report).collect(),
            10,
            429,
            "select count(*) from app.reports",
        ),
    ]
}

#[track_caller]
fn assert_limited(flood: &Flood, answers: Vec<Answer>, added: i64) {
    let what = format!("{} with a limit of {}", flood.path, flood.limit);
    let (accepted, refused): (Vec<Answer>, Vec<Answer>) =
        answers.into_iter().partition(|answer| answer.status.as_u16() == 201);
    assert_eq!(accepted.len(), flood.limit, "{what}: {:?}", refused.first().map(Answer::text));
    assert_eq!(added, i64::try_from(flood.limit).unwrap(), "{what}: rows");
    for answer in refused {
        assert_eq!(answer.status.as_u16(), flood.refused, "{what}: {}", answer.text());
        assert_eq!(answer.header("retry-after").is_some(), flood.refused == 429, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_count_the_requests_of_all_replicas() {
    let stack = Stack::start().await;
    let (agency, influencer) = marketplace(&stack).await;
    let replicas = stack.replicas().await;
    for flood in floods(&agency, &influencer) {
        let rows = || sqlx::query_scalar::<_, i64>(flood.added).fetch_one(&stack.rows);
        let before = rows().await.unwrap();

        let answers = send(&replicas, &flood, |_| "203.0.113.7".to_owned()).await;

        assert_limited(&flood, answers, rows().await.unwrap() - before);
    }
}

/// The owner of an IPv6 network has thousands of clients.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_of_all_clients_share_a_limit() {
    let stack = Stack::start().await;
    marketplace(&stack).await;
    let replicas = stack.replicas().await;
    stack
        .run(
            "insert into app.enquiry_briefs (sender_key, client, guest_email)
             select n, n, n || '@mail.test' from generate_series(1, 995) as n",
        )
        .await;
    let flood = Flood {
        path: "/enquiries",
        token: anon_key(),
        bodies: (0..24).map(guest_brief).collect(),
        limit: 5,
        refused: 429,
        added: "select count(*) from app.enquiries",
    };

    let answers = send(&replicas, &flood, |number| format!("2001:db8:0:{number:x}::1")).await;

    let added = sqlx::query_scalar(flood.added).fetch_one(&stack.rows).await.unwrap();
    assert_limited(&flood, answers, added);
}
