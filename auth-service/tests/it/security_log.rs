use std::cell::RefCell;
use std::io;
use std::sync::Once;

use serde_json::json;
use tracing_subscriber::EnvFilter;

use crate::support::{Auth, PASSWORD, refresh, session};

const ANA: &str = "ana@demo.serasi.test";
const NOBODY: &str = "nobody@demo.serasi.test";

thread_local! {
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What this thread logs, which is where a test's service runs.
struct Log;

impl Log {
    /// The same for the whole process: whether anybody listens is remembered for all threads.
    fn listen() -> Self {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(|| Self);
            let filter = EnvFilter::new("warn,security=info,auth_service=trace,platform=trace");
            subscriber.with_env_filter(filter).init();
        });
        Self
    }

    fn text(&self) -> String {
        LOG.with_borrow(|log| String::from_utf8(log.clone()).unwrap())
    }

    /// The lines of one event.
    fn lines(&self, event: &str) -> Vec<String> {
        let wanted = format!("event=\"{event}\"");
        let is_wanted = |line: &&str| line.contains("security:") && line.contains(&wanted);
        self.text().lines().filter(is_wanted).map(str::to_owned).collect()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn what_matters_is_logged_and_nothing_that_opens_anything() {
    let log = Log::listen();
    let auth = Auth::start_with(&[("AUTH_RATE_LIMITS", "on"), ("AUTH_SIGN_IN_FAILURES", "1")]).await;
    let first = auth.influencer(ANA).await;
    let second = session(&auth.sign_in(ANA, PASSWORD).await);
    auth.sign_in(ANA, "a wrong one").await;
    auth.sign_in(ANA, PASSWORD).await;
    auth.sign_in(NOBODY, "a wrong one").await;
    let third = session(&refresh(&auth.client, &first.refresh_token).await);
    let fourth = session(&refresh(&auth.client, &third.refresh_token).await);
    auth.clock.advance(chrono::TimeDelta::seconds(60));
    refresh(&auth.client, &first.refresh_token).await;
    let change = auth.as_owner(&second).put_json("/user", &json!({ "password": "a new one" })).await;
    assert_eq!(change.status, 200, "{}", change.text());
    let guess = json!({ "type": "recovery", "email": ANA, "token": "123456" });
    auth.client.post_json("/verify", &guess).await;
    let path = format!("/admin/users/{}", first.user_id);
    auth.operator().put_json(&path, &json!({ "password": "an operator's" })).await;
    auth.operator().send(axum::http::Request::delete(&path), "").await;

    let text = log.text();
    let expected = [
        ("signed_in", 2),
        ("sign_in_failed", 2),
        ("sign_in_paused", 1),
        ("refresh_token_reused", 1),
        ("password_changed", 1),
        ("proof_failed", 1),
        ("account_updated", 1),
        ("account_deleted", 1),
    ];
    for (event, times) in expected {
        assert_eq!(log.lines(event).len(), times, "{event}: {text}");
    }
    for event in
        ["signed_in", "refresh_token_reused", "password_changed", "account_updated", "account_deleted"]
    {
        assert!(log.lines(event).iter().all(|line| line.contains(&first.user_id)), "{event}: {text}");
    }
    // The same address is the same mark, another one another, and neither can be read.
    let marks: Vec<String> = [log.lines("sign_in_failed"), log.lines("sign_in_paused")]
        .concat()
        .iter()
        .map(|line| line.split("address=").nth(1).unwrap().split(' ').next().unwrap().to_owned())
        .collect();
    assert!(marks[0] == marks[2] && marks[0] != marks[1], "{marks:?}");
    assert!(log.lines("sign_in_failed")[0].contains("client=127.0.0.1"), "{text}");

    let secrets = [
        ANA,
        NOBODY,
        PASSWORD,
        "a wrong one",
        "a new one",
        "an operator's",
        "123456",
        "argon2id",
        &first.access_token,
        &first.refresh_token,
        &second.access_token,
        &second.refresh_token,
        &third.refresh_token,
        &fourth.access_token,
        &fourth.refresh_token,
    ];
    for secret in secrets {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}
