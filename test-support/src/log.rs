//! Captures the log while a test runs.

use std::cell::RefCell;
use std::io;
use std::sync::Once;

use tracing_subscriber::EnvFilter;

thread_local! {
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The log of this thread, on which the tested service runs.
pub struct Log;

impl Log {
    /// Starts capturing. The subscriber is global, because tracing caches for all threads whether a
    /// subscriber is interested.
    ///
    /// # Panics
    /// Panics when the process already has a subscriber.
    pub fn listen() -> Self {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(|| Self);
            let filter = EnvFilter::new("warn,security=info,auth_service=trace,platform=trace");
            subscriber.with_env_filter(filter).init();
        });
        LOG.with_borrow_mut(Vec::clear);
        Self
    }

    /// # Panics
    /// Panics when the log is not UTF-8.
    pub fn text(&self) -> String {
        LOG.with_borrow(|log| String::from_utf8(log.clone()).expect("the log is text"))
    }

    /// The lines about one request, other than those that its span adds the id to.
    pub fn about(&self, request_id: &str) -> Vec<String> {
        let wanted = format!("request_id=\"{request_id}\"");
        self.text().lines().filter(|line| line.contains(&wanted)).map(str::to_owned).collect()
    }

    /// The lines of one security event.
    pub fn lines(&self, event: &str) -> Vec<String> {
        let wanted = format!("event=\"{event}\"");
        let is_wanted = |line: &&str| line.contains("security:") && line.contains(&wanted);
        self.text().lines().filter(is_wanted).map(str::to_owned).collect()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
