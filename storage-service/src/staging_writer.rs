//! Writes and hashes what has arrived in two blocking threads, while the next bytes arrive.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use bytes::Bytes;
use md5::{Digest, Md5};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};

/// The size of a batch. Each upload has at most two batches in memory: one is being written while the other
/// arrives.
const BATCH_BYTES: usize = 64 * 1024;
/// Even a chunk of one byte takes memory.
const BATCH_CHUNKS: usize = 128;
/// How much is written before the disk is told to store it, so that little is left to wait for at the end.
const SYNC_BYTES: usize = 1024 * 1024;

pub(crate) struct Writer {
    /// Limits how many uploads write at the same time. More threads would only use memory.
    slots: Arc<Semaphore>,
    file: Arc<File>,
    md5: Md5,
    batch: Vec<Bytes>,
    batch_bytes: usize,
    work: Option<(JoinHandle<io::Result<()>>, JoinHandle<Md5>)>,
    /// `None` for a file that is going to be replaced.
    unsynced: Option<usize>,
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl Writer {
    pub(crate) fn new(file: File, slots: Arc<Semaphore>, is_final: bool) -> Self {
        Self {
            slots,
            file: Arc::new(file),
            md5: Md5::new(),
            batch: Vec::new(),
            batch_bytes: 0,
            work: None,
            unsynced: is_final.then_some(0),
            syncing: None,
        }
    }

    /// # Errors
    /// Fails when this chunk or an earlier one can't be written.
    pub(crate) async fn write(&mut self, chunk: Bytes) -> io::Result<()> {
        self.batch_bytes += chunk.len();
        self.batch.push(chunk);
        let is_full = self.batch_bytes >= BATCH_BYTES || self.batch.len() >= BATCH_CHUNKS;
        let is_idle = self
            .work
            .as_ref()
            .is_none_or(|(writing, hashing)| writing.is_finished() && hashing.is_finished());
        if is_full || is_idle { self.start().await } else { Ok(()) }
    }

    /// Writes the rest and returns the hash of everything.
    ///
    /// # Errors
    /// Fails when something can't be written.
    pub(crate) async fn finish(mut self) -> io::Result<[u8; 16]> {
        self.start().await?;
        self.wait().await?;
        // Linux reports a failed write to the first one who asks only.
        if let Some(syncing) = self.syncing {
            syncing.await.map_err(io::Error::other)??;
        }
        Ok(self.md5.finalize().into())
    }

    /// Starts writing the batch, once the one before is written.
    async fn start(&mut self) -> io::Result<()> {
        self.wait().await?;
        self.sync().await?;
        let batch: Arc<[Bytes]> = std::mem::take(&mut self.batch).into();
        self.unsynced = self.unsynced.map(|bytes| bytes + self.batch_bytes);
        self.batch_bytes = 0;
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(io::Error::other)?;
        let (file, written) = (Arc::clone(&self.file), Arc::clone(&batch));
        let writing = spawn_blocking(move || {
            let _slot = slot;
            written.iter().try_for_each(|chunk| (&*file).write_all(chunk))
        });
        let mut md5 = std::mem::take(&mut self.md5);
        let hashing = spawn_blocking(move || {
            batch.iter().for_each(|chunk| md5.update(chunk));
            md5
        });
        self.work = Some((writing, hashing));
        Ok(())
    }

    /// Waits until the last batch is written.
    async fn wait(&mut self) -> io::Result<()> {
        if let Some((writing, hashing)) = self.work.take() {
            self.md5 = hashing.await.map_err(io::Error::other)?;
            writing.await.map_err(io::Error::other)??;
        }
        Ok(())
    }

    async fn sync(&mut self) -> io::Result<()> {
        let is_free = self.syncing.as_ref().is_none_or(JoinHandle::is_finished);
        if is_free && self.unsynced.is_some_and(|bytes| bytes >= SYNC_BYTES) {
            if let Some(syncing) = self.syncing.take() {
                syncing.await.map_err(io::Error::other)??;
            }
            let file = Arc::clone(&self.file);
            self.syncing = Some(spawn_blocking(move || file.sync_data()));
            self.unsynced = Some(0);
        }
        Ok(())
    }
}
