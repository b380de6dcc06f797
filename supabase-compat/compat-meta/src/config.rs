//! What the service can be told.

use std::time::Duration;

/// Settings of `/pg`.
#[derive(Debug, Clone)]
pub struct Config {
    /// How long a statement may run where the request says nothing. Variable: `PG_QUERY_TIMEOUT_SECS`.
    pub query_timeout: Duration,
    /// How long it may run whatever the request says.
    pub longest_query: Duration,
    /// How long a request waits for a connection. Variable: `PG_CONN_TIMEOUT_SECS`.
    pub connect_timeout: Duration,
    /// How long a connection waits for the next request. One that is at rest costs the server memory.
    pub max_idle: Duration,
    /// Connections at once. Variable: `PG_META_CONNECTIONS`.
    pub connections: usize,
    /// Megabytes of the largest answer. Variable: `PG_META_MAX_RESULT_SIZE_MB`.
    pub max_result_megabytes: usize,
    /// Megabytes of the longest request. Variable: `PG_META_MAX_BODY_LIMIT_MB`.
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
    /// Bytes of the largest answer.
    pub(crate) fn max_result(&self) -> usize {
        self.max_result_megabytes.saturating_mul(1024 * 1024)
    }

    /// Bytes of the longest request.
    pub(crate) fn max_body(&self) -> usize {
        self.max_body_megabytes.saturating_mul(1024 * 1024)
    }
}
