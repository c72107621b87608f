//! A request body with a deadline, and how it ended.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use parking_lot::Mutex;
use tokio::time::{Instant, Sleep, sleep};

/// How long, and how many bytes, the unread rest of a body is drained so that the connection can be reused.
const DRAIN_TIME: Duration = Duration::from_millis(50);
const DRAIN_BYTES: usize = 64 * 1024;

#[derive(Debug, thiserror::Error)]
#[error("the request body did not arrive in time")]
pub(super) struct Timeout;

/// Fails when the server has waited for the client for longer than `base_timeout` plus the time the received bytes may
/// take at the slowest accepted rate, or for `base_timeout` without a byte. Only waiting counts, so a slow server
/// disconnects no one, even if it does something else after it has asked for the next bytes.
pub struct TimedBody {
    /// `None` after its end.
    body: Arc<Mutex<Option<Incoming>>>,
    base_timeout: Duration,
    bytes_per_second: u64,
    received: u64,
    waited: Duration,
    wait: Option<Wait>,
}

/// A wait for the client's next bytes.
struct Wait {
    began: Instant,
    arrival: Arc<Arrival>,
    deadline: Pin<Box<Sleep>>,
}

/// Wakes the reader, and remembers when the bytes arrived.
struct Arrival {
    at: OnceLock<Instant>,
    reader: Mutex<Waker>,
}

impl Wake for Arrival {
    fn wake(self: Arc<Self>) {
        let _ = self.at.set(Instant::now());
        self.reader.lock().wake_by_ref();
    }
}

impl Wait {
    fn new(left: Duration, reader: &Waker) -> Self {
        let arrival = Arrival { at: OnceLock::new(), reader: Mutex::new(reader.clone()) };
        Self { began: Instant::now(), arrival: Arc::new(arrival), deadline: Box::pin(sleep(left)) }
    }

    fn took(&self) -> Duration {
        self.arrival.at.get().copied().unwrap_or_else(Instant::now) - self.began
    }
}

/// Tells whether a body has been read to its end.
pub struct Watch {
    body: Arc<Mutex<Option<Incoming>>>,
}

impl TimedBody {
    pub fn new(body: Incoming, base_timeout: Duration, bytes_per_second: u64) -> (Self, Watch) {
        let body = Arc::new(Mutex::new(Some(body)));
        let watch = Watch { body: Arc::clone(&body) };
        (
            Self { body, base_timeout, bytes_per_second, received: 0, waited: Duration::ZERO, wait: None },
            watch,
        )
    }

    fn time_left(&self) -> Duration {
        let earned = Duration::from_secs(self.received / self.bytes_per_second.max(1));
        (self.base_timeout + earned).saturating_sub(self.waited).min(self.base_timeout)
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
        let left = this.time_left();
        let mut inner = this.body.lock();
        let Some(body) = &mut *inner else { return Poll::Ready(None) };
        // Polled with its own waker from the first wait on, which tells when the bytes arrived.
        let wait = this.wait.get_or_insert_with(|| Wait::new(left, context.waker()));
        context.waker().clone_into(&mut wait.arrival.reader.lock());
        let waker = Waker::from(Arc::clone(&wait.arrival));
        let Poll::Ready(frame) = Pin::new(body).poll_frame(&mut Context::from_waker(&waker)) else {
            ready!(wait.deadline.as_mut().poll(context));
            return Poll::Ready(Some(Err(Timeout.into())));
        };
        this.waited += wait.took();
        this.wait = None;
        match &frame {
            Some(frame) => {
                let data = frame.as_ref().ok().and_then(Frame::data_ref);
                this.received += data.map_or(0, |data| data.len() as u64);
            }
            None => *inner = None,
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.lock().as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.lock().as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Watch {
    /// Whether the whole body has been read. Drains a short rest that has already arrived, unless reading
    /// would ask the client to send it (`Expect: 100-continue`).
    pub async fn completed(self, may_drain: bool) -> bool {
        let body = match Arc::try_unwrap(self.body) {
            Ok(body) => body.into_inner(),
            // The handler still has it, while its response is sent.
            Err(body) => return body.lock().as_ref().is_none_or(Body::is_end_stream),
        };
        let Some(body) = body.filter(|body| !body.is_end_stream()) else { return true };
        let drained = Limited::new(body, DRAIN_BYTES).collect();
        may_drain && tokio::time::timeout(DRAIN_TIME, drained).await.is_ok_and(|drained| drained.is_ok())
    }
}
