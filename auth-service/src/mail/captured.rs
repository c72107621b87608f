//! The most recent captured e-mails, kept in memory until the process ends.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use lettre::Message;
use serde::Serialize;
use uuid::Uuid;

use super::outbox::Queued;
use super::rendering::RenderedMail;

const MOST: usize = 200;

#[derive(Debug, Clone, Serialize)]
pub struct CapturedMail {
    pub id: Uuid,
    pub at: DateTime<Utc>,
    pub template: String,
    pub to: String,
    pub subject: String,
    pub link: Option<String>,
    pub code: Option<String>,
    pub text: String,
    pub html: String,
    /// The raw message as it would have been sent.
    #[serde(skip)]
    pub source: String,
}

impl CapturedMail {
    pub fn new(mail: &Queued, rendered: RenderedMail, message: &Message) -> Self {
        Self {
            id: mail.id,
            at: mail.created_at,
            template: mail.template.clone(),
            to: mail.recipient.clone(),
            subject: rendered.subject,
            link: rendered.link,
            code: rendered.code,
            text: rendered.text,
            html: rendered.html,
            source: String::from_utf8_lossy(&message.formatted()).into_owned(),
        }
    }
}

#[derive(Clone, Default)]
pub struct Captured(Arc<Mutex<VecDeque<CapturedMail>>>);

impl Captured {
    pub fn put(&self, mail: CapturedMail) {
        let mut mails = self.mails();
        // Workers deliver several at once.
        let newer = mails.iter().take_while(|other| other.at > mail.at).count();
        mails.insert(newer, mail);
        mails.truncate(MOST);
    }

    /// Newest first.
    pub fn all(&self) -> Vec<CapturedMail> {
        self.mails().iter().cloned().collect()
    }

    pub fn find(&self, id: Uuid) -> Option<CapturedMail> {
        self.mails().iter().find(|mail| mail.id == id).cloned()
    }

    fn mails(&self) -> MutexGuard<'_, VecDeque<CapturedMail>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
