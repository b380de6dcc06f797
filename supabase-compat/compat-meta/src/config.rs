//! The settings of the service.

use std::time::Duration;

/// Settings of `/pg`.
#[derive(Debug, Clone)]
pub struct Config {
    /// The time limit of a statement if the request sets none. Variable: `PG_QUERY_TIMEOUT_SECS`.
    pub query_timeout: Duration,
    /// The largest time limit that a request can set.
    pub longest_query: Duration,
    /// How long a request waits for a connection. Variable: `PG_CONN_TIMEOUT_SECS`.
    pub connect_timeout: Duration,
    /// How long an idle connection is kept; an idle connection costs the server memory.
    pub max_idle: Duration,
    /// The most connections at once. Variable: `PG_META_CONNECTIONS`.
    pub connections: usize,
    /// The largest answer, in megabytes. Variable: `PG_META_MAX_RESULT_SIZE_MB`.
    pub max_result_megabytes: usize,
    /// The largest request, in megabytes. Variable: `PG_META_MAX_BODY_LIMIT_MB`.
    pub max_body_megabytes: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            query_timeout: Duration::from_secs(55),
            longest_query: Duration::from_secs(600),
            connect_timeout: Duration::from_secs(15),
            max_idle: Duration::from_secs(5),
            connections: 4,
            max_result_megabytes: 32,
            max_body_megabytes: 3,
        }
    }
}

impl Config {
    /// The largest answer, in bytes.
    pub(crate) fn max_result(&self) -> usize {
        self.max_result_megabytes.saturating_mul(1024 * 1024)
    }

    /// The largest request, in bytes.
    pub(crate) fn max_body(&self) -> usize {
        self.max_body_megabytes.saturating_mul(1024 * 1024)
    }
}
