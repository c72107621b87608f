//! A request body that has to arrive in time, and what became of it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::{Instant, Sleep, sleep};

/// How long and how far the rest of a body that a handler left is read, so that the connection can be used again.
const DRAIN_TIME: Duration = Duration::from_millis(50);
const DRAIN_BYTES: usize = 64 * 1024;

#[derive(Debug, thiserror::Error)]
#[error("the request body did not arrive in time")]
pub(super) struct Timeout;

/// Fails when the client lets the server wait for longer than `patience` and the time that the bytes it sent may take
/// at the slowest accepted rate. Only waiting counts, so a slow server cuts nobody off.
pub struct TimedBody {
    body: Option<Incoming>,
    patience: Duration,
    bytes_per_second: u64,
    received: u64,
    waited: Duration,
    wait: Option<(Instant, Pin<Box<Sleep>>)>,
    fate: Arc<Mutex<Fate>>,
}

enum Fate {
    /// Somebody still reads it.
    Read,
    Complete,
    /// Nobody wants the rest.
    Left(Incoming),
    Failed,
}

/// Tells what became of a body.
pub struct Watch(Arc<Mutex<Fate>>);

impl TimedBody {
    pub fn new(body: Incoming, patience: Duration, bytes_per_second: u64) -> (Self, Watch) {
        let fate = if body.is_end_stream() { Fate::Complete } else { Fate::Read };
        let fate = Arc::new(Mutex::new(fate));
        let watch = Watch(Arc::clone(&fate));
        let (received, waited, wait) = (0, Duration::ZERO, None);
        (Self { body: Some(body), patience, bytes_per_second, received, waited, wait, fate }, watch)
    }

    fn ends(&mut self, fate: Fate) {
        self.body = None;
        *self.fate.lock().unwrap_or_else(PoisonError::into_inner) = fate;
    }

    fn time_left(&self) -> Duration {
        let earned = Duration::from_secs(self.received / self.bytes_per_second.max(1));
        (self.patience + earned).saturating_sub(self.waited)
    }
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        let Poll::Ready(frame) = Pin::new(body).poll_frame(context) else {
            let left = this.time_left();
            let (_, deadline) = this.wait.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(deadline.as_mut().poll(context));
            this.ends(Fate::Failed);
            return Poll::Ready(Some(Err(Timeout.into())));
        };
        if let Some((began, _)) = this.wait.take() {
            this.waited += began.elapsed();
        }
        match &frame {
            Some(Ok(frame)) => {
                this.received += frame.data_ref().map_or(0, |data| data.len() as u64);
                if this.body.as_ref().is_some_and(Body::is_end_stream) {
                    this.ends(Fate::Complete);
                }
            }
            Some(Err(_)) => this.ends(Fate::Failed),
            None => this.ends(Fate::Complete),
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for TimedBody {
    fn drop(&mut self) {
        if let Some(body) = self.body.take() {
            let fate = if body.is_end_stream() { Fate::Complete } else { Fate::Left(body) };
            *self.fate.lock().unwrap_or_else(PoisonError::into_inner) = fate;
        }
    }
}

impl Watch {
    /// Whether the whole body has been read. A short rest that has already arrived is read now, unless reading would
    /// ask the client to send it (`Expect: 100-continue`).
    pub async fn completed(self, may_drain: bool) -> bool {
        let fate =
            std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), Fate::Failed);
        match fate {
            Fate::Complete => true,
            Fate::Left(body) if may_drain => {
                tokio::time::timeout(DRAIN_TIME, drained(body)).await.unwrap_or(false)
            }
            Fate::Read | Fate::Left(_) | Fate::Failed => false,
        }
    }
}

async fn drained(mut body: Incoming) -> bool {
    let mut read = 0;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        read += frame.data_ref().map_or(0, Bytes::len);
        if read > DRAIN_BYTES {
            return false;
        }
    }
    true
}
