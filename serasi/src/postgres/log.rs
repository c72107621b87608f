//! The server's log: postgres.log and its earlier part, with a limit on their total size.
//!
//! PostgreSQL's own log collector does not limit the total size and fails when the disk is full. So this
//! process reads the server's output. A line that can't be stored is dropped, and the server never blocks
//! on the disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What is read from the server at once.
const CHUNK: usize = 64 * 1024;
/// The last output that stays in memory for error messages.
const RECENT_BYTES: usize = 16 * 1024;
/// Maximum number of lines in one message.
const MOST_SHOWN: usize = 3;
const LONGEST_LINE: usize = 500;
/// A server that has ended may have left lines in the pipe.
const LAST_LINES_TIMEOUT: Duration = Duration::from_millis(500);

pub struct Log {
    file: Arc<Mutex<LogFile>>,
    reader: Option<JoinHandle<()>>,
}

impl Log {
    /// # Errors
    /// When the file can't be written.
    pub fn open(path: &Path, limit: u64) -> io::Result<Self> {
        Ok(Self { file: Arc::new(Mutex::new(LogFile::open(path, limit)?)), reader: None })
    }

    /// Returns the pipe that a starting server writes to.
    ///
    /// # Errors
    /// When the system has no pipes or threads left.
    pub fn writer(&mut self) -> io::Result<PipeWriter> {
        let (reader, writer) = io::pipe()?;
        self.file().recent.clear();
        let file = Arc::clone(&self.file);
        let copy = move || copy(reader, &file);
        self.reader = Some(std::thread::Builder::new().name("postgres-log".to_owned()).spawn(copy)?);
        Ok(writer)
    }

    /// The server's last lines since its start, on one line. Only errors, if there are any.
    pub fn last_lines(&self) -> String {
        let lines = self.recent();
        let is_error = |line: &&String| line.contains("FATAL:  ") || line.contains("PANIC:  ");
        let errors: Vec<&String> = lines.iter().filter(is_error).collect();
        let chosen = if errors.is_empty() { lines.iter().collect() } else { errors };
        let chosen = &chosen[chosen.len().saturating_sub(MOST_SHOWN)..];
        chosen.iter().map(|line| line.as_str()).collect::<Vec<_>>().join(" | ")
    }

    /// Whether one of the recent lines contains the text.
    pub fn mentions(&self, text: &str) -> bool {
        self.recent().iter().any(|line| line.contains(text))
    }

    fn recent(&self) -> Vec<String> {
        let until = Instant::now() + LAST_LINES_TIMEOUT;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        let file = self.file();
        let recent = String::from_utf8_lossy(&file.recent);
        // Skip the errors that clients get while the server starts or stops.
        let lines = recent.lines().filter(|line| !line.contains("FATAL:  the database system is "));
        lines.map(|line| line.trim().chars().take(LONGEST_LINE).collect()).collect()
    }

    fn file(&self) -> MutexGuard<'_, LogFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn copy(mut reader: PipeReader, file: &Mutex<LogFile>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => file.lock().unwrap_or_else(PoisonError::into_inner).write(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(_) => return,
        }
    }
}

struct LogFile {
    path: PathBuf,
    part_bytes: u64,
    file: File,
    written: u64,
    recent: Vec<u8>,
}

impl LogFile {
    fn open(path: &Path, limit: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let written = file.metadata()?.len();
        let mut log =
            Self { path: path.to_owned(), part_bytes: limit / 2, file, written, recent: Vec::new() };
        // An earlier version wrote three parts, and the limit may have been larger.
        for part in ["log.1", "log.2", "log.3"].map(|extension| path.with_extension(extension)) {
            if part.metadata().is_ok_and(|about| about.len() > log.part_bytes) || part != log.earlier() {
                let _ = fs::remove_file(part);
            }
        }
        if log.written > log.part_bytes {
            log.empty();
        }
        Ok(log)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.recent.extend_from_slice(bytes);
        self.recent.drain(..self.recent.len().saturating_sub(RECENT_BYTES));
        if self.written + bytes.len() as u64 > self.part_bytes {
            self.rotate();
        }
        match self.file.write_all(bytes) {
            Ok(()) => self.written += bytes.len() as u64,
            // The disk is full. Part of the text may have been written.
            Err(_) => self.written = self.file.metadata().map_or(self.part_bytes, |about| about.len()),
        }
    }

    fn rotate(&mut self) {
        let _ = fs::rename(&self.path, self.earlier());
        // Without descriptors or space, the current file is written again from its beginning.
        if let Ok(file) = OpenOptions::new().create(true).append(true).open(&self.path) {
            self.file = file;
        }
        self.empty();
    }

    fn empty(&mut self) {
        let _ = self.file.set_len(0);
        self.written = 0;
    }

    fn earlier(&self) -> PathBuf {
        self.path.with_extension("log.1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(folder: &Path) -> Vec<u64> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().metadata().unwrap().len()).collect()
    }

    #[test]
    fn the_total_never_exceeds_the_limit_and_the_newest_lines_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        let mut log = LogFile::open(&path, 4000).unwrap();
        for number in 0..1000 {
            log.write(format!("line {number}\n").as_bytes());
            assert!(sizes(folder.path()).iter().sum::<u64>() <= 4000);
        }
        log.write(b"last\n");
        assert_eq!(sizes(folder.path()).len(), 2);
        assert!(fs::read_to_string(&path).unwrap().ends_with("line 999\nlast\n"));
        assert!(log.recent.ends_with(b"\nlast\n") && log.recent.len() <= RECENT_BYTES);
    }

    #[test]
    fn oversized_logs_of_earlier_versions_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        for name in ["postgres.log", "postgres.log.1", "postgres.log.3"] {
            fs::write(folder.path().join(name), vec![b'x'; 100_000]).unwrap();
        }
        LogFile::open(&path, 4000).unwrap();
        assert_eq!(sizes(folder.path()), [0]);
    }
}
