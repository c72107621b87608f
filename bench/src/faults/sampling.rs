//! The kinds of requests, and the response and duration of each request.

use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::RETRY_AFTER;
use tokio::time::Instant;

/// A client's timeout.
pub const PATIENCE: Duration = Duration::from_secs(25);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Read,
    Write,
    Edit,
    User,
    SignIn,
    SignUp,
    Upload,
    Replace,
    Download,
    Page,
    Function,
    List,
    Render,
}

use Kind::*;

impl Kind {
    /// The kinds of requests in a full deployment.
    pub const DEPLOYED: [Self; 11] =
        [Read, Write, Edit, User, SignIn, SignUp, Upload, Replace, Download, Page, Function];
    /// The kinds that `serasi up --api-only` serves.
    pub const ALL: [Self; 9] = [Read, Write, Edit, User, SignIn, SignUp, Upload, Replace, Download];
    /// For minutes: without uploads, which have a quota.
    pub const SOAKED: [Self; 11] =
        [Read, List, Write, Edit, User, SignIn, SignUp, Replace, Download, Render, Function];

    pub fn name(self) -> &'static str {
        self.about().0
    }

    /// Interval between two requests of a kind.
    pub fn pace(self) -> Duration {
        Duration::from_millis(self.about().1)
    }

    fn about(self) -> (&'static str, u64) {
        match self {
            Read => ("read", 150),
            Write => ("insert", 150),
            Edit => ("update", 400),
            User => ("session", 300),
            SignIn => ("sign-in", 900),
            SignUp => ("sign-up", 900),
            Upload => ("upload", 400),
            Replace => ("replace", 400),
            Download => ("download", 300),
            Page => ("page", 300),
            Function => ("function", 300),
            List => ("list", 300),
            Render => ("render", 300),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Status(u16),
    /// Nothing listens at the address.
    Refused,
    /// The connection was closed without a response.
    Cut,
    /// No response within [`PATIENCE`].
    Silent,
}

impl Answer {
    pub fn is_good(self) -> bool {
        matches!(self, Self::Status(200..=299))
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(f, "{status}"),
            Self::Refused => f.write_str("refused"),
            Self::Cut => f.write_str("cut"),
            Self::Silent => f.write_str("silent"),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Sample {
    pub kind: Kind,
    pub began: Instant,
    pub took: Duration,
    pub answer: Answer,
    pub has_retry_after: bool,
    /// The shortened error message.
    pub said: String,
}

/// Sends a request and measures its duration.
pub async fn sample(kind: Kind, request: RequestBuilder) -> Sample {
    let began = Instant::now();
    let received = async {
        let answer = request.send().await?;
        let (status, has_retry_after) = (answer.status(), answer.headers().contains_key(RETRY_AFTER));
        let said = answer.bytes().await?;
        let said = if status.is_success() { String::new() } else { String::from_utf8_lossy(&said).into() };
        Ok::<_, reqwest::Error>((Answer::Status(status.as_u16()), has_retry_after, said))
    };
    let (answer, has_retry_after, said) = received.await.unwrap_or_else(|error| {
        let answer = if error.is_timeout() {
            Answer::Silent
        } else if error.is_connect() {
            Answer::Refused
        } else {
            Answer::Cut
        };
        (answer, false, String::new())
    });
    let said = said.chars().take(160).collect();
    Sample { kind, began, took: began.elapsed(), answer, has_retry_after, said }
}
