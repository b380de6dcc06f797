//! Runs an operator's SQL.

use std::time::Duration;

use compat_pg::{SqlAccess, SqlLimits, SqlLogin, SqlResult};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;

/// Default and largest time limit of a text.
const USUAL_TIME: Duration = Duration::from_secs(30);
const LONGEST_TIME: Duration = Duration::from_secs(600);
/// Default and largest number of rows in a result.
const USUAL_ROWS: usize = 1_000;
const MOST_ROWS: usize = 100_000;
/// The most bytes of all results together.
const BYTES: usize = 32 * 1024 * 1024;

/// Whether a login may call a function that decrypts secrets: ours, that of the extension, or that
/// of its first versions. A view that calls the function checks the rights of the view's reader.
const OPENS_VAULT: &str = "select exists (
    select from pg_catalog.pg_proc as p
    join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
    where (n.nspname, p.proname) in (
        ('vault', '_open'), ('vault', '_crypto_aead_det_decrypt'), ('pgsodium', 'crypto_aead_det_decrypt'))
      and pg_catalog.has_function_privilege(p.oid, 'execute'))";

/// A text of SQL, and its options.
pub(crate) struct QueryOrder<'a> {
    pub id: Uuid,
    pub text: &'a str,
    pub parameters: &'a [Option<String>],
    pub access: SqlAccess,
    pub time: Option<Duration>,
    pub rows: Option<usize>,
    /// Cancelled when the client disconnects.
    pub disconnect: CancellationToken,
}

/// The access mode of a text: read-only for read-only operators, or on request.
pub(crate) fn access(operator: &Operator, is_read_only: bool) -> SqlAccess {
    match is_read_only || operator.role == Role::ReadOnly {
        true => SqlAccess::ReadOnly,
        false => SqlAccess::ReadWrite,
    }
}

/// Whether a read-only text was refused because it would have changed something.
pub(crate) fn is_refused_change(refusal: &ConsoleError) -> bool {
    match refusal {
        ConsoleError::Statement(code, _) => *code == "read_only",
        // The codes of a read-only or ended transaction, and of missing privileges.
        ConsoleError::Database(refusal) => {
            refusal.code.starts_with("25") || matches!(refusal.code.as_str(), "2D000" | "42501")
        }
        _ => false,
    }
}

/// Runs the text. Read-only texts use a login without write privileges, in a read-only transaction.
pub(crate) async fn run(
    state: &ConsoleState,
    operator: &Operator,
    order: QueryOrder<'_>,
) -> Result<Vec<SqlResult>, ConsoleError> {
    let running = state.begin_statement(order.id, operator.id)?;
    let limits = SqlLimits {
        time: order.time.unwrap_or(USUAL_TIME).clamp(Duration::from_millis(1), LONGEST_TIME),
        rows: order.rows.unwrap_or(USUAL_ROWS).clamp(1, MOST_ROWS),
        bytes: BYTES,
    };
    let work = async {
        let login = state.login(operator.role).await?;
        if operator.role == Role::ReadOnly && !state.config().makes_reader {
            must_not_open_vault(login).await?;
        }
        let done = login.run(order.text, order.parameters, order.access, limits).await;
        done.map_err(ConsoleError::from)
    };
    let cancelled = running.cancelled.clone();
    tokio::select! {
        done = work => done,
        () = cancelled.cancelled() => Err(ConsoleError::Cancelled),
        () = order.disconnect.cancelled() => Err(ConsoleError::Cancelled),
    }
}

/// Refuses a login with write privileges that can decrypt the vault: a read-only operator must not
/// see secrets, and the effect of a statement cannot be derived from its text.
async fn must_not_open_vault(login: &SqlLogin) -> Result<(), ConsoleError> {
    let limits = SqlLimits { time: USUAL_TIME, rows: 1, bytes: 1024 };
    let results = login.run(OPENS_VAULT, &[], SqlAccess::ReadOnly, limits).await?;
    let answer = results.first().and_then(|result| result.rows.first()).and_then(|row| row.first());
    match answer {
        Some(Value::Bool(true)) => Err(ConsoleError::VaultReadable),
        _ => Ok(()),
    }
}
