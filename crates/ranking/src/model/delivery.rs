//! Deliveries of votes to receivers, and the results of the attempts.

use page_registry::Language;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// The pauses in seconds after each failed attempt, which make twelve attempts within a day.
const PAUSES: [u64; 11] = [10, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800];

/// The age at which a failing delivery is given up, however often it was tried.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The kind of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Webhook,
    Votifier,
}

impl Channel {
    /// The channel with this name in the database.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Webhook, Self::Votifier].into_iter().find(|one| one.name() == name)
    }

    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Votifier => "votifier",
        }
    }
}

/// A webhook that an owner has set up.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub url: String,
    pub secret: String,
    /// The previous secret, while it still signs beside the new one.
    pub previous_secret: Option<String>,
    pub format: Format,
    /// The language of the owner.
    pub language: Language,
    pub is_active: bool,
}

/// The format of a webhook's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// The event as JSON, signed.
    Json,
    /// A message for Discord.
    Discord,
    /// A GET request with all values in the URL.
    Postback,
}

impl Format {
    /// The format with this name in the database; an unknown name means JSON.
    pub fn from_name(name: &str) -> Self {
        match name {
            "discord" => Self::Discord,
            "postback" => Self::Postback,
            _ => Self::Json,
        }
    }
}

/// A game server's vote listener.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Listener {
    pub host: String,
    pub port: i32,
    pub protocol: String,
    pub token: Option<String>,
    pub public_key: Option<String>,
    pub is_active: bool,
}

/// A webhook or a vote listener.
#[derive(Debug, Clone)]
pub(crate) enum Receiver {
    Hook(Hook),
    Listener(Listener),
}

impl Receiver {
    pub fn is_active(&self) -> bool {
        match self {
            Self::Hook(hook) => hook.is_active,
            Self::Listener(listener) => listener.is_active,
        }
    }

    /// The host of the receiver, in lower case.
    pub fn host(&self) -> String {
        let host = match self {
            Self::Hook(hook) => {
                let rest = hook.url.split_once("://").map_or("", |(_, rest)| rest);
                let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
                authority.rsplit_once(':').map_or(authority, |(host, _)| host)
            }
            Self::Listener(listener) => &listener.host,
        };
        host.to_ascii_lowercase()
    }
}

/// A delivery that is due.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct PendingDelivery {
    /// The message id, the same at every attempt.
    pub id: Uuid,
    pub event: String,
    pub payload: Value,
    /// The number of earlier attempts.
    pub attempts: i32,
    pub queued_at: DateTime<Utc>,
}

impl PendingDelivery {
    /// The text in the payload at a JSON pointer; empty when there is none.
    pub fn fact(&self, pointer: &str) -> &str {
        self.payload.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Why an attempt failed. Pages have words for each code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeliveryError {
    BadAddress,
    NotPublic,
    NameNotFound,
    Refused,
    TimedOut,
    Unreachable,
    // Errors of webhooks.
    Status(u16),
    Redirected,
    Gone,
    AnswerTooLong,
    // Errors of listeners.
    Closed,
    NoGreeting,
    NotVotifier,
    NeedsToken,
    NeedsKey,
    BadKey,
    WrongToken,
    WrongChallenge,
    NameTooLong,
    MessageTooLong,
    ListenerRefused,
    NoReply,
    BadReply,
}

impl DeliveryError {
    /// The code that pages translate.
    pub fn code(self) -> &'static str {
        match self {
            Self::BadAddress => "bad_address",
            Self::NotPublic => "not_public",
            Self::NameNotFound => "name_not_found",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
            Self::Unreachable => "unreachable",
            Self::Status(_) => "status",
            Self::Redirected => "redirected",
            Self::Gone => "gone",
            Self::AnswerTooLong => "answer_too_long",
            Self::Closed => "closed",
            Self::NoGreeting => "no_greeting",
            Self::NotVotifier => "not_votifier",
            Self::NeedsToken => "needs_token",
            Self::NeedsKey => "needs_key",
            Self::BadKey => "bad_key",
            Self::WrongToken => "wrong_token",
            Self::WrongChallenge => "wrong_challenge",
            Self::NameTooLong => "name_too_long",
            Self::MessageTooLong => "message_too_long",
            Self::ListenerRefused => "listener_refused",
            Self::NoReply => "no_reply",
            Self::BadReply => "bad_reply",
        }
    }

    /// Whether every further attempt would fail in the same way.
    pub fn is_final(self) -> bool {
        matches!(self, Self::NameTooLong | Self::MessageTooLong)
    }

    /// Whether the receiver caused the error, and not the message.
    pub fn is_receivers_fault(self) -> bool {
        match self {
            Self::NameTooLong | Self::MessageTooLong | Self::ListenerRefused => false,
            Self::Status(status) => !matches!(status, 400 | 405..=407 | 409 | 411..=428),
            _ => true,
        }
    }
}

/// The result of an attempt.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// Whether the receiver confirmed the vote, or why the attempt failed.
    pub outcome: Result<bool, DeliveryError>,
    /// The request that was sent, without secrets.
    pub request: String,
    pub answer_status: Option<u16>,
    pub answer: Option<String>,
}

/// The stored record of an attempt.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AttemptRecord {
    pub id: Uuid,
    pub status: &'static str,
    pub attempts: i32,
    pub next_attempt_at: Option<DateTime<Utc>>,
    pub fault: Option<&'static str>,
    pub error: Option<&'static str>,
    pub request: String,
    pub answer_status: Option<u16>,
    pub answer: Option<String>,
    pub is_confirmed: Option<bool>,
}

/// The record of an attempt: the new status and the next time, by the number of earlier attempts.
pub(crate) fn record_of(
    pending: &PendingDelivery,
    attempt: Attempt,
    now: DateTime<Utc>,
) -> AttemptRecord {
    let attempts = pending.attempts.saturating_add(1);
    let fault = attempt.outcome.err();
    let next_attempt =
        fault.filter(|fault| !fault.is_final()).and_then(|_| next(pending, attempts, now));
    AttemptRecord {
        id: pending.id,
        status: match (fault, next_attempt) {
            (None, _) => "delivered",
            (Some(_), Some(_)) => "pending",
            (Some(_), None) => "failed",
        },
        attempts,
        next_attempt_at: next_attempt,
        fault: fault.map(DeliveryError::code),
        error: fault.map(DeliveryError::code),
        request: attempt.request,
        answer_status: attempt.answer_status,
        answer: attempt.answer,
        is_confirmed: attempt.outcome.ok(),
    }
}

/// The time of the next attempt, up to a tenth earlier or later, so that deliveries that failed
/// together are not retried together.
fn next(pending: &PendingDelivery, attempts: i32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let pause = *PAUSES.get(usize::try_from(attempts).ok()?.checked_sub(1)?)?;
    let spread = u64::from(pending.id.as_bytes()[15]) % 21;
    let at = now + Duration::from_millis(pause * (90 + spread) * 10);
    (at <= pending.queued_at + LONGEST).then_some(at)
}

/// Text for the delivery log: truncated, and without null characters, which the database cannot
/// store.
pub(crate) fn brief(text: &str, longest: usize) -> String {
    text.chars().filter(|character| *character != '\0').take(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(attempts: i32) -> PendingDelivery {
        PendingDelivery {
            id: Uuid::from_u128(10),
            event: "vote.created".into(),
            payload: Value::Null,
            attempts,
            queued_at: DateTime::UNIX_EPOCH,
        }
    }

    fn failed(fault: DeliveryError) -> Attempt {
        Attempt { outcome: Err(fault), request: String::new(), answer_status: None, answer: None }
    }

    #[test]
    fn delivery_is_tried_twelve_times_within_a_day() {
        let mut now = DateTime::UNIX_EPOCH;
        for attempts in 0..11 {
            let record = record_of(&pending(attempts), failed(DeliveryError::Refused), now);
            assert_eq!((record.status, record.attempts), ("pending", attempts + 1));
            now = record.next_attempt_at.expect("another time");
        }
        assert!(now < DateTime::UNIX_EPOCH + LONGEST, "{now}");
        assert_eq!(record_of(&pending(11), failed(DeliveryError::Refused), now).status, "failed");
    }

    #[test]
    fn permanent_failures_are_not_retried() {
        let record =
            record_of(&pending(0), failed(DeliveryError::NameTooLong), DateTime::UNIX_EPOCH);
        assert_eq!((record.status, record.next_attempt_at), ("failed", None));
    }

    #[test]
    fn delivery_fails_after_its_maximum_age() {
        let late = DateTime::UNIX_EPOCH + LONGEST;
        assert_eq!(record_of(&pending(1), failed(DeliveryError::TimedOut), late).status, "failed");
    }

    #[test]
    fn hosts_are_known_by_their_name_alone() {
        let hook = |url: &str| Hook {
            url: url.into(),
            secret: String::new(),
            previous_secret: None,
            format: Format::Json,
            language: Language::Fr,
            is_active: true,
        };
        for (url, host) in [
            ("https://Votes.Example/a?b", "votes.example"),
            ("http://votes.example:8080", "votes.example"),
            ("http://[2606::1]:80/a", "[2606::1]"),
        ] {
            assert_eq!(Receiver::Hook(hook(url)).host(), host);
        }
    }
}
