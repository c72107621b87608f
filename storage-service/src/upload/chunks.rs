//! A request body as a stream of chunks, which ends early when the client is too slow.

use std::io;
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};

/// Longest wait for the next chunk, and how far a body may fall behind the minimum rate.
const STALL_TIME: Duration = Duration::from_secs(30);
/// Bytes per second: slower than the slowest phone connection, faster than clients that only want to hold a
/// connection open.
const SLOWEST_PACE: u64 = 4 * 1024;

/// Streams the body. A client that stalls or trickles is disconnected, so that it can't hold a file forever.
///
/// Yields after every chunk: the form parser reads as long as data is available, and would hold a whole
/// upload in memory. It must not yield before the first chunk, which the parser would take for a malformed
/// form.
pub(super) fn chunks(body: Body) -> BoxStream<'static, io::Result<Bytes>> {
    chunks_within(body, STALL_TIME)
}

fn chunks_within(body: Body, stall_timeout: Duration) -> BoxStream<'static, io::Result<Bytes>> {
    let began = Instant::now();
    let start = (body.into_data_stream(), 0_u64, false);
    let chunks = stream::unfold(start, move |(mut body, got, pause)| async move {
        if pause {
            tokio::task::yield_now().await;
        }
        let due = began + stall_timeout + Duration::from_secs(got / SLOWEST_PACE);
        let stall_timeout = stall_timeout.min(due.saturating_duration_since(Instant::now()));
        let chunk = match tokio::time::timeout(stall_timeout, body.next()).await {
            Ok(chunk) => chunk?.map_err(io::Error::other),
            Err(stalled) => Err(stalled.into()),
        };
        let got = got + chunk.as_ref().map_or(0, |chunk| chunk.len() as u64);
        Some((chunk, (body, got, true)))
    });
    chunks.fuse().boxed()
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    const TIMEOUT: Duration = Duration::from_millis(300);

    /// One byte every 20 ms.
    fn trickle() -> Body {
        Body::from_stream(stream::unfold((), async |()| {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Some((Ok::<_, io::Error>(Bytes::from_static(b"x")), ()))
        }))
    }

    #[tokio::test]
    async fn stalling_and_trickling_clients_are_disconnected() {
        let silent = Body::from_stream(stream::pending::<io::Result<Bytes>>());
        for body in [silent, trickle()] {
            let ends = chunks_within(body, TIMEOUT).any(|chunk| ready(chunk.is_err()));
            assert!(tokio::time::timeout(TIMEOUT * 20, ends).await.unwrap());
        }
    }

    #[tokio::test]
    async fn uploads_above_the_minimum_rate_may_take_long() {
        let chunk = Bytes::from(vec![0; usize::try_from(SLOWEST_PACE).unwrap()]);
        let body = Body::from_stream(stream::iter(0..6).then(move |_| {
            let chunk = chunk.clone();
            async move {
                tokio::time::sleep(TIMEOUT / 3).await;
                Ok::<_, io::Error>(chunk)
            }
        }));
        assert_eq!(chunks_within(body, TIMEOUT).filter(|chunk| ready(chunk.is_ok())).count().await, 6);
    }
}
