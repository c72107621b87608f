//! The quota of pictures that one account may store.

use std::time::Duration;

use axum::body::{Body, Bytes};
use futures::{StreamExt, stream};
use storage_service::Config;
use storage_service::config::{Quota, ShareLimits};

use crate::support::{Service, assert_refused, delete, pixel, post};

async fn with_quota(objects: u32, bytes: u64) -> Service {
    Service::start_with(|config| Config { quota: Quota { objects, bytes }, ..config }).await
}

/// The quota counts only stored images.
#[tokio::test]
async fn uploads_in_progress_are_limited_per_account() {
    let limits = ShareLimits { per_owner: 300_000, total: 1_000_000 };
    let service = Service::start_with(|config| Config { staging: limits, ..config }).await;
    let (ana, bea) = (service.person().await, service.person().await);
    let mut png = pixel("png");
    png.resize(100_000, 0);
    let stalled = |number: usize| {
        let start = stream::iter([Ok::<_, std::io::Error>(Bytes::from(png.clone()))]);
        let path = format!("images/{}/{number}.png", ana.id);
        let client = ana.client.clone();
        tokio::spawn(async move {
            post(&client, &path, "image/png", Body::from_stream(start.chain(stream::pending()))).await
        })
    };
    let uploads: Vec<_> = (0..3).map(stalled).collect();
    let until = tokio::time::Instant::now() + Duration::from_secs(10);
    while service.half_received().iter().filter(|file| file.metadata().unwrap().len() == 100_000).count() < 3
    {
        assert!(tokio::time::Instant::now() < until, "the uploads have not begun");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let refused = post(&ana.client, &format!("images/{}/more.png", ana.id), "image/png", pixel("png")).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    let other = post(&bea.client, &format!("images/{}/a.png", bea.id), "image/png", pixel("png")).await;
    assert_eq!(other.status, 200, "{}", other.text());

    uploads.iter().for_each(tokio::task::JoinHandle::abort);
    while !service.half_received().is_empty() {
        assert!(tokio::time::Instant::now() < until, "the uploads have not ended");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let own = post(&ana.client, &format!("images/{}/more.png", ana.id), "image/png", pixel("png")).await;
    assert_eq!(own.status, 200, "{}", own.text());
}

#[tokio::test]
async fn an_account_cannot_exceed_its_quota() {
    let service = with_quota(2, 1_000_000).await;
    let (ada, bob) = (service.person().await, service.person().await);
    let upload = async |key: &str| {
        post(&ada.client, &format!("images/{}/{key}.png", ada.id), "image/png", pixel("png")).await
    };
    assert_eq!(upload("1").await.status, 200);
    assert_eq!(upload("2").await.status, 200);
    let third = upload("3").await;
    assert_refused(&third, 403, "QuotaExceeded");
    assert_eq!((service.count_rows().await, service.blobs().len()), (2, 2));

    assert_eq!(delete(&ada.client, &format!("/object/images/{}/1.png", ada.id)).await.status, 200);
    assert_eq!(upload("3").await.status, 200);
    let his = post(&bob.client, &format!("images/{}/1.png", bob.id), "image/png", pixel("png")).await;
    assert_eq!(his.status, 200, "each account has its own quota");
    let ours = post(&service.service(), "images/demo.png", "image/png", pixel("png")).await;
    assert_eq!(ours.status, 200, "operators have no quota");
}

#[tokio::test]
async fn the_byte_quota_also_holds_for_concurrent_uploads() {
    let size = {
        let service = Service::start().await;
        post(&service.service(), "images/a.png", "image/png", pixel("png")).await;
        service.nobody().get("/object/public/images/a.png").await.body.len() as u64
    };
    let service = with_quota(500, size * 3).await;
    let ada = service.person().await;
    let upload = |number: u32| {
        let (client, path) = (ada.client.clone(), format!("images/{}/{number}.png", ada.id));
        async move { post(&client, &path, "image/png", pixel("png")).await.status == 200 }
    };
    let stored = futures::future::join_all((0..8).map(upload)).await;
    assert_eq!(stored.iter().filter(|stored| **stored).count(), 3);
    assert_eq!((service.count_rows().await, service.blobs().len()), (3, 3));
}
