//! The quota of pictures that one account may store.

use storage_service::Config;
use storage_service::config::Quota;

use crate::support::{Service, assert_refused, delete, pixel, post};

async fn with_quota(objects: u32, bytes: u64) -> Service {
    Service::start_with(|config| Config { quota: Quota { objects, bytes }, ..config }).await
}

#[tokio::test]
async fn an_account_cannot_exceed_its_quota() {
    let service = with_quota(2, 1_000_000).await;
    let (ada, bob) = (service.person(), service.person());
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
    let ada = service.person();
    let upload = |number: u32| {
        let (client, path) = (ada.client.clone(), format!("images/{}/{number}.png", ada.id));
        async move { post(&client, &path, "image/png", pixel("png")).await.status == 200 }
    };
    let stored = futures::future::join_all((0..8).map(upload)).await;
    assert_eq!(stored.iter().filter(|stored| **stored).count(), 3);
    assert_eq!((service.count_rows().await, service.blobs().len()), (3, 3));
}
