//! The server's log neither grows with client errors nor exceeds its limit.

use std::path::Path;

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
    let product = Product::start(data_dir.path(), &[("POSTGRES_LOG_MB", "1")]);
    let before = log_bytes(data_dir.path());
    assert!(before > 0, "the server logs its start");

    for _ in 0..20 {
        let rejected = (0..20).map(|_| product.get("/rest/v1/influencers?user_id=eq.malformed"));
        assert!(join_all(rejected).await.iter().all(|response| response.status() == 400));
    }
    let after = log_bytes(data_dir.path());
    assert!(after - before < 1000, "400 rejected queries added {} bytes", after - before);

    let mut superuser = product.superuser().await;
    let noise = "do $$ begin for i in 1..30000 loop
        raise warning '% %', i, repeat('x', 200); end loop; end $$";
    superuser.execute("set client_min_messages = error").await.unwrap();
    superuser.execute(noise).await.unwrap();

    let log = || std::fs::read_to_string(data_dir.path().join("postgres.log")).unwrap();
    assert!(crate::support::within(std::time::Duration::from_secs(10), || log().contains("30000 xxx")));
    let bytes = log_bytes(data_dir.path());
    assert!(bytes <= 1024 * 1024, "{bytes} bytes");
}
