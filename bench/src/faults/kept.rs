//! Checks whether acknowledged writes still exist.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use anyhow::Context;
use futures::StreamExt;
use tokio::time::Instant;

use super::client::{Client, Ledger, Replaced, colored_gif};
use super::mail_server::MailServer;
use crate::reader;

/// The state of the acknowledged writes.
#[derive(Default)]
pub struct Kept {
    pub acknowledged: usize,
    pub lost: Vec<String>,
    pub mails_doubled: usize,
    pub mails_waiting: usize,
}

/// Looks everything up. A mail is kept if it was delivered or waits in the outbox; `patience` is how long to wait
/// until none waits.
///
/// # Errors
/// When the database can't be queried.
pub async fn look_up(
    ledger: Ledger,
    database: &str,
    client: &Client,
    mails: &MailServer,
    patience: Duration,
) -> anyhow::Result<Kept> {
    let sql = reader::connect(database).await.context("looking up the acknowledged writes")?;
    let texts = async |query: &str, values: &[String]| {
        let rows = sql.query(query, &[&values]).await?;
        rows.iter().map(|row| row.try_get(0)).collect::<Result<HashSet<String>, _>>()
    };
    let mut kept = Kept { acknowledged: ledger.count(), ..Kept::default() };
    let titles = texts("select title from app.gigs where title = any($1)", &ledger.rows).await?;
    // Keeps the agency below its limit of gigs.
    sql.execute("delete from app.gigs where title = any($1)", &[&ledger.rows]).await?;
    kept.lost.extend(ledger.rows.into_iter().filter(|title| !titles.contains(title)));
    let accounts =
        texts("select email::text from auth.users where email = any($1)", &ledger.accounts).await?;
    kept.lost.extend(ledger.accounts.iter().filter(|email| !accounts.contains(*email)).cloned());
    kept.lost.extend(lost_pictures(ledger.uploads, ledger.replaced, client).await);

    const WAITING: &str = "select recipient::text from serasi.mail_outbox
        where recipient = any($1) and sent_at is null and given_up_at is null";
    let until = Instant::now() + patience;
    let mut waiting = texts(WAITING, &ledger.accounts).await?;
    while !waiting.is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(250)).await;
        waiting = texts(WAITING, &ledger.accounts).await?;
    }
    kept.mails_waiting = waiting.len();
    for email in &ledger.accounts {
        match mails.taken(email).len() {
            0 if !waiting.contains(email) => kept.lost.push(format!("mail to {email}")),
            0 | 1 => (),
            more => kept.mails_doubled += more - 1,
        }
    }
    Ok(kept)
}

/// Uploads that are missing, and replaced pictures that hold neither the acknowledged content nor a later attempt.
pub async fn lost_pictures(
    uploads: Vec<(String, u32)>,
    replaced: BTreeMap<String, Replaced>,
    client: &Client,
) -> Vec<String> {
    // Several at the same time, because an unresponsive product would take minutes for all of them.
    let uploads = futures::stream::iter(uploads).map(async |(name, color)| {
        let stored = client.stored(&name).await;
        (stored.as_deref() != Some(&colored_gif(color))).then(|| format!("upload {name}"))
    });
    let uploads: Vec<_> = uploads.buffer_unordered(16).collect().await;
    let mut lost: Vec<String> = uploads.into_iter().flatten().collect();
    for (name, replaced) in replaced {
        let stored = client.stored(&name).await;
        let right = replaced.acknowledged.iter().chain(&replaced.attempted);
        let is_right = right.into_iter().any(|color| stored.as_deref() == Some(&colored_gif(*color)));
        if replaced.acknowledged.is_some() && !is_right {
            lost.push(format!("replaced picture {name}"));
        }
    }
    lost
}
