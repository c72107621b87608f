//! Checks whether acknowledged writes still exist.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use anyhow::Context;
use futures::StreamExt;
use tokio::time::Instant;

use super::client::{Client, Ledger, Replaced, colored_gif};
use super::stage::Stage;
use super::table::Fault;

/// The state of the acknowledged writes.
#[derive(Default)]
pub struct Kept {
    pub acknowledged: usize,
    pub lost: Vec<String>,
    pub mails_doubled: usize,
    pub mails_waiting: usize,
}

/// Looks everything up. A mail is kept if it was delivered or waits in the outbox.
///
/// # Errors
/// When the database can't be queried.
pub async fn look_up(ledger: Ledger, stage: &Stage, fault: &Fault) -> anyhow::Result<Kept> {
    let sql = stage.sql().await.context("looking up the acknowledged writes")?;
    let query = async |statement: &str| {
        let rows = sql.query(statement, &[]).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect::<anyhow::Result<HashSet<String>>>()
    };
    let accounts = ledger.accounts.clone();
    let mut kept = rows_and_pictures(ledger, &stage.client, query).await?;

    let mails = format!(
        "select recipient::text from serasi.mail_outbox
         where recipient = any({}) and sent_at is null and given_up_at is null",
        list(&accounts)
    );
    let until = Instant::now() + fault.mail_patience();
    let mut waiting = query(&mails).await?;
    while !waiting.is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(250)).await;
        waiting = query(&mails).await?;
    }
    kept.mails_waiting = waiting.len();
    for email in &accounts {
        match stage.mails.taken(email).len() {
            0 if !waiting.contains(email) => kept.lost.push(format!("mail to {email}")),
            0 | 1 => (),
            more => kept.mails_doubled += more - 1,
        }
    }
    Ok(kept)
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<_> = texts.iter().map(|text| format!("'{}'", text.replace('\'', "''"))).collect();
    format!("array[{}]::text[]", quoted.join(","))
}

/// # Errors
/// When `query` fails, which returns the texts that a statement selects.
pub async fn rows_and_pictures(
    ledger: Ledger,
    client: &Client,
    query: impl AsyncFn(&str) -> anyhow::Result<HashSet<String>>,
) -> anyhow::Result<Kept> {
    let mut kept = Kept { acknowledged: ledger.count(), ..Kept::default() };
    // Deleting keeps the agency below its limit of gigs.
    for (what, texts, statement) in [
        ("gig", &ledger.rows, "delete from app.gigs where title = any(LIST) returning title"),
        ("account", &ledger.accounts, "select email::text from auth.users where email = any(LIST)"),
        (
            "mail to",
            &ledger.accounts,
            "select recipient::text from serasi.mail_outbox where recipient = any(LIST)",
        ),
    ] {
        let found = query(&statement.replace("LIST", &list(texts))).await?;
        let lost = texts.iter().filter(|text| !found.contains(text.as_str()));
        kept.lost.extend(lost.map(|text| format!("{what} {text}")));
    }
    kept.lost.extend(lost_pictures(ledger.uploads, ledger.replaced, client).await);
    Ok(kept)
}

/// Uploads that are missing, and replaced pictures that hold neither the acknowledged content nor a later attempt.
async fn lost_pictures(
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
