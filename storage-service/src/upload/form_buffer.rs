//! Limits what the form parser holds in memory. The parser buffers all header lines of a field, however long
//! they are.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;

/// More than the few chunks that the parser reads ahead, and the header lines of all fields.
const MAX_BYTES: u64 = 256 * 1024;

/// The bytes that the parser has read and not returned yet. Clones share one count.
#[derive(Clone, Default)]
pub(super) struct FormBuffer(Arc<AtomicU64>);

#[derive(Debug, thiserror::Error)]
#[error("the header lines of a form field are too long")]
pub(super) struct HeadersTooLong;

impl FormBuffer {
    /// A stream that fails when the parser buffers too much of it.
    pub(super) fn limit(
        &self,
        body: BoxStream<'static, io::Result<Bytes>>,
    ) -> BoxStream<'static, io::Result<Bytes>> {
        let held = Arc::clone(&self.0);
        let limited = move |chunk: io::Result<Bytes>| {
            let chunk = chunk?;
            let length = chunk.len() as u64;
            match held.fetch_add(length, Ordering::Relaxed) + length > MAX_BYTES {
                true => Err(io::Error::other(HeadersTooLong)),
                false => Ok(chunk),
            }
        };
        body.map(limited).boxed()
    }

    /// The parser has returned a part of a field.
    pub(super) fn returned(&self, chunk: &Bytes) {
        self.0.fetch_sub(chunk.len() as u64, Ordering::Relaxed);
    }
}

/// Whether the parser failed because of the limit.
pub(super) fn is_exceeded(error: &multer::Error) -> bool {
    let multer::Error::StreamReadFailed(cause) = error else { return false };
    let cause = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    cause.is_some_and(|cause| cause.is::<HeadersTooLong>())
}
