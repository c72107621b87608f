//! The mails that the service has put into the outbox.

use serde_json::{Value, json};
use test_support::client::Answer;
use url::Url;

use crate::support::Auth;

#[derive(Debug, sqlx::FromRow)]
pub struct Mail {
    pub template: String,
    pub recipient: String,
    pub data: Value,
}

impl Mail {
    pub fn code(&self) -> &str {
        self.data["code"].as_str().unwrap()
    }

    pub fn link(&self) -> Url {
        Url::parse(self.data["link"].as_str().unwrap()).unwrap()
    }

    /// A parameter of the link.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.link().query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    pub fn token_hash(&self) -> String {
        self.parameter("token_hash").unwrap()
    }
}

impl Auth {
    /// All mails, the newest last.
    pub async fn mails(&self) -> Vec<Mail> {
        sqlx::query_as(
            "select template, recipient, data from serasi.mail_outbox order by created_at, template, recipient",
        )
        .fetch_all(&self.rows)
        .await
        .unwrap()
    }

    pub async fn last_mail(&self) -> Mail {
        self.mails().await.pop().unwrap()
    }

    /// The newest mail to this recipient.
    pub async fn mail_to(&self, recipient: &str) -> Mail {
        self.mails().await.into_iter().rfind(|mail| mail.recipient == recipient).unwrap()
    }

    pub async fn verify_code(&self, purpose: &str, email: &str, code: &str) -> Answer {
        self.client.post_json("/verify", &json!({ "type": purpose, "email": email, "token": code })).await
    }

    pub async fn verify_link(&self, purpose: &str, token_hash: &str) -> Answer {
        self.client.post_json("/verify", &json!({ "type": purpose, "token_hash": token_hash })).await
    }

    pub async fn recover(&self, email: &str) -> Answer {
        self.client.post_json("/recover", &json!({ "email": email })).await
    }

    /// Moves the clock far enough for the next mail of the same kind.
    pub fn wait_a_minute(&self) {
        self.clock.advance(chrono::TimeDelta::seconds(60));
    }
}

/// A six-digit code that differs from this one.
pub fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Where the answer redirects.
#[track_caller]
pub fn location(answer: &Answer) -> String {
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    answer.header("location").unwrap().to_owned()
}

/// The parameters in the fragment or the query of an address.
pub fn parameters(text: &str) -> Value {
    url::form_urlencoded::parse(text.as_bytes())
        .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
