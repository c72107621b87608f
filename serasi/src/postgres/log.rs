//! The server's log: postgres.log, to which the server appends, and its earlier part. PostgreSQL's own log collector does not limit
//! the total size, and fails when the disk is full.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// The longest log, and the longest earlier part.
const PART: u64 = 20 * 1024 * 1024;
/// What is read for an error message.
const RECENT: u64 = 16 * 1024;
/// Maximum number of lines in one message.
const MOST_SHOWN: usize = 3;
const LONGEST_LINE: usize = 500;

pub struct Log {
    path: PathBuf,
    /// Where the lines of the running server begin.
    start: u64,
}

impl Log {
    pub fn new(path: PathBuf) -> Self {
        Self { path, start: 0 }
    }

    /// The file for a server that starts.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn open(&mut self) -> io::Result<File> {
        let file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        self.start = file.metadata()?.len();
        Ok(file)
    }

    /// Moves the end of a long log to the earlier part. If the disk is full, it is lost.
    ///
    /// # Errors
    /// When the log can't be read.
    pub fn rotate(&mut self) -> io::Result<()> {
        let length = self.path.metadata()?.len();
        if length > PART {
            let mut file = OpenOptions::new().read(true).write(true).open(&self.path)?;
            file.seek(SeekFrom::Start(length - PART))?;
            let earlier = File::create(self.path.with_extension("log.1"));
            let copied = earlier.and_then(|mut earlier| io::copy(&mut (&file).take(PART), &mut earlier));
            file.set_len(0)?;
            self.start = 0;
            copied?;
        }
        Ok(())
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
            let start = self.start.max(file.metadata()?.len().saturating_sub(RECENT));
            file.seek(SeekFrom::Start(start))?;
            let mut recent = Vec::new();
            file.read_to_end(&mut recent)?;
            io::Result::Ok(String::from_utf8_lossy(&recent).into_owned())
        };
        read().unwrap_or_default()
    }
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
        let mut log = Log::new(path.clone());
        let mut file = log.open().unwrap();
        writeln!(file, "first").unwrap();
        log.rotate().unwrap();
        assert_eq!(log.last_lines(), "first");

        file.write_all(&vec![b'x'; PART as usize]).unwrap();
        writeln!(file, "\nFATAL:  no disk\nlast").unwrap();
        assert_eq!(log.last_lines(), "FATAL:  no disk");
        assert!(log.mentions("last") && !log.mentions("first"));
        log.rotate().unwrap();
        let earlier = fs::read(path.with_extension("log.1")).unwrap();
        assert!(earlier.len() as u64 == PART && earlier.ends_with(b"\nlast\n"));
        writeln!(file, "after").unwrap();
        assert_eq!((fs::read_to_string(path).unwrap(), log.last_lines()), ("after\n".into(), "after".into()));
    }
}
