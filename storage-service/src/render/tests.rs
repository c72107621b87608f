use std::time::Instant;

use futures::future::join_all;

use super::*;
use crate::backend::disk::Disk;
use crate::domain::owner::Owner;
use crate::shares::ShareLimits;
use crate::staging::Staging;

async fn renderer(dir: &tempfile::TempDir) -> Renderer {
    let backend: Arc<dyn Backend> = Arc::new(Disk::open(dir.path()).unwrap());
    backend.prepare().await.unwrap();
    Renderer::new(backend, Variants::open(dir.path(), 1_000_000).unwrap(), Memory::new(0), 64 * 1024 * 1024)
}

async fn stored(renderer: &Renderer, dir: &tempfile::TempDir, picture: Vec<u8>) -> (Version, u64) {
    let (version, size) = (Version::random(), picture.len() as u64);
    let limits = ShareLimits { per_owner: 0, total: u64::MAX };
    let mut draft = Staging::open(dir.path(), limits).unwrap().begin(&Owner::default(), true).unwrap();
    draft.write(&picture.into()).await.unwrap();
    renderer.backend.put(version, draft.finish().await.unwrap()).await.unwrap();
    (version, size)
}

fn options(width: u32) -> RenderOptions {
    RenderOptions { width: Some(width), ..RenderOptions::default() }
}

/// Declares a large size; no test decodes it.
fn large_png() -> Vec<u8> {
    [
        &b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..],
        &5000_u32.to_be_bytes(),
        &5000_u32.to_be_bytes(),
        &[8, 2, 0, 0, 0],
    ]
    .concat()
}

fn real_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::RgbImage::new(600, 400).write_with_encoder(encoder).unwrap();
    bytes
}

#[tokio::test]
async fn a_full_queue_rejects_at_once_and_recovers() {
    let dir = tempfile::tempdir().unwrap();
    let renderer = renderer(&dir).await;
    let (version, size) = stored(&renderer, &dir, large_png()).await;
    let held = renderer.queue.held().await;
    let began = Instant::now();
    let count = u32::try_from(renderer.queue.max_waiting / 25_000_000).unwrap() + 20;
    let many = (1..=count).map(|width| {
        let renderer = &renderer;
        async move { renderer.picture(version, size, &options(width), None).await }
    });
    let mut many = Box::pin(join_all(many.map(|asked| async {
        // Requests that are not rejected wait for the held permits.
        tokio::time::timeout(std::time::Duration::from_millis(500), asked).await
    })));
    let answers = (&mut many).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Ok(Err(ApiError::Busy)))).count();
    let waited = answers.iter().filter(|answer| answer.is_err()).count();
    assert!(
        refused > 0 && waited > 0 && refused + waited == count as usize,
        "{refused} rejected, {waited} waited"
    );
    assert!(began.elapsed().as_secs() < 10);
    drop(many);
    drop(held);
    let (version, size) = stored(&renderer, &dir, real_png()).await;
    assert!(matches!(renderer.picture(version, size, &options(30), None).await, Ok(Rendered::Made(_))));
}

#[tokio::test]
async fn concurrent_requests_for_an_image_share_one_rendering() {
    let dir = tempfile::tempdir().unwrap();
    let renderer = renderer(&dir).await;
    let (version, size) = stored(&renderer, &dir, real_png()).await;
    let held = renderer.queue.held().await;
    let options = options(30);
    let mut asked = Box::pin(join_all((0..200).map(|_| renderer.picture(version, size, &options, None))));
    // Until one request has reached the queue, however busy the machine is; all others have had as much time.
    for _ in 0..100 {
        tokio::time::timeout(std::time::Duration::from_millis(300), &mut asked).await.unwrap_err();
        if renderer.queue.entered() > 0 {
            break;
        }
    }
    assert_eq!(renderer.queue.entered(), 1, "only one request is queued");
    drop(held);
    let answers = asked.await;
    assert!(answers.iter().all(|answer| matches!(answer, Ok(Rendered::Made(_)))));
    assert_eq!(renderer.queue.entered(), 1);
}

#[tokio::test]
async fn unchanged_images_are_not_cached() {
    let dir = tempfile::tempdir().unwrap();
    let renderer = renderer(&dir).await;
    let avif = b"\0\0\0\x18ftypavif\0\0\0\0mif1avif".to_vec();
    let (version, size) = stored(&renderer, &dir, avif).await;
    let _held = renderer.queue.held().await;
    let answer = renderer.picture(version, size, &options(30), None).await.unwrap();
    assert_eq!(answer, Rendered::AsStored(Format::Avif));
    assert!(!dir.path().join("variants").exists());
}

/// The blob is removed at every moment of a rendering.
#[tokio::test(flavor = "multi_thread")]
async fn no_image_outlives_its_blob() {
    let dir = tempfile::tempdir().unwrap();
    let renderer = Arc::new(renderer(&dir).await);
    for delay in 0..60 {
        let (version, size) = stored(&renderer, &dir, real_png()).await;
        let rendering = Arc::clone(&renderer);
        let rendering =
            tokio::spawn(async move { rendering.picture(version, size, &options(30), None).await });
        tokio::time::sleep(std::time::Duration::from_micros(250 * delay)).await;
        renderer.backend.remove(version).await.unwrap();
        renderer.variants.remove(version);
        let _ = rendering.await.unwrap();
        assert_eq!(renderer.variants.get(version, &options(30).name()).await, None, "{delay}");
    }
}
