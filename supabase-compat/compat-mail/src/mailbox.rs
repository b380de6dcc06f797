//! The captured mailbox, the transport for development. It keeps the latest emails in memory, at
//! most `CAPACITY` of them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde::Serialize;
use tokio::sync::watch;

use crate::{DeliveryError, Email, Transport};

const CAPACITY: usize = 500;

/// A captured email.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct CapturedEmail {
    /// The number of the email, counted from one in the order of arrival.
    pub id: u64,
    pub to: String,
    pub subject: String,
    pub html: String,
    pub text: String,
    pub kind: Cow<'static, str>,
    pub at: DateTime<Utc>,
    pub headers: Vec<(String, String)>,
}

/// Captures emails instead of sending them. Clones share the captured emails.
#[derive(Clone)]
pub struct Mailbox {
    emails: Arc<Mutex<VecDeque<CapturedEmail>>>,
    arrived: Arc<watch::Sender<u64>>,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self { emails: Arc::default(), arrived: Arc::new(watch::Sender::new(0)) }
    }
}

impl Mailbox {
    /// Every captured email, newest first.
    pub fn list(&self) -> Vec<CapturedEmail> {
        self.lock().iter().rev().cloned().collect()
    }

    /// The email with this number; `None` if there is none or it was dropped to make room.
    pub fn read(&self, id: u64) -> Option<CapturedEmail> {
        self.lock().iter().find(|email| email.id == id).cloned()
    }

    /// The newest email to this address.
    pub fn latest(&self, to: &str) -> Option<CapturedEmail> {
        self.lock().iter().rev().find(|email| email.to == to).cloned()
    }

    /// Waits until an email with this number or a higher one has arrived.
    pub async fn arrival(&self, id: u64) {
        let mut arrived = self.arrived.subscribe();
        // The sender lives as long as `self`, so waiting cannot fail.
        let _ = arrived.wait_for(|latest| *latest >= id).await;
    }

    fn capture(&self, email: Email) {
        let mut emails = self.lock();
        let id = emails.back().map_or(1, |last| last.id + 1);
        if emails.len() == CAPACITY {
            emails.pop_front();
        }
        let Email { to, subject, html, text, kind, at, headers } = email;
        emails.push_back(CapturedEmail { id, to, subject, html, text, kind, at, headers });
        drop(emails);
        self.arrived.send_replace(id);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<CapturedEmail>> {
        self.emails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Mailbox {
    fn deliver(&self, email: Email) -> BoxFuture<'_, Result<(), DeliveryError>> {
        self.capture(email);
        Box::pin(std::future::ready(Ok(())))
    }
}
