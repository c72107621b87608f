//! Checks whether acknowledged writes still exist.

use std::collections::HashSet;
use std::sync::PoisonError;

use super::containers::Containers;
use crate::faults::client::Client;
use crate::faults::kept::{Kept, lost_pictures};

/// Looks up on the primary the writes that were acknowledged since the last call.
///
/// # Errors
/// When there is no primary.
pub async fn look_up(client: &Client, containers: &Containers) -> anyhow::Result<Kept> {
    let ledger = std::mem::take(&mut *client.ledger.lock().unwrap_or_else(PoisonError::into_inner));
    let primary = containers.primary().await?;
    let mut kept = Kept {
        // Each account has a mail.
        acknowledged: ledger.rows.len()
            + ledger.uploads.len()
            + 2 * ledger.accounts.len()
            + ledger.replaced.len(),
        ..Kept::default()
    };
    // Keeps the agency below its limit of gigs.
    let gigs = format!("delete from app.gigs where title = any({}) returning title", list(&ledger.rows));
    let accounts = format!("select email from auth.users where email = any({})", list(&ledger.accounts));
    let mails =
        format!("select recipient from serasi.mail_outbox where recipient = any({})", list(&ledger.accounts));
    for (what, texts, statement) in [
        ("gig", &ledger.rows, gigs),
        ("account", &ledger.accounts, accounts),
        ("mail to", &ledger.accounts, mails),
    ] {
        let found = containers.sql(primary, &statement).await?;
        let found: HashSet<&str> = found.lines().collect();
        let lost = texts.iter().filter(|text| !found.contains(text.as_str()));
        kept.lost.extend(lost.map(|text| format!("{what} {text}")));
    }
    kept.lost.extend(lost_pictures(ledger.uploads, ledger.replaced, client).await);
    Ok(kept)
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<_> = texts.iter().map(|text| format!("'{}'", text.replace('\'', "''"))).collect();
    format!("array[{}]::text[]", quoted.join(","))
}
