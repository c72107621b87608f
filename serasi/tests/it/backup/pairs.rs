//! Writes during a backup, which must not contain half of a transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::{Connection, PgConnection};

/// Writes pairs of rows, one pair per transaction. Starts the work after ten pairs, and stops when it is done. Returns the number
/// of pairs.
pub async fn while_pairs_are_written<T>(
    mut connection: PgConnection,
    statements: [&'static str; 2],
    work: impl FnOnce() -> T,
) -> i64 {
    let ended = Arc::new(AtomicBool::new(false));
    let (began, first_pairs) = tokio::sync::oneshot::channel();
    let writer = tokio::spawn({
        let ended = Arc::clone(&ended);
        async move {
            let (mut began, mut pairs) = (Some(began), 0);
            while !ended.load(Ordering::Relaxed) {
                let mut pair = connection.begin().await.unwrap();
                for statement in statements {
                    sqlx::query(statement).bind(pairs.to_string()).execute(&mut *pair).await.unwrap();
                }
                pair.commit().await.unwrap();
                pairs += 1;
                if pairs == 10 {
                    let _ = began.take().unwrap().send(());
                }
            }
            pairs
        }
    });
    first_pairs.await.unwrap();
    work();
    ended.store(true, Ordering::Relaxed);
    writer.await.unwrap()
}
