//! The buyer of an order: procedures are called in their name, so that the database checks what
//! they own.

use std::net::IpAddr;

use compat_functions::Caller;
use compat_pg::{ActingDb, Identity, PgError, Statement};
use serde::de::DeserializeOwned;

/// A signed-in caller, and the connection that runs statements in their name.
pub(crate) struct Buyer<'a> {
    pub acting: &'a ActingDb,
    pub caller: &'a Caller,
    pub client: IpAddr,
}

impl Buyer<'_> {
    /// Runs a statement in a transaction of its own. The first column of its result is a row as
    /// JSON.
    pub async fn run<T: DeserializeOwned>(
        &self,
        sql: &str,
        params: &[Option<&str>],
    ) -> Result<Option<T>, PgError> {
        let identity = Identity {
            role: self.caller.role(),
            claims_json: self.caller.claims_json(),
            method: "POST",
            path: "/payments",
            headers_json: "{}",
            cookies_json: "{}",
            search_path: "public",
            read_only: false,
            commit: true,
            client: Some(self.client),
            extra: &[],
        };
        let rows = self.acting.run(&identity, Statement { sql, params }).await?;
        let Some(text) = rows.first().and_then(|row| row.bytes(0)) else { return Ok(None) };
        serde_json::from_slice(&text).map(Some).map_err(|error| PgError::Protocol(error.into()))
    }
}
