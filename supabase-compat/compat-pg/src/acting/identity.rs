//! Who acts, how, and what is run: the plain values of one round trip.

use std::fmt;
use std::net::IpAddr;

/// The caller, as the database shall see it. Every value becomes a setting of the transaction and
/// is gone with it.
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
    /// `search_path`, as it would stand after `set search_path to`.
    pub search_path: &'a str,
    /// Whether the transaction may write.
    pub read_only: bool,
    /// Whether its changes are kept; false undoes them after the statement answered.
    pub commit: bool,
    /// The client whose quota of the connections this counts against; without one, against none.
    pub client: Option<IpAddr>,
    /// Further settings of the transaction, name and value, made after the role is taken.
    pub extra: &'a [(&'a str, &'a str)],
}

/// What is run. The parameters are values in text form; the server decides their types from the
/// statement, and `None` is null.
#[derive(Clone, Copy)]
pub struct Statement<'a> {
    /// One SQL statement with `$1`, `$2` …
    pub sql: &'a str,
    /// One value per placeholder.
    pub params: &'a [Option<&'a str>],
}

/// Says who and what for, never the claims or headers, which may carry secrets.
impl fmt::Debug for Identity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("role", &self.role)
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Says what is run, never the values.
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
    /// A statement without parameters, run in the caller's role before the main one; its rows are
    /// thrown away, its failure is the request's failure.
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
