//! Serasi's tables and the operator's are saved in one snapshot.

use super::own_site::OwnSite;
use crate::backup::pairs::while_pairs_are_written;
use crate::backup::{count, succeeded};

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_splits_no_transaction_across_own_tables() {
    let site = OwnSite::bare().await;
    site.run("create table public.pairs (id text primary key)").await;
    let place = tempfile::tempdir().unwrap();
    let statements = [
        "insert into public.pairs select 'pair-' || $1",
        "insert into storage.buckets (id, name) select 'pair-' || $1, 'pair-' || $1",
    ];
    let back_up = || site.back_up(place.path());
    let written = while_pairs_are_written(site.connect().await, statements, back_up).await;

    site.create("target").await;
    succeeded(&site.restore_into("target", place.path()));
    let mut connection = site.connect_to("target").await;
    let pairs = count(&mut connection, "public.pairs").await;
    assert!((10..=written).contains(&pairs), "{pairs} of {written}");
    let halves = "public.pairs full join storage.buckets using (id) where id like 'pair-%' and (pairs is null or name is null)";
    assert_eq!(count(&mut connection, halves).await, 0);
}
