//! Properties that no sequence of requests may change.

use std::collections::BTreeSet;

use anyhow::Context;
use reqwest::Method;
use tokio_postgres::Client;

use crate::product::Product;

/// The demo accounts' roles and addresses. The run has none of their tokens and restricts its own privileged ones.
const DEMO_PEOPLE: &str = "
    select coalesce(string_agg(u.id || ' ' || u.email || ' ' || coalesce(r.role, '-') || ' ' || md5(coalesce(u.encrypted_password, '')), E'\\n' order by u.id, r.role), '')
    from auth.users as u left join app.user_roles as r on r.user_id = u.id
    where u.id::text like '5e7a0001%' and u.deleted_at is null";

/// The number of rows of each view that a visitor can count, computed from the tables; -1 if visitors may not read it.
const VISIBLE: [(&str, &str); 16] = [
    ("influencers", "select count(*) from app.influencers where approved"),
    ("agencies", "select count(*) from app.agencies"),
    ("vendors", "select count(*) from app.vendors"),
    ("user_roles", "select -1::bigint"),
    ("profiles", "select -1::bigint"),
    ("audit_log", "select -1::bigint"),
    ("backups", "select -1::bigint"),
    ("reports", "select -1::bigint"),
    ("report_decisions", "select -1::bigint"),
    ("blocked_senders", "select -1::bigint"),
    ("report_counts", "select -1::bigint"),
    ("newsletter_subscriptions", "select -1::bigint"),
    ("favorites", "select -1::bigint"),
    ("collaborations", "select -1::bigint"),
    ("reviews", "select count(*) from app.reviews where published_at is not null and hidden_at is null"),
    ("moderation_counts", "select -1::bigint"),
];

pub struct Before {
    demo_people: String,
}

impl Before {
    /// # Errors
    /// When the database can't be queried.
    pub async fn the_run(database: &Client) -> anyhow::Result<Self> {
        Ok(Self { demo_people: database.query_one(DEMO_PEOPLE, &[]).await?.try_get(0)? })
    }

    /// Returns the violations.
    ///
    /// # Errors
    /// When the database or the server can't be queried.
    pub async fn broken(&self, database: &Client, product: &Product) -> anyhow::Result<Vec<String>> {
        let mut broken = Vec::new();
        let now: String = database.query_one(DEMO_PEOPLE, &[]).await?.try_get(0)?;
        let [old, new] = [&self.demo_people, &now].map(|people| people.lines().collect::<BTreeSet<_>>());
        let changed = old.symmetric_difference(&new);
        broken.extend(changed.map(|line| format!("a demo account was or is now: {line}")));
        if !database.query_one("select app.any_superadmin()", &[]).await?.try_get::<_, bool>(0)? {
            broken.push("no superadmin is left".to_owned());
        }
        for (view, statement) in VISIBLE {
            let expected: i64 = database.query_one(statement, &[]).await?.try_get(0)?;
            let seen = visible(product, view).await?;
            if seen != expected {
                broken.push(format!(
                    "a visitor counts {seen} rows of {view} instead of {expected} (-1: not readable)"
                ));
            }
        }
        Ok(broken)
    }
}

async fn visible(product: &Product, view: &str) -> anyhow::Result<i64> {
    let request = product.request(Method::HEAD, &format!("/rest/v1/{view}"));
    let answer = request.header("prefer", "count=exact").send().await?;
    if matches!(answer.status().as_u16(), 401 | 403) {
        return Ok(-1);
    }
    let range =
        answer.headers().get("content-range").and_then(|value| value.to_str().ok()).unwrap_or_default();
    range
        .rsplit('/')
        .next()
        .and_then(|total| total.parse().ok())
        .with_context(|| format!("{view}: {}", answer.status()))
}
