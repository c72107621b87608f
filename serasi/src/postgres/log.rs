//! The server's log: postgres.log and its rotated parts, with a limit on their total size.
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

/// postgres.log and three rotated parts.
const PARTS: u64 = 4;
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
    let mut buffer = vec![0; 64 * 1024];
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
        let part_bytes = (limit / PARTS).max(1);
        let mut log = Self { path: path.to_owned(), part_bytes, file, written, recent: Vec::new() };
        // Remove parts written under a larger limit or without one.
        for number in 1..PARTS {
            let part = log.part(number);
            if part.metadata().is_ok_and(|about| about.len() > part_bytes) {
                let _ = fs::remove_file(part);
            }
        }
        if log.written > part_bytes {
            log.empty();
        }
        Ok(log)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.recent.extend_from_slice(bytes);
        self.recent.drain(..self.recent.len().saturating_sub(RECENT_BYTES));
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = usize::try_from(self.part_bytes.saturating_sub(self.written)).unwrap_or(usize::MAX);
            if rest.len() <= room {
                return self.append(rest);
            }
            let line_end = rest[..room].iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            // Only a line longer than a whole part is split.
            let end = line_end.unwrap_or(if self.written == 0 { room } else { 0 });
            self.append(&rest[..end]);
            self.rotate();
            rest = &rest[end..];
        }
    }

    fn append(&mut self, bytes: &[u8]) {
        match self.file.write_all(bytes) {
            Ok(()) => self.written += bytes.len() as u64,
            // The disk is full. Part of the line may have been written.
            Err(_) => self.written = self.file.metadata().map_or(self.part_bytes, |about| about.len()),
        }
    }

    fn rotate(&mut self) {
        let next = self.path.with_extension("log.next");
        // Open the new file first. If that fails, for lack of descriptors or space, truncate the current
        // one.
        let Ok(file) = OpenOptions::new().create(true).append(true).open(&next) else { return self.empty() };
        for number in (1..PARTS).rev() {
            let _ = fs::rename(self.part(number - 1), self.part(number));
        }
        if fs::rename(&next, &self.path).is_err() {
            return self.empty();
        }
        self.file = file;
        self.written = 0;
    }

    fn empty(&mut self) {
        let _ = self.file.set_len(0);
        self.written = 0;
    }

    fn part(&self, number: u64) -> PathBuf {
        match number {
            0 => self.path.clone(),
            _ => self.path.with_extension(format!("log.{number}")),
        }
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
    fn the_total_never_exceeds_the_limit_and_the_newest_lines_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        let mut log = LogFile::open(&path, 4000).unwrap();
        for number in 0..1000 {
            log.write(format!("line {number}\n").as_bytes());
            assert!(sizes(folder.path()).iter().sum::<u64>() <= 4000);
        }
        log.write(&[b'x'; 9000]);
        assert!(sizes(folder.path()).iter().sum::<u64>() <= 4000);
        log.write(b"\nlast\n");

        assert_eq!(sizes(folder.path()).len(), 4);
        assert!(fs::read_to_string(&path).unwrap().ends_with("last\n"));
        assert!(log.recent.ends_with(b"\nlast\n") && log.recent.len() <= RECENT_BYTES);
    }

    #[test]
    fn lines_are_cut_only_when_they_exceed_a_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        let mut log = LogFile::open(&path, 400).unwrap();
        for _ in 0..20 {
            log.write(b"a line of twenty-three\nand another one\n");
        }
        for part in 0..PARTS {
            let text = fs::read_to_string(log.part(part)).unwrap();
            assert!(text.ends_with('\n') && text.starts_with("a"), "{text:?}");
        }
    }

    #[test]
    fn oversized_logs_of_earlier_versions_are_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        fs::write(&path, vec![b'x'; 100_000]).unwrap();
        fs::write(folder.path().join("postgres.log.2"), vec![b'x'; 100_000]).unwrap();
        LogFile::open(&path, 4000).unwrap();
        assert!(sizes(folder.path()).iter().sum::<u64>() <= 4000);
    }
}
