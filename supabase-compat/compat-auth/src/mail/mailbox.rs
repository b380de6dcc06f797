//! The captured mailbox: development's way out. Mails stay in memory, the latest few hundred of
//! them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde::Serialize;
use tokio::sync::watch;

use super::{Deliver, DeliveryError, Mail, MailKind};

const CAPACITY: usize = 500;

/// A mail that was caught.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct CapturedMail {
    /// Counts from one, in the order of arrival.
    pub id: u64,
    pub to: String,
    pub subject: String,
    pub html: String,
    pub text: String,
    pub kind: MailKind,
    pub at: DateTime<Utc>,
    pub headers: Vec<(String, String)>,
}

/// Catches mails instead of sending them. Clones share what was caught.
#[derive(Clone)]
pub struct Mailbox {
    mails: Arc<Mutex<VecDeque<CapturedMail>>>,
    arrived: Arc<watch::Sender<u64>>,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self { mails: Arc::default(), arrived: Arc::new(watch::Sender::new(0)) }
    }
}

impl Mailbox {
    /// What was caught, newest first.
    pub fn list(&self) -> Vec<CapturedMail> {
        self.lock().iter().rev().cloned().collect()
    }

    /// One mail.
    pub fn read(&self, id: u64) -> Option<CapturedMail> {
        self.lock().iter().find(|mail| mail.id == id).cloned()
    }

    /// The newest mail to an address.
    pub fn latest(&self, to: &str) -> Option<CapturedMail> {
        self.lock().iter().rev().find(|mail| mail.to == to).cloned()
    }

    /// Waits until mail number `id` has arrived.
    pub async fn arrival(&self, id: u64) {
        let mut arrived = self.arrived.subscribe();
        // The sender lives as long as self, so waiting cannot fail.
        let _ = arrived.wait_for(|latest| *latest >= id).await;
    }

    fn catch(&self, mail: Mail) {
        let mut mails = self.lock();
        let id = mails.back().map_or(1, |last| last.id + 1);
        if mails.len() == CAPACITY {
            mails.pop_front();
        }
        let Mail { to, subject, html, text, kind, at, headers } = mail;
        mails.push_back(CapturedMail { id, to, subject, html, text, kind, at, headers });
        drop(mails);
        self.arrived.send_replace(id);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<CapturedMail>> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deliver for Mailbox {
    fn deliver(&self, mail: Mail) -> BoxFuture<'_, Result<(), DeliveryError>> {
        self.catch(mail);
        Box::pin(std::future::ready(Ok(())))
    }
}
