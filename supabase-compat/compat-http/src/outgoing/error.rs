//! Why a call was not made, or not answered. No error repeats the address, which may hold a secret.

use std::error::Error;

/// A call that was not made or not answered.
#[derive(Debug, thiserror::Error)]
pub enum OutgoingError {
    /// The text is no http or https address, or no host.
    #[error("this is no address to call")]
    NoAddress,
    /// The address is one that only the operator's settings may name.
    #[error("the address is not on the public internet")]
    NotPublic,
    /// The name has no address.
    #[error("the name has no address")]
    NoSuchName,
    /// The call exceeded its timeout.
    #[error("there was no answer in time")]
    TimedOut,
    /// The answer's body is longer than it may be.
    #[error("the answer is longer than {limit} bytes")]
    TooLong {
        /// The most that is read.
        limit: usize,
    },
    /// The response status is not a success, although one was required.
    #[error("the answer has status {0}")]
    Status(http::StatusCode),
    /// The answer's body is not what was asked for.
    #[error("the answer cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The connection, TLS or HTTP failed.
    #[error("the call failed: {0}")]
    Http(#[source] reqwest::Error),
    /// A plain socket failed.
    #[error("the call failed: {0}")]
    Socket(#[from] std::io::Error),
}

impl From<reqwest::Error> for OutgoingError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::TimedOut;
        }
        match resolver_error(&error) {
            Some(Self::NotPublic) => Self::NotPublic,
            Some(_) => Self::NoSuchName,
            None => Self::Http(error.without_url()),
        }
    }
}

/// The resolver's refusal, which is the root cause of the client's error.
fn resolver_error(error: &reqwest::Error) -> Option<&OutgoingError> {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(source) = inner.downcast_ref() {
            return Some(source);
        }
        cause = inner.source();
    }
    None
}
