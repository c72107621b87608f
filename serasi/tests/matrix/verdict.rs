//! The results of a subject's cells.

use crate::table::Row;

pub struct Verdict {
    subject: String,
    cells: usize,
    failures: Vec<String>,
}

impl Verdict {
    pub fn on(subject: &str) -> Self {
        Self { subject: subject.to_owned(), cells: 0, failures: Vec::new() }
    }

    pub fn count(&mut self) {
        self.cells += 1;
    }

    pub fn fail(&mut self, row: &Row, person: &str, wanted: &str, got: &str) {
        let Row { file, line, id, .. } = row;
        self.failures.push(format!("{file}:{line}: {id}, as {person}: expected {wanted}, got {got}"));
    }

    /// Reports all failed cells at once.
    pub fn close(self) {
        println!("{}: {} cells", self.subject, self.cells);
        assert!(
            self.failures.is_empty(),
            "{}: {} of {} cells fail\n{}",
            self.subject,
            self.failures.len(),
            self.cells,
            self.failures.join("\n")
        );
    }
}
