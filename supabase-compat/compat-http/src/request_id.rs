//! The id that ties an answer to its log lines.

use http::HeaderMap;
use uuid::Uuid;

/// Header that carries the id both ways.
pub(crate) const HEADER: &str = "x-request-id";

/// The request's id: the caller's, when it is a UUID, else a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(pub Uuid);

impl RequestId {
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        headers.get(HEADER)?.to_str().ok()?.parse().ok().map(Self)
    }
}
