//! Serasi's tables and the operator's are saved as one snapshot has them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::Connection;

use super::own_site::OwnSite;
use crate::backup::{count, succeeded};

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_has_whole_transactions_of_own_tables_only() {
    let site = Arc::new(OwnSite::new().await);
    site.run("create table public.pairs (id text primary key)").await;
    let ended = Arc::new(AtomicBool::new(false));
    let (began, first_pairs) = tokio::sync::oneshot::channel();
    let writer = tokio::spawn({
        let (site, ended) = (Arc::clone(&site), Arc::clone(&ended));
        async move {
            let mut connection = site.connect().await;
            let (mut began, mut pairs) = (Some(began), 0);
            while !ended.load(Ordering::Relaxed) {
                let mut pair = connection.begin().await.unwrap();
                for statement in [
                    "insert into public.pairs select 'pair-' || $1",
                    "insert into storage.buckets (id, name) select 'pair-' || $1, 'pair-' || $1",
                ] {
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
    let place = tempfile::tempdir().unwrap();
    succeeded(&site.serasi(&["backup", "--to"]).arg(place.path()).output().unwrap());
    ended.store(true, Ordering::Relaxed);
    let written = writer.await.unwrap();

    site.create("target").await;
    succeeded(&site.restore_into("target", place.path()));
    let mut connection = site.connect_to("target").await;
    let pairs = count(&mut connection, "public.pairs").await;
    assert!((10..written).contains(&pairs), "{pairs} of {written}");
    let halves = "public.pairs full join storage.buckets using (id) where id like 'pair-%' and (pairs is null or name is null)";
    assert_eq!(count(&mut connection, halves).await, 0);
}
