//! The outbox of a test's database.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use crate::database::TestDatabase;

const LIMIT: Duration = Duration::from_secs(30);

pub struct Outbox {
    pub rows: PgPool,
    pub database: TestDatabase,
}

#[derive(Debug, sqlx::FromRow)]
pub struct Row {
    pub data: Value,
    pub attempts: i32,
    pub sent: bool,
    pub given_up: bool,
    pub last_error: Option<String>,
}

impl Outbox {
    pub async fn new() -> Self {
        let database = TestDatabase::new().await;
        Self { rows: database.owner_pool().await, database }
    }

    /// Queues a link to set a new password.
    pub async fn add(&self, recipient: &str) -> Uuid {
        self.add_with("recovery", recipient, json!({ "link": "https://serasi.test/x", "code": "428317" }))
            .await
    }

    /// # Panics
    /// Panics when the database rejects the row.
    pub async fn add_with(&self, template: &str, recipient: &str, data: Value) -> Uuid {
        let add =
            "insert into serasi.mail_outbox (template, recipient, data) values ($1, $2, $3) returning id";
        let added = sqlx::query_scalar(add).bind(template).bind(recipient).bind(data).fetch_one(&self.rows);
        added.await.expect("queue an e-mail")
    }

    /// # Panics
    /// Panics when there is no such row.
    pub async fn mail(&self, id: Uuid) -> Row {
        let columns =
            "select data, attempts, sent_at is not null as sent, given_up_at is not null as given_up,
            last_error from serasi.mail_outbox where id = $1";
        sqlx::query_as(columns).bind(id).fetch_one(&self.rows).await.expect("read an e-mail")
    }

    /// The row, as soon as it meets the condition.
    ///
    /// # Panics
    /// Panics when it does not in time.
    pub async fn until(&self, id: Uuid, what: impl Fn(&Row) -> bool) -> Row {
        let began = Instant::now();
        loop {
            let row = self.mail(id).await;
            if what(&row) {
                return row;
            }
            assert!(began.elapsed() < LIMIT, "the row stays {row:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub async fn sent(&self, id: Uuid) -> Row {
        self.until(id, |row| row.sent).await
    }

    pub async fn given_up(&self, id: Uuid) -> Row {
        self.until(id, |row| row.given_up).await
    }

    /// Ends the lease or the pause.
    ///
    /// # Panics
    /// Panics when the database does not answer.
    pub async fn let_time_pass(&self) {
        let due = "update serasi.mail_outbox set next_attempt_at = now() where sent_at is null and given_up_at is null";
        sqlx::query(due).execute(&self.rows).await.expect("make e-mails due");
    }
}
