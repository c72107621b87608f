//! Properties that no sequence of requests may change.

use anyhow::Context;
use reqwest::Method;
use serde_json::Value;
use tokio_postgres::Client;

use crate::product::{self, Product};

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
        for (line, what) in differences(&self.demo_people, &now) {
            broken.push(format!("a demo account {what}: {line}"));
        }
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
        let hidden = "/rest/v1/influencers?approved=is.false&select=id";
        let rows: Value =
            serde_json::from_slice(&product::body(product.request(Method::GET, hidden)).await?)?;
        if rows != Value::Array(Vec::new()) {
            broken.push(format!("a visitor sees influencers that are not approved: {rows}"));
        }
        Ok(broken)
    }
}

fn differences<'a>(before: &'a str, now: &'a str) -> Vec<(&'a str, &'static str)> {
    let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), now.lines().collect());
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| (*line, "is no longer as it was"));
    gone.chain(new.iter().filter(|line| !old.contains(line)).map(|line| (*line, "is new"))).collect()
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

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn lost_and_new_roles_are_distinguished() {
        assert_eq!(
            differences("a 1\nb 2", "a 1\nc 3"),
            [("b 2", "is no longer as it was"), ("c 3", "is new")]
        );
    }
}
