//! Sending enquiries through a real auth service, gateway and database. The rules themselves are tested in
//! db/tests/policies/enquiry_states.sql.

use axum::http::Request;
use serde_json::{Value, json};
use test_support::client::Answer;
use test_support::person::{anon_key, service_key};
use uuid::Uuid;

use crate::stack::{Stack, email, refused};

const PROFILES: [Uuid; 3] = [Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3)];

/// A stack with approved influencers, and an unapproved one at the end.
async fn stack() -> Stack {
    let stack = Stack::start().await;
    for (number, id) in PROFILES.iter().enumerate() {
        let account = Uuid::from_u128(1000 + u128::try_from(number).unwrap());
        stack
            .run(&format!(
                "insert into auth.users (id, email, raw_user_meta_data)
                 values ('{account}', 'influencer{number}@example.test', '{{\"user_type\": \"influencer\"}}');
                 insert into app.influencers (id, user_id, name, username, category, approved)
                 values ('{id}', '{account}', 'Influencer {number}', 'influencer{number}', 'Travel', {number} < 2)",
            ))
            .await;
    }
    stack
}

fn brief(to: &[Uuid]) -> Value {
    json!({ "influencer_ids": to, "deliverables": "Two reels", "message": "Would you show our new menu?" })
}

fn guest_brief(to: &[Uuid], address: &str) -> Value {
    let mut body = brief(to);
    body["name"] = json!("Mei");
    body["email"] = json!(address);
    body
}

async fn states(stack: &Stack) -> Vec<String> {
    sqlx::query_scalar("select state from app.enquiries order by state").fetch_all(&stack.rows).await.unwrap()
}

fn sent_states(answer: &Answer) -> Vec<(Uuid, String)> {
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    let body = answer.json();
    let rows = body["enquiries"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            (
                row["influencer_id"].as_str().unwrap().parse().unwrap(),
                row["state"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

#[track_caller]
fn limited(answer: &Answer, longest: u32) {
    assert_eq!(answer.status.as_u16(), 429, "{}", answer.text());
    let seconds: u32 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=longest).contains(&seconds), "{seconds}");
    assert!(answer.json()["error"].is_string());
}

#[tokio::test]
async fn the_sender_learns_how_new_a_standby_must_be() {
    let stack = stack().await;
    let agency = stack.portal_user("agency").await;
    let functions = stack.replica_with_standby().await.functions.with_token(agency);

    let sent = functions.post_json("/enquiries", &brief(&PROFILES[..1])).await;

    assert_eq!(sent.status.as_u16(), 201, "{}", sent.text());
    let position = sent.header("x-read-after").unwrap();
    assert!(sent.header("set-cookie").unwrap().starts_with(&format!("read-after={position}; ")));
}

#[tokio::test]
async fn accounts_send_at_once_and_guests_confirm_first() {
    let stack = stack().await;
    let agency = stack.functions.with_token(stack.portal_user("agency").await);
    let guest = stack.functions.with_token(anon_key());

    let sent = agency.post_json("/enquiries", &brief(&[PROFILES[1], PROFILES[0]])).await;
    let open = || "open".to_owned();
    assert_eq!(
        sent_states(&sent),
        [(PROFILES[1], open()), (PROFILES[0], open())],
        "in the order of the request"
    );
    assert_eq!(sent.json()["remaining"], 4);

    let sent = guest.post_json("/enquiries", &guest_brief(&PROFILES[..1], "mei@example.test")).await;
    assert_eq!(sent_states(&sent), [(PROFILES[0], "unconfirmed".to_owned())]);
    // The address of an account makes no difference, also when the account has an open enquiry.
    let as_account = guest.post_json("/enquiries", &guest_brief(&PROFILES[..1], &email("agency"))).await;
    // Nor does a blocked address: its owner learns it when confirming.
    stack.run("select app.block_sender(null, 'blocked@example.test', 'A guest', 'Spam')").await;
    let as_blocked =
        guest.post_json("/enquiries", &guest_brief(&PROFILES[..1], "blocked@example.test")).await;
    let mut bodies = [sent.json(), as_account.json(), as_blocked.json()];
    for body in &mut bodies {
        body["enquiries"][0].as_object_mut().unwrap().remove("id");
    }
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(bodies[0], bodies[2]);
    assert_eq!(states(&stack).await, ["open", "open", "unconfirmed", "unconfirmed", "unconfirmed"]);
    let mails: Vec<String> = sqlx::query_scalar(
        "select template || ' ' || recipient from serasi.mail_outbox where template like '%enquiry%' order by 1",
    )
    .fetch_all(&stack.rows)
    .await
    .unwrap();
    assert_eq!(
        mails,
        [
            "enquiry_received influencer0@example.test".to_owned(),
            "enquiry_received influencer1@example.test".to_owned(),
            format!("guest_enquiry_confirm {}", email("agency")),
            "guest_enquiry_confirm blocked@example.test".to_owned(),
            "guest_enquiry_confirm mei@example.test".to_owned(),
        ]
    );
}

#[tokio::test]
async fn refusals_name_the_problem_and_write_nothing() {
    let stack = stack().await;
    let token = stack.portal_user("agency").await;
    let agency = stack.functions.with_token(&token);
    let guest = stack.functions.with_token(anon_key());
    let with = |name: &str, value: Value| {
        let mut body = guest_brief(&PROFILES[..1], "mei@example.test");
        body[name] = value;
        body
    };
    for (client, body, status, error) in [
        (&guest, json!({}), 400, "influencer_ids must be a list of 1 to 10 profile ids"),
        (&guest, brief(&[]), 400, "Choose 1 to 10 profiles"),
        (&guest, brief(&PROFILES[..1]), 400, "Enter your name"),
        (&guest, with("email", json!("nowhere")), 400, "Enter a valid e-mail address"),
        (&guest, with("message", json!("Too short")), 400, "The message needs at least 20 characters"),
        (
            &guest,
            with("starts_on", json!("2026-02-31")),
            400,
            "Enter dates as year-month-day, such as 2026-08-31",
        ),
        (&agency, brief(&[PROFILES[0], PROFILES[2]]), 404, "One of these profiles doesn't exist"),
        (&agency, brief(&[Uuid::nil()]), 404, "This profile doesn't exist"),
    ] {
        let answer = client.post_json("/enquiries", &body).await;
        refused(&answer, status);
        assert_eq!(answer.json()["error"], error);
    }
    let influencer = stack.sign_in_as_owner(PROFILES[0]).await;
    refused(
        &stack.functions.with_token(influencer).post_json("/enquiries", &brief(&PROFILES[..1])).await,
        422,
    );
    refused(
        &stack.functions.with_token(service_key()).post_json("/enquiries", &brief(&PROFILES[..1])).await,
        403,
    );
    refused(&stack.functions.post_json("/enquiries", &brief(&PROFILES[..1])).await, 401);
    assert!(states(&stack).await.is_empty());

    assert_eq!(agency.post_json("/enquiries", &brief(&PROFILES[..1])).await.status.as_u16(), 201);
    let again = agency.post_json("/enquiries", &brief(&PROFILES[..2])).await;
    refused(&again, 409);
    assert_eq!(again.json()["error"], "You already have an open enquiry to Influencer 0");
    // An ended session can't send, although its token is still valid.
    stack.run("delete from auth.sessions").await;
    refused(&agency.post_json("/enquiries", &brief(&PROFILES[1..2])).await, 401);
    assert_eq!(states(&stack).await, ["open"]);
}

#[tokio::test]
async fn a_double_click_sends_once() {
    let stack = stack().await;
    let agency = stack.functions.with_token(stack.portal_user("agency").await);
    let body = brief(&PROFILES[..2]);

    let answers = futures::future::join_all((0..6).map(|_| agency.post_json("/enquiries", &body))).await;

    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409]);
    assert_eq!(states(&stack).await, ["open", "open"]);
}

#[tokio::test]
async fn a_sender_has_five_a_day_and_a_client_twenty_an_hour() {
    let stack = stack().await;
    let agency = stack.functions.with_token(stack.portal_user("agency").await);
    let withdraw = "update app.enquiries set state = 'withdrawn' where state = 'open'";
    for left in (0..5).rev() {
        let answer = agency.post_json("/enquiries", &brief(&PROFILES[..1])).await;
        assert_eq!(answer.json()["remaining"], left);
        stack.run(withdraw).await;
    }
    limited(&agency.post_json("/enquiries", &brief(&PROFILES[..1])).await, 86_400);

    let behind_proxy = stack.functions_with("TRUSTED_PROXIES", "127.0.0.1".to_owned()).await;
    let send = async |number: usize, client: &str| {
        let request = Request::post("/enquiries")
            .header("authorization", format!("Bearer {}", anon_key()))
            .header("x-forwarded-for", client);
        let body = guest_brief(&PROFILES[..1], &format!("guest{number}@example.test"));
        behind_proxy.send(request, body.to_string()).await
    };
    for number in 0..20 {
        let answer = send(number, "203.0.113.7").await;
        assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    }
    limited(&send(20, "203.0.113.7").await, 3_600);
    assert_eq!(send(20, "203.0.113.8").await.status.as_u16(), 201);
}
