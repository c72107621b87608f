//! Bodies that don't arrive, and too many bodies at the same time.

use std::time::{Duration, Instant};

use platform::http::body::BodyBudget;

use crate::support::{Client, limits, start};

fn head(length: usize) -> String {
    format!("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n")
}

#[tokio::test]
async fn a_body_that_does_not_arrive_gets_408_and_closes_the_connection() {
    let mut limits = limits(&[]);
    limits.body_timeout = Duration::from_millis(200);
    let address = start(limits).await;
    for beginning in ["", "hello"] {
        let began = Instant::now();
        let mut client = Client::connect(address).await;
        client.send(head(1000) + beginning).await;
        let answer = client.answer().await;
        assert_eq!(answer.status, 408);
        assert!(answer.closes());
        assert!(client.is_closed().await);
        assert!(began.elapsed() >= Duration::from_millis(200));
    }
}

#[tokio::test]
async fn a_body_that_keeps_the_minimum_rate_may_take_longer() {
    let mut limits = limits(&[]);
    (limits.body_timeout, limits.body_bytes_per_second) = (Duration::from_secs(1), 10_000);
    let mut client = Client::connect(start(limits).await).await;
    let part = vec![b'x'; 10_000];
    client.send(head(10 * part.len())).await;
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        client.send(&part).await;
    }
    assert_eq!(client.answer().await.body, "100000 bytes");
}

#[tokio::test]
async fn a_body_that_trickles_gets_408() {
    let mut limits = limits(&[]);
    (limits.body_timeout, limits.body_bytes_per_second) = (Duration::from_millis(300), 1_000_000);
    let mut client = Client::connect(start(limits).await).await;
    client.send(head(1000)).await;
    let until = Instant::now() + Duration::from_secs(5);
    let answer = loop {
        client.try_send("x").await;
        if let Ok(answer) = tokio::time::timeout(Duration::from_millis(30), client.try_answer()).await {
            break answer.unwrap();
        }
        assert!(Instant::now() < until, "the server still reads");
    };
    assert_eq!(answer.status, 408);
}

#[tokio::test]
async fn bodies_over_the_budget_are_refused_until_others_finish() {
    let mut limits = limits(&[]);
    limits.body_budget = BodyBudget::new(1_500_000);
    let address = start(limits).await;
    let body = vec![b'x'; 900_000];
    let mut held = Client::connect(address).await;
    held.send(head(body.len()).replace("/length", "/hold")).await;
    held.send(&body).await;
    let mut other = Client::connect(address).await;
    loop {
        other.send("GET /holding HTTP/1.1\r\nHost: a\r\n\r\n").await;
        if other.answer().await.body == "1" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The server rejects it during the transfer.
    for _ in 0..3 {
        let mut refused = Client::connect(address).await;
        refused.send(head(1_000_000)).await;
        refused.try_send(&body).await;
        let answer = refused.answer().await;
        assert_eq!((answer.status, answer.closes()), (503, true));
    }
    // The first bytes of a body are free.
    let mut small = Client::connect(address).await;
    small.send(head(5) + "hello").await;
    assert_eq!(small.answer().await.body, "5 bytes");
    other.send("GET /release HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(held.answer().await.body, "900000 bytes");
    let mut large = Client::connect(address).await;
    large.send(head(body.len())).await;
    large.send(&body).await;
    assert_eq!(large.answer().await.body, "900000 bytes");
}

#[tokio::test]
async fn an_oversized_body_is_refused_before_it_is_sent() {
    let mut client = Client::connect(start(limits(&[])).await).await;
    client.send(head(2_000_000)).await;
    let answer = client.answer().await;
    assert_eq!((answer.status, answer.closes()), (413, true));
}

#[tokio::test]
async fn a_body_that_stalls_gets_408_however_much_has_arrived() {
    let mut limits = limits(&[]);
    (limits.body_timeout, limits.body_bytes_per_second) = (Duration::from_millis(300), 1000);
    let mut client = Client::connect(start(limits).await).await;
    client.send(head(20_000)).await;
    let began = Instant::now();
    client.send(vec![b'x'; 9000]).await;
    assert_eq!(client.answer().await.status, 408);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

/// The server asks for the next bytes, and stores the earlier ones before it looks whether they have arrived.
#[tokio::test]
async fn the_servers_own_work_is_not_the_clients_time() {
    let mut limits = limits(&[]);
    (limits.body_timeout, limits.body_bytes_per_second) = (Duration::from_millis(300), 1_000_000_000);
    let mut client = Client::connect(start(limits).await).await;
    let body = vec![b'x'; 500_000];
    client.send(head(body.len()).replace("/length", "/slow")).await;
    client.send(&body).await;
    assert_eq!(client.answer().await.body, "500000 bytes");
}
