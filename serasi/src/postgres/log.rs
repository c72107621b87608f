//! The server's log: postgres.log, to which the server appends, and its earlier part. PostgreSQL's own log collector does not limit
//! the total size, and fails when the disk is full.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The longest log, and the longest earlier part.
const PART: u64 = 20 * 1024 * 1024;
/// What is read for an error message.
const RECENT: u64 = 16 * 1024;
/// Maximum number of lines in one message.
const MOST_SHOWN: usize = 3;
const LONGEST_LINE: usize = 500;
/// Time between two checks of the length.
const INTERVAL: Duration = Duration::from_millis(100);

pub struct Log {
    path: PathBuf,
    /// Where the lines of the running server begin.
    start: Arc<AtomicU64>,
}

impl Log {
    pub fn new(path: PathBuf) -> Self {
        Self { path, start: Arc::default() }
    }

    /// Keeps the log within its limit as long as this value exists, also while a server starts.
    pub fn keep_short(&self) {
        let (path, start) = (self.path.clone(), Arc::downgrade(&self.start));
        std::thread::spawn(move || {
            while let Some(start) = start.upgrade() {
                let _ = rotate(&path, &start);
                drop(start);
                std::thread::sleep(INTERVAL);
            }
        });
    }

    /// The file for a server that starts.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn open(&self) -> io::Result<File> {
        let file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        self.start.store(file.metadata()?.len(), Ordering::Relaxed);
        Ok(file)
    }

    /// The server's last lines since its start, on one line. Only errors, if there are any.
    pub fn last_lines(&self) -> String {
        let recent = self.recent();
        // Clients get these while the server starts or stops.
        let lines = recent.lines().filter(|line| !line.contains("FATAL:  the database system is "));
        let lines: Vec<&str> = lines.collect();
        let is_error = |line: &&str| line.contains("FATAL:  ") || line.contains("PANIC:  ");
        let errors: Vec<&str> = lines.iter().copied().filter(is_error).collect();
        let chosen = if errors.is_empty() { lines } else { errors };
        let chosen = chosen.iter().skip(chosen.len().saturating_sub(MOST_SHOWN));
        let chosen = chosen.map(|line| line.trim().chars().take(LONGEST_LINE).collect::<String>());
        chosen.collect::<Vec<_>>().join(" | ")
    }

    /// Whether one of the recent lines contains the text.
    pub fn mentions(&self, text: &str) -> bool {
        self.recent().contains(text)
    }

    fn recent(&self) -> String {
        let read = || {
            let mut file = File::open(&self.path)?;
            let start = self.start.load(Ordering::Relaxed).max(file.metadata()?.len().saturating_sub(RECENT));
            file.seek(SeekFrom::Start(start))?;
            let mut recent = Vec::new();
            file.read_to_end(&mut recent)?;
            io::Result::Ok(String::from_utf8_lossy(&recent).into_owned())
        };
        read().unwrap_or_default()
    }
}

/// Moves the end of a long log to the earlier part. If the disk is full, it is lost.
fn rotate(path: &Path, start: &AtomicU64) -> io::Result<()> {
    let length = path.metadata()?.len();
    if length > PART {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        file.seek(SeekFrom::Start(length - PART))?;
        let earlier = File::create(path.with_extension("log.1"));
        let copied = earlier.and_then(|mut earlier| io::copy(&mut (&file).take(PART), &mut earlier));
        file.set_len(0)?;
        start.store(0, Ordering::Relaxed);
        copied?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn the_newest_lines_stay_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        let log = Log::new(path.clone());
        let mut file = log.open().unwrap();
        writeln!(file, "first").unwrap();
        rotate(&path, &log.start).unwrap();
        assert_eq!(log.last_lines(), "first");

        file.write_all(&vec![b'x'; PART as usize]).unwrap();
        writeln!(file, "\nFATAL:  no disk\nlast").unwrap();
        assert_eq!(log.last_lines(), "FATAL:  no disk");
        assert!(log.mentions("last") && !log.mentions("first"));
        rotate(&path, &log.start).unwrap();
        let earlier = fs::read(path.with_extension("log.1")).unwrap();
        assert!(earlier.len() as u64 == PART && earlier.ends_with(b"\nlast\n"));
        writeln!(file, "after").unwrap();
        assert_eq!((fs::read_to_string(path).unwrap(), log.last_lines()), ("after\n".into(), "after".into()));
    }
}
