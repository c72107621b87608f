//! A compressed file of a backup, and the hash of its content.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::crypt::Writer;
use super::manifest::{Contents, hex};

/// Compresses what it writes. Call [`Compressed::finish`] at the end.
pub struct Compressed(GzEncoder<Hashed>);

impl Compressed {
    pub fn new(file: Writer<BufWriter<File>>) -> Self {
        Self(GzEncoder::new(Hashed { file, hash: Sha256::new(), bytes: 0 }, Compression::fast()))
    }

    /// # Errors
    /// When the last bytes can't be written.
    pub fn finish(self) -> io::Result<Contents> {
        let target = self.0.finish()?;
        target.file.finish()?;
        Ok(Contents { bytes: target.bytes, sha256: hex(target.hash.finalize()) })
    }
}

impl Write for Compressed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Hashes the bytes before they are encrypted.
struct Hashed {
    file: Writer<BufWriter<File>>,
    hash: Sha256,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        let written = self.file.write(chunk)?;
        self.hash.update(&chunk[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
