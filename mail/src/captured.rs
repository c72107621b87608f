//! The most recent captured e-mails, kept in memory until the process ends.

use std::collections::VecDeque;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::Message;
use parking_lot::Mutex;
use platform::secret::Secret;
use serde::Serialize;
use uuid::Uuid;

use crate::layout::Rendered;
use crate::outbox::Queued;

const MOST: usize = 200;

#[derive(Debug, Clone, Serialize)]
pub struct CapturedMail {
    pub id: Uuid,
    pub at: DateTime<Utc>,
    pub template: String,
    pub to: String,
    #[serde(flatten)]
    pub rendered: Rendered,
    /// The raw message as it would have been sent.
    #[serde(skip)]
    pub source: String,
}

impl CapturedMail {
    pub fn new(mail: &Queued, rendered: Rendered, message: &Message) -> Self {
        Self {
            id: mail.id,
            at: mail.created_at,
            template: mail.template.clone(),
            to: mail.recipient.clone(),
            rendered,
            source: String::from_utf8_lossy(&message.formatted()).into_owned(),
        }
    }
}

/// Shows e-mail that is not sent. All services of a process put theirs in the same list.
#[derive(Clone)]
pub struct Captured {
    /// The path of the list, with the secret.
    path: Arc<str>,
    mails: Arc<Mutex<VecDeque<CapturedMail>>>,
}

impl Captured {
    /// Readers must know the secret.
    pub fn new(secret: &Secret) -> Self {
        Self { path: format!("/dev/mail/{}", secret.expose()).into(), mails: Arc::default() }
    }

    /// Where the list is shown. Contains the secret.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    pub fn put(&self, mail: CapturedMail) {
        let mut mails = self.mails.lock();
        // Workers deliver several at once.
        let newer = mails.iter().take_while(|other| other.at > mail.at).count();
        mails.insert(newer, mail);
        mails.truncate(MOST);
    }

    /// Newest first.
    pub fn all(&self) -> Vec<CapturedMail> {
        self.mails.lock().iter().cloned().collect()
    }

    pub fn find(&self, id: Uuid) -> Option<CapturedMail> {
        self.mails.lock().iter().find(|mail| mail.id == id).cloned()
    }
}
