//! The id that ties an answer to its log lines.

use http::HeaderMap;
use uuid::Uuid;

/// Header that carries the id both ways.
pub(crate) const HEADER: &str = "x-request-id";

/// Before the id in the name under which PostgreSQL sees a request.
const APPLICATION: &str = "request ";

/// The request's id: the caller's, when it is a UUID, else a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(pub Uuid);

impl RequestId {
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        headers.get(HEADER)?.to_str().ok()?.parse().ok().map(Self)
    }

    /// The name under which PostgreSQL sees the request: `pg_stat_activity` and the server's log show
    /// it.
    pub fn application_name(&self) -> String {
        format!("{APPLICATION}{}", self.0)
    }

    /// The id in such a name.
    pub fn of_application_name(name: &str) -> Option<Self> {
        name.strip_prefix(APPLICATION)?.parse().ok().map(Self)
    }
}
