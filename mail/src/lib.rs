//! # mail
//!
//! Outgoing e-mail. Code that notifies people inserts a row into the outbox in its own transaction ([`enqueue`]). Each
//! service delivers the rows of its kinds with a [`Mailer`], whose [`Letters`] have the words. Without an SMTP server,
//! e-mail is shown at `/dev/mail` ([`Captured`]), or waits in the outbox.
//!
//! `config` has the settings, `texts` what an e-mail says, `layout` its HTML and plain text, `message` its headers.
//! `worker` schedules deliveries, `outbox` queries the database, `smtp` talks to the server.

mod captured;
mod config;
mod dev;
mod layout;
mod message;
mod outbox;
mod smtp;
mod texts;
mod worker;

pub use captured::Captured;
pub use config::{Config, NOTIFICATIONS_PER_HOUR};
pub use layout::{Rendered, Unsubscribe, single_line_subject};
pub use outbox::{Queued, enqueue};
pub use texts::{Button, Fact, Item, MailTexts, Source, Unusable, one_line};
pub use worker::{Admission, Letters, Mailer, Running};
