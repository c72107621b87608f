//! The lists of `marketplace.txt`, each with its first and a deep page. A list that reads a whole table fails, however fast
//! it is.

use anyhow::Context;
use tokio_postgres::Client;

use super::{CARD, Figure, P95};
use crate::reader::{ADMIN, BUSY_AGENCY, BUSY_INFLUENCER, Get, Who};

/// Milliseconds for the 95th percentile.
const LIMIT: f64 = 20.0;
/// How many rows come before a deep page, if there are that many.
const DEEP: i64 = 5_000;

/// # Errors
/// When the database can't be queried.
pub async fn figures(client: &Client) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for line in include_str!("marketplace.txt").lines().filter(|line| !line.starts_with('#')) {
        let id = |number: u8| format!("5e7bad00-0000-4000-8000-0000000000{number}");
        let line =
            line.replace("$I", &id(11)).replace("$A", &id(12)).replace("$G", &id(13)).replace("$CARD", CARD);
        let fields: Vec<&str> = line.split(" |").map(str::trim).collect();
        let [name, who, order, size, rows, query] = fields[..] else { anyhow::bail!("six fields: {line}") };
        let who = match who {
            "influencer" => BUSY_INFLUENCER,
            "agency" => BUSY_AGENCY,
            "admin" => ADMIN,
            _ => Who::Visitor,
        };
        let counts = query.starts_with("count ");
        let get = Get { query: query.trim_start_matches("count ").to_owned(), counts };
        let limit = Some((P95, LIMIT));
        let Some((by, direction)) = order.split_once('.') else {
            figures.push(Figure { name: name.to_owned(), who, gets: vec![get], limit });
            continue;
        };
        let page = format!("order={order},id.{direction}&limit={size}");
        figures.push(Figure { name: format!("{name}, first"), who, gets: vec![get.with(&page)], limit });
        if let Some((moment, id)) = last_before(client, rows, by, direction).await.context(line.clone())? {
            let (bound, next) = if direction == "asc" { ("gte", "gt") } else { ("lte", "lt") };
            let after = format!(
                "{by}={bound}.{moment}&or=({by}.{next}.\"{moment}\",and({by}.eq.\"{moment}\",id.{next}.\"{id}\"))&{page}"
            );
            let deep = Get { counts: false, ..get.with(after) };
            figures.push(Figure { name: format!("{name}, deep"), who, gets: vec![deep], limit });
        }
    }
    Ok(figures)
}

/// The row before a deep page; none for lists that have one page.
async fn last_before(
    client: &Client,
    rows: &str,
    by: &str,
    direction: &str,
) -> anyhow::Result<Option<(String, String)>> {
    let count: i64 = client.query_one(&format!("select count(*) from app.{rows}"), &[]).await?.try_get(0)?;
    let offset = DEEP.min(count - 25);
    if offset <= 0 {
        return Ok(None);
    }
    let statement = format!(
        "select to_json({by}) #>> '{{}}', id::text from app.{rows} and {by} is not null
         order by {by} {direction}, id {direction} offset {offset} limit 1"
    );
    let row = client.query_one(&statement, &[]).await?;
    Ok(Some((row.try_get(0)?, row.try_get(1)?)))
}
