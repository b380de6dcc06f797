//! The plain values of one round trip: the caller, the transaction options and the statement.

use std::fmt;
use std::net::IpAddr;

/// The caller as the database sees it. Every value becomes a setting of the transaction and ends
/// with it.
#[derive(Clone, Copy)]
pub struct Identity<'a> {
    /// The database role to become.
    pub role: &'a str,
    /// `request.jwt.claims`: the verified claims as JSON text.
    pub claims_json: &'a str,
    /// `request.method`.
    pub method: &'a str,
    /// `request.path`.
    pub path: &'a str,
    /// `request.headers`: a JSON object with lower-case names.
    pub headers_json: &'a str,
    /// `request.cookies`: a JSON object.
    pub cookies_json: &'a str,
    /// `search_path`, in the form that `set search_path to` takes.
    pub search_path: &'a str,
    /// Whether the transaction may write.
    pub read_only: bool,
    /// Whether the transaction is committed; if false, it is rolled back after the statement
    /// answered.
    pub commit: bool,
    /// The client whose connection quota the request uses; `None` for no quota.
    pub client: Option<IpAddr>,
    /// Further settings of the transaction, as names and values; they are made after the role is
    /// set.
    pub extra: &'a [(&'a str, &'a str)],
}

/// A statement to run. The parameters are values in text form; the server decides their types from
/// the statement, and `None` is null.
#[derive(Clone, Copy)]
pub struct Statement<'a> {
    /// One SQL statement with `$1`, `$2` …
    pub sql: &'a str,
    /// One value per placeholder.
    pub params: &'a [Option<&'a str>],
}

/// Prints role, method and path, never the claims or headers, which may contain secrets.
impl fmt::Debug for Identity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("role", &self.role)
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Prints the SQL, never the values.
impl fmt::Debug for Statement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statement").field("sql", &self.sql).finish_non_exhaustive()
    }
}

/// How the transaction is run, apart from who runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransactionOptions<'a> {
    /// Isolation level.
    pub isolation: Isolation,
    /// A statement without parameters that runs in the caller's role before the main one. Its rows
    /// are discarded; if it fails, the request fails.
    pub before: Option<&'a str>,
}

/// Isolation level of one transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// The server's or the role's default.
    #[default]
    Default,
    /// `read committed`.
    ReadCommitted,
    /// `repeatable read`.
    RepeatableRead,
    /// `serializable`.
    Serializable,
}

impl<'a> Identity<'a> {
    /// The values of the settings, in the order of the statement that makes them.
    pub(super) fn settings(&self) -> Vec<Option<&'a str>> {
        let mut values = vec![
            Some(self.search_path),
            Some(self.claims_json),
            Some(self.method),
            Some(self.path),
            Some(self.headers_json),
            Some(self.cookies_json),
            Some(self.role),
        ];
        for (name, value) in self.extra {
            values.extend([Some(*name), Some(*value)]);
        }
        values
    }
}
