//! Writes and hashes what has arrived in a blocking thread, while the next bytes arrive.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::Arc;

use bytes::Bytes;
use md5::{Digest, Md5};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// The size of a batch. Each upload has at most two batches in memory: one is being written while the other
/// arrives.
const BATCH_BYTES: usize = 64 * 1024;
/// Even a chunk of one byte takes memory.
const BATCH_CHUNKS: usize = 128;

/// How many uploads write at the same time. More threads would only use memory.
#[derive(Clone)]
pub(super) struct Slots(Arc<Semaphore>);

impl Default for Slots {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Semaphore::new(2 * cores)))
    }
}

pub(super) struct Writer {
    slots: Slots,
    state: State,
    batch: Vec<Bytes>,
    batch_bytes: usize,
}

enum State {
    Idle(Box<Output>),
    Writing(JoinHandle<io::Result<Box<Output>>>),
    Failed,
}

struct Output {
    file: File,
    md5: Md5,
}

impl Writer {
    pub(super) fn new(file: File, slots: Slots) -> Self {
        let state = State::Idle(Box::new(Output { file, md5: Md5::new() }));
        Self { slots, state, batch: Vec::new(), batch_bytes: 0 }
    }

    /// # Errors
    /// Fails when this chunk or an earlier one can't be written.
    pub(super) async fn write(&mut self, chunk: Bytes) -> io::Result<()> {
        self.batch_bytes += chunk.len();
        self.batch.push(chunk);
        let is_full = self.batch_bytes >= BATCH_BYTES || self.batch.len() >= BATCH_CHUNKS;
        if is_full || self.is_idle() {
            self.start().await?;
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        match &self.state {
            State::Idle(_) | State::Failed => true,
            State::Writing(writing) => writing.is_finished(),
        }
    }

    /// Writes the rest and returns the hash of everything.
    ///
    /// # Errors
    /// Fails when something can't be written.
    pub(super) async fn finish(mut self) -> io::Result<[u8; 16]> {
        self.start().await?;
        Ok(self.idle().await?.md5.finalize().into())
    }

    /// Starts writing the batch, once the one before is written.
    async fn start(&mut self) -> io::Result<()> {
        let mut output = self.idle().await?;
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let slot = Arc::clone(&self.slots.0).acquire_owned().await.map_err(io::Error::other)?;
        self.state = State::Writing(tokio::task::spawn_blocking(move || {
            let _slot = slot;
            for chunk in batch {
                output.file.write_all(&chunk)?;
                output.md5.update(&chunk);
            }
            Ok(output)
        }));
        Ok(())
    }

    async fn idle(&mut self) -> io::Result<Box<Output>> {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Idle(output) => Ok(output),
            State::Writing(writing) => writing.await.map_err(io::Error::other)?,
            State::Failed => Err(io::Error::other("an earlier part of the upload could not be written")),
        }
    }
}
