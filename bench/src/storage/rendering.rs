//! Compares rendering through the service with the image library on all cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use bytes::Bytes;
use futures::stream::{self, StreamExt, TryStreamExt};
use pictures::Format;
use pictures::transform::{Bounds, Target, transform};

use super::client::BUCKET;
use super::{Bench, Report, line, photo};
use crate::machine;
use crate::speed::report::at_least;
use crate::statistics::median;

const LEAST_SHARE: f64 = 0.85;
const WIDTH: u32 = 640;
/// Concurrent requests for each core, so that no core waits for the client.
const REQUESTS_PER_CORE: usize = 2;
/// Renderings per round and core.
const PER_CORE: usize = 6;

/// Renderings use half of the cores until the uploads of the round are at least this long ago.
const PAUSE: Duration = Duration::from_millis(300);

/// # Errors
/// When a request fails.
pub async fn run(bench: &Bench<'_>, report: &mut Report) -> anyhow::Result<()> {
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
        let began = Instant::now();
        stream::iter(&paths)
            .map(|path| async move {
                bench.client.get(&format!("/render/image/public/{path}?width={WIDTH}&format=webp")).await
            })
            .buffer_unordered(REQUESTS_PER_CORE * machine::cores())
            .try_for_each(async |_| Ok(()))
            .await?;
        served.push(count as f64 / began.elapsed().as_secs_f64());
        bare.push(library(&source, count)?);
        bench.client.remove(&paths).await?;
    }
    let mut broken = Vec::new();
    let (storage, library) = (median(&served), median(&bare));
    let share = at_least("share of the library", storage / library, Some(LEAST_SHARE), &mut broken);
    report.show(&format!(
        "\n| 12 megapixels, JPEG to WebP of 640 px | library on all cores | ratio |\n|---|---|---|\n\
         | {storage:.1}/s | {library:.1}/s | {share} |"
    ));
    report.raw.push_str("rendering\n");
    report.raw.push_str(&line("storage, images/s", &served, 2));
    report.raw.push_str(&line("library, images/s", &bare, 2));
    report.breaks("rendering", broken);
    Ok(())
}

/// Images per second on all cores.
fn library(source: &Bytes, count: usize) -> anyhow::Result<f64> {
    let bounds = Bounds { width: Some(WIDTH), ..Bounds::default() };
    let target = Target { bounds, quality: 80, format: Format::Webp };
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..machine::cores())
            .map(|_| {
                scope.spawn(|| {
                    while next.fetch_add(1, Ordering::Relaxed) < count {
                        transform(source, Format::Jpeg, &[target])?.context("a picture")?;
                    }
                    anyhow::Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().ok().context("a worker panicked")?)
    })?;
    Ok(count as f64 / began.elapsed().as_secs_f64())
}
