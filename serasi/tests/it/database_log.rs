//! The server's log neither grows with client errors nor exceeds its limit.

use std::path::Path;
use std::time::Duration;

use futures::future::join_all;
use sqlx::Executor;

use crate::prepared;
use crate::product::Product;

/// Size of the log and its rotated parts.
fn log_bytes(data_dir: &Path) -> u64 {
    let entries = std::fs::read_dir(data_dir).unwrap().map(Result::unwrap);
    let logs = entries.filter(|entry| entry.file_name().to_str().unwrap().starts_with("postgres.log"));
    logs.map(|entry| entry.metadata().unwrap().len()).sum()
}

#[tokio::test]
async fn the_log_ignores_rejected_queries_and_stays_within_its_limit() {
    let data_dir = prepared::data_dir();
    let product = Product::start(data_dir.path(), &[]);
    let before = log_bytes(data_dir.path());
    assert!(before > 0, "the server logs its start");

    for _ in 0..20 {
        let rejected = (0..20).map(|_| product.get("/rest/v1/influencers?user_id=eq.malformed"));
        assert!(join_all(rejected).await.iter().all(|response| response.status() == 400));
    }
    let after = log_bytes(data_dir.path());
    assert!(after - before < 1000, "400 rejected queries added {} bytes", after - before);

    let mut superuser = product.superuser().await;
    let noise = "do $$ begin for i in 1..1500 loop
        raise warning '% %', i, repeat('x', 30000); end loop; end $$";
    superuser.execute("set client_min_messages = error").await.unwrap();
    superuser.execute(noise).await.unwrap();

    let earlier = data_dir.path().join("postgres.log.1");
    let is_short = || earlier.exists() && log_bytes(data_dir.path()) <= 40 * 1024 * 1024;
    assert!(crate::support::within(Duration::from_secs(10), is_short), "{}", log_bytes(data_dir.path()));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert!((read(&earlier) + &read(&data_dir.path().join("postgres.log"))).contains(" 1500 xxx"));
}
