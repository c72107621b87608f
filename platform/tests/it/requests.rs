//! Where a request begins and ends, and what happens when that is ambiguous.

use crate::support::{Client, limits, start};

async fn client() -> Client {
    Client::connect(start(limits(&[])).await).await
}

#[tokio::test]
async fn raw_targets_are_accepted_in_every_request_of_a_connection() {
    let mut client = client().await;
    let get = "GET /t?select=data->>\"name\" HTTP/1.1\r\nHost: a\r\n\r\n";
    let body = "GET /<<<< HTTP/1.1\r\nHost: a\r\n\r\n";
    let sized = format!("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let chunked = format!(
        "POST /length HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{:x};a=\"<\"\r\n{body}\r\n0\r\nA: <\r\n\r\n",
        body.len()
    );
    let bytes = format!("{} bytes", body.len());
    let expected = [
        (get, "you asked for /t?select=data-%3E%3E%22name%22"),
        (get, "you asked for /t?select=data-%3E%3E%22name%22"),
        (&sized, &bytes),
        (get, "you asked for /t?select=data-%3E%3E%22name%22"),
        (&chunked, &bytes),
    ];
    for (request, answer) in expected {
        client.send(request).await;
        assert_eq!(client.answer().await.body, answer);
    }
    // Nobody tracks where a chunked body ends, so it is the last one of its connection.
    assert!(client.is_closed().await);
    let mut client = Client::connect(start(limits(&[])).await).await;
    let pipelined: String = expected.iter().map(|(request, _)| *request).collect();
    client.send(pipelined + get).await;
    for (_, answer) in expected {
        assert_eq!(client.answer().await.body, answer);
    }
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn a_body_after_100_continue_arrives_unchanged() {
    for body in ["OK", "GET /<<<<<<<< HTTP/1.1\r\n", "<x/>", "{\"a\":\"<b>\"}"] {
        let mut client = client().await;
        let length = body.len();
        let head = format!(
            "POST /length HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
        );
        client.send(head).await;
        assert_eq!(client.answer().await.status, 100);
        client.send(body).await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.body), (200, format!("{length} bytes")));
        assert!(client.stays_open().await);
    }
}

#[tokio::test]
async fn requests_with_an_ambiguous_length_are_refused_and_closed() {
    let address = start(limits(&[])).await;
    for headers in [
        "Content-Length: 4\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 4",
        "Content-Length: 4\r\nContent-Length: 4",
        "Content-Length: 4\r\nContent-Length: 5",
        "Content-Length: 4, 4",
        "Content-Length: +4",
        "Content-Length: 0x4",
        "Content-Length : 4",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:\x0bchunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding:\r\n chunked",
        "A: b\nTransfer-Encoding: chunked",
        "A: b\rTransfer-Encoding: chunked",
        "Host: b",
        "A: \0",
    ] {
        let mut client = Client::connect(address).await;
        let smuggled = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
        client.send(format!("POST /length HTTP/1.1\r\nHost: a\r\n{headers}\r\n\r\n{smuggled}")).await;
        let answer = client.answer().await;
        assert_eq!(answer.status, 400, "{headers:?}");
        assert!(answer.closes(), "{headers:?}");
        assert!(client.is_closed().await, "{headers:?}");
    }
    let old = "POST /length HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    let mut client = Client::connect(address).await;
    client.send(old).await;
    assert_eq!(client.answer().await.status, 400);
    assert!(client.is_closed().await);
}

/// The bytes after a request without a length are the next request. Every proxy reads them in the same way.
#[tokio::test]
async fn a_body_without_a_length_is_the_next_request() {
    let mut client = client().await;
    client.send("GET /first HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(client.answer().await.body, "you asked for /first");
    assert_eq!(client.answer().await.body, "you asked for /second");
}

#[tokio::test]
async fn a_refusal_before_the_body_has_arrived_closes_the_connection() {
    for (expect, body) in [
        ("", ""),
        ("", "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("Expect: 100-continue\r\n", ""),
        ("Expect: 100-continue\r\n", "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"),
    ] {
        let mut client = client().await;
        let head = format!("POST /early HTTP/1.1\r\nHost: a\r\n{expect}Content-Length: 5000\r\n\r\n{body}");
        client.send(head).await;
        let answer = client.answer().await;
        assert_eq!(answer.status, 401);
        assert!(answer.closes());
        // The server discards later bytes, and they do not destroy the answer.
        client.try_send("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(client.is_closed().await);
    }
}

#[tokio::test]
async fn a_refusal_keeps_the_connection_when_the_whole_body_is_there() {
    let mut client = client().await;
    for _ in 0..3 {
        client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello").await;
        let answer = client.answer().await;
        assert_eq!((answer.status, answer.closes()), (401, false));
    }
    assert!(client.stays_open().await);
}
