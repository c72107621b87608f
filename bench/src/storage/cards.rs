//! A page of cards whose images were uploaded shortly before and never requested.

use std::time::{Duration, Instant};

use anyhow::ensure;
use futures::stream::{self, StreamExt, TryStreamExt};

use super::{Bench, Report, line, photo};
use crate::speed::report::at_most;
use crate::statistics::median;

const CARDS: usize = 24;
/// The largest image that the frontend's upload form makes of a photo.
const SIZE: (u32, u32) = (2000, 1500);
const WIDTH: u32 = 480;
/// The number of connections that a browser opens to a server.
const AT_ONCE: usize = 6;
const MOST_SECONDS: f64 = 1.0;
/// Time between the last upload and the page.
const PAUSE: Duration = Duration::from_secs(10);

/// # Errors
/// When a request fails.
pub async fn run(bench: &Bench<'_>, report: &mut Report) -> anyhow::Result<()> {
    let (mut pages, mut uploads) = (Vec::new(), Vec::new());
    for round in 0..bench.options.rounds {
        let paths: Vec<String> = (0..CARDS).map(|card| format!("images/bench/{round}-{card}.jpg")).collect();
        for (seed, path) in (0..).zip(&paths) {
            let photo = photo::jpeg(SIZE.0, SIZE.1, seed)?;
            let began = Instant::now();
            bench.client.put(path, "image/jpeg", photo.into()).await?;
            uploads.push(began.elapsed().as_secs_f64() * 1000.0);
        }
        tokio::time::sleep(PAUSE).await;
        let began = Instant::now();
        let bytes: usize = stream::iter(&paths)
            .map(|path| async move {
                bench.client.get(&format!("/render/image/public/{path}?width={WIDTH}&format=webp")).await
            })
            .buffer_unordered(AT_ONCE)
            .try_fold(0, async |bytes, picture| Ok(bytes + picture.len()))
            .await?;
        pages.push(began.elapsed().as_secs_f64());
        ensure!(bytes > CARDS * 1000, "the pictures have {bytes} bytes");
        bench.client.remove(&paths).await?;
    }
    let mut broken = Vec::new();
    let shown = |value: f64| format!("{value:.2} s");
    let page = at_most("a page of 24 cards", median(&pages), Some(MOST_SECONDS), shown, &mut broken);
    report.show(&format!(
        "\nA page of {CARDS} cards whose images were never requested: {page}; upload of one image: {:.0} ms",
        median(&uploads)
    ));
    report.raw.push_str("cards\n");
    report.raw.push_str(&line("page, s", &pages, 3));
    report.raw.push_str(&line("upload, ms", &uploads, 0));
    report.breaks("cards", broken);
    Ok(())
}
