//! The body of a call: a stream that ends in an error where it grows too long.

use std::error::Error;

use axum::body::Body;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use crate::CallRefusal;

/// A body longer than the service reads.
#[derive(Debug, thiserror::Error)]
#[error("longer than {limit} bytes")]
struct BodyTooLong {
    limit: usize,
}

/// Limits a body: it ends with an error when it exceeds `limit` bytes.
pub(crate) fn limited(body: Body, limit: usize) -> Body {
    Body::new(Limited::new(body, limit).map_err(move |error| {
        match error.downcast_ref::<LengthLimitError>() {
            Some(_) => Box::new(BodyTooLong { limit }),
            None => error,
        }
    }))
}

/// Reads the whole body.
///
/// # Errors
/// [`CallRefusal::BodyTooLarge`] or [`CallRefusal::BodyUnreadable`].
pub(crate) async fn read_all(body: Body, limit: usize) -> Result<Bytes, CallRefusal> {
    let read = Limited::new(body, limit).collect().await;
    read.map(|collected| collected.to_bytes()).map_err(|error| {
        match (error.downcast_ref::<LengthLimitError>(), exceeded_limit(error.as_ref())) {
            (Some(_), _) => CallRefusal::BodyTooLarge { limit },
            (None, Some(limit)) => CallRefusal::BodyTooLarge { limit },
            (None, None) => CallRefusal::BodyUnreadable,
        }
    })
}

/// The refusal for a call that failed because of the caller's body; `None` for any other cause.
pub(crate) fn fault(error: &(dyn Error + 'static)) -> Option<CallRefusal> {
    if let Some(limit) = exceeded_limit(error) {
        return Some(CallRefusal::BodyTooLarge { limit });
    }
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_user) {
            return Some(CallRefusal::BodyUnreadable);
        }
        cause = error.source();
    }
    None
}

/// The service's own limit, if a [`BodyTooLong`] is among the causes.
fn exceeded_limit(error: &(dyn Error + 'static)) -> Option<usize> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(BodyTooLong { limit }) = error.downcast_ref() {
            return Some(*limit);
        }
        cause = error.source();
    }
    None
}
