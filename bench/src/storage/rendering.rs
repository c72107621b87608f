//! Compares rendering through the service with the image library on all cores, and measures a page of cards whose images
//! were never requested.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use bytes::Bytes;
use futures::stream::{self, StreamExt, TryStreamExt};
use pictures::Format;
use pictures::transform::{Bounds, Target, transform};

use super::client::BUCKET;
use super::{Bench, photo};
use crate::statistics::median;
use crate::{machine, report};

const LEAST_SHARE: f64 = 0.85;
const WIDTH: u32 = 640;
/// Concurrent requests for each core, so that no core waits for the client.
const REQUESTS_PER_CORE: usize = 2;
/// Renderings per round and core.
const PER_CORE: usize = 6;
/// Renderings use half of the cores until the uploads of the round are at least this long ago.
const PAUSE: Duration = Duration::from_millis(300);
const CARDS: usize = 24;
/// The number of connections that a browser opens to a server.
const AT_ONCE: usize = 6;
const MOST_SECONDS: f64 = 1.0;
/// Time between the last upload and the page.
const BEFORE_THE_PAGE: Duration = Duration::from_secs(10);

/// Requests renditions of all paths, and returns how long that took.
async fn request(bench: &Bench<'_>, paths: &[String], width: u32, at_once: usize) -> anyhow::Result<f64> {
    let began = Instant::now();
    let path = |path: &String| format!("/render/image/public/{path}?width={width}&format=webp");
    let renditions = stream::iter(paths).map(|one| async move { bench.client.get(&path(one)).await });
    let bytes =
        renditions.buffer_unordered(at_once).try_fold(0, async |bytes, one| Ok(bytes + one.len())).await?;
    ensure!(bytes > paths.len() * 1000, "the pictures have {bytes} bytes");
    Ok(began.elapsed().as_secs_f64())
}

/// # Errors
/// When a request fails.
pub async fn render(bench: &Bench<'_>, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let source = Bytes::from(photo::jpeg(4000, 3000, 3)?);
    let count = PER_CORE * machine::cores();
    let (mut served, mut bare) = (Vec::new(), Vec::new());
    for round in 0..bench.options.rounds {
        let paths: Vec<String> =
            (0..count).map(|number| format!("{BUCKET}/large-{round}-{number}")).collect();
        for path in &paths {
            bench.client.put(path, "image/jpeg", source.clone()).await?;
        }
        tokio::time::sleep(PAUSE).await;
        let seconds = request(bench, &paths, WIDTH, REQUESTS_PER_CORE * machine::cores()).await?;
        served.push(count as f64 / seconds);
        bare.push(library(&source, count)?);
        bench.client.remove(&paths).await?;
    }
    let (storage, library) = (median(&served), median(&bare));
    let share = report::at_least("rendering, of the library", storage / library, Some(LEAST_SHARE), broken);
    println!(
        "\n12 megapixels, JPEG to WebP of {WIDTH} px: {storage:.1}/s, library on all cores {library:.1}/s: {share}"
    );
    Ok(())
}

/// Images per second on all cores.
fn library(source: &Bytes, count: usize) -> anyhow::Result<f64> {
    let bounds = Bounds { width: Some(WIDTH), ..Bounds::default() };
    let target = Target { bounds, quality: 80, format: Format::Webp };
    let (next, began) = (AtomicUsize::new(0), Instant::now());
    let work = || {
        while next.fetch_add(1, Ordering::Relaxed) < count {
            transform(source, Format::Jpeg, &[target])?.context("a picture")?;
        }
        anyhow::Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..machine::cores()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().ok().context("a worker panicked")?)
    })?;
    Ok(count as f64 / began.elapsed().as_secs_f64())
}

/// # Errors
/// When a request fails.
pub async fn cards(bench: &Bench<'_>, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let mut pages = Vec::new();
    for round in 0..bench.options.rounds {
        let paths: Vec<String> = (0..CARDS).map(|card| format!("images/bench/{round}-{card}.jpg")).collect();
        for (seed, path) in (0..).zip(&paths) {
            // The largest image that the frontend's upload form makes of a photo.
            bench.client.put(path, "image/jpeg", photo::jpeg(2000, 1500, seed)?.into()).await?;
        }
        tokio::time::sleep(BEFORE_THE_PAGE).await;
        pages.push(request(bench, &paths, 480, AT_ONCE).await?);
        bench.client.remove(&paths).await?;
    }
    let shown = |value: f64| format!("{value:.2} s");
    let page = report::at_most("a page of 24 cards", median(&pages), Some(MOST_SECONDS), shown, broken);
    println!("\nA page of {CARDS} cards whose images were never requested: {page}");
    Ok(())
}
