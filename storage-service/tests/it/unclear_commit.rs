//! The answer to a COMMIT is lost. Afterwards, rows and blobs agree, and nothing that was stored is lost.

use axum::http::Request;
use serde_json::json;
use sqlx::postgres::PgConnectOptions;
use storage_service::Config;
use test_support::database::TestDatabase;

use crate::proxy::{Fault, Proxy};
use crate::support::{Service, delete, post};

const FAULTS: [Fault; 4] = [Fault::AnswerLost, Fault::RequestLost, Fault::Late, Fault::Down];

async fn start() -> (Service, Proxy) {
    let database = TestDatabase::new().await;
    let server: PgConnectOptions = database.url_as("storage_admin").await.parse().unwrap();
    let proxy = Proxy::start(&server).await;
    let options = proxy.options(server);
    let service = Service::start_on(database, |config| Config { database: options.into(), ..config }).await;
    service.make_bucket("papers", json!({ "public": true })).await;
    (service, proxy)
}

async fn put(service: &Service, path: &str, text: &'static str) -> u16 {
    service.service().send(Request::put(format!("/object/{path}")), text).await.status.as_u16()
}

/// The downloaded text, or `None` if there is no such object.
async fn stored(service: &Service, path: &str) -> Option<String> {
    let url = format!("/object/public/{path}");
    let mut answer = service.nobody().get(&url).await;
    // The service notices the end of an outage within about a second.
    for _ in 0..100 {
        if answer.status != 503 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        answer = service.nobody().get(&url).await;
    }
    assert!(answer.status == 200 || answer.json()["statusCode"] == "404", "{}", answer.text());
    (answer.status == 200).then(|| answer.text())
}

#[tokio::test]
async fn a_new_object_exists_with_its_blob_or_not_at_all() {
    for fault in FAULTS {
        let (service, proxy) = start().await;
        proxy.fail_next_commit(fault);
        let status = post(&service.service(), "papers/a", "text/plain", "new").await.status.as_u16();
        assert!(!proxy.is_waiting());
        proxy.mend();
        let committed = fault != Fault::RequestLost;
        assert_eq!(stored(&service, "papers/a").await.as_deref(), committed.then_some("new"), "{fault:?}");
        assert_eq!(service.blobs().len(), usize::from(committed), "{fault:?}");
        match fault {
            Fault::AnswerLost | Fault::Late => assert_eq!(status, 200, "{fault:?}"),
            Fault::RequestLost | Fault::Down => assert!(status >= 500, "{fault:?}: {status}"),
        }
    }
}

#[tokio::test]
async fn a_replaced_object_is_the_old_or_the_new_version() {
    for fault in FAULTS {
        let (service, proxy) = start().await;
        assert_eq!(put(&service, "papers/a", "old").await, 200);
        proxy.fail_next_commit(fault);
        let status = put(&service, "papers/a", "new").await;
        assert!(!proxy.is_waiting());
        proxy.mend();
        let committed = fault != Fault::RequestLost;
        let expected = if committed { "new" } else { "old" };
        assert_eq!(stored(&service, "papers/a").await.as_deref(), Some(expected), "{fault:?}");
        // When the outcome is unknown, both blobs stay until the sweeper runs.
        assert_eq!(service.blobs().len(), if fault == Fault::Down { 2 } else { 1 }, "{fault:?}");
        assert_eq!(status == 200, matches!(fault, Fault::AnswerLost | Fault::Late), "{fault:?}: {status}");
    }
}

#[tokio::test]
async fn a_copy_exists_with_its_blob_or_not_at_all() {
    for fault in [Fault::AnswerLost, Fault::RequestLost] {
        let (service, proxy) = start().await;
        put(&service, "papers/a", "old").await;
        proxy.fail_next_commit(fault);
        let body = json!({ "bucketId": "papers", "sourceKey": "a", "destinationKey": "b" });
        let status = service.service().post_json("/object/copy", &body).await.status;
        let copied = fault == Fault::AnswerLost;
        assert_eq!(status == 200, copied, "{fault:?}: {status}");
        assert_eq!(stored(&service, "papers/b").await.as_deref(), copied.then_some("old"));
        assert_eq!(stored(&service, "papers/a").await.as_deref(), Some("old"));
        assert_eq!(service.blobs().len(), 1 + usize::from(copied));
    }
}

#[tokio::test]
async fn a_move_is_reported_as_it_was_committed() {
    for fault in [Fault::AnswerLost, Fault::RequestLost] {
        let (service, proxy) = start().await;
        put(&service, "papers/a", "old").await;
        proxy.fail_next_commit(fault);
        let body = json!({ "bucketId": "papers", "sourceKey": "a", "destinationKey": "b" });
        let moved = service.service().post_json("/object/move", &body).await.status == 200;
        assert_eq!(moved, fault == Fault::AnswerLost);
        assert_eq!(
            stored(&service, if moved { "papers/b" } else { "papers/a" }).await.as_deref(),
            Some("old")
        );
    }
}

#[tokio::test]
async fn a_blob_stays_unless_its_deletion_is_certain() {
    for (index, fault) in [Fault::AnswerLost, Fault::RequestLost, Fault::Late].into_iter().enumerate() {
        let (service, proxy) = start().await;
        put(&service, "papers/a", "old").await;
        proxy.fail_next_commit(fault);
        let client = service.service();
        let status = match index {
            0 => delete(&client, "/object/papers/a").await.status,
            1 => {
                client
                    .send(
                        Request::delete("/object/papers").header("content-type", "application/json"),
                        json!({ "prefixes": ["a"] }).to_string(),
                    )
                    .await
                    .status
            }
            _ => client.post_json("/bucket/papers/empty", &json!({})).await.status,
        };
        let deleted = fault != Fault::RequestLost;
        assert_eq!(status == 200, deleted, "{fault:?}: {status}");
        assert_eq!(stored(&service, "papers/a").await.as_deref(), (!deleted).then_some("old"), "{fault:?}");
        assert_eq!(service.blobs().len(), usize::from(!deleted), "{fault:?}");
    }
    let (service, proxy) = start().await;
    put(&service, "papers/a", "old").await;
    proxy.fail_next_commit(Fault::Down);
    assert!(delete(&service.service(), "/object/papers/a").await.status.as_u16() >= 500);
    assert_eq!(service.blobs().len(), 1, "the blob stays when the outcome is unknown");
}
