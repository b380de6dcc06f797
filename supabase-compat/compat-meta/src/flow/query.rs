//! Runs statements on a session of their own, with limits of time and size.

use std::time::Duration;

use compat_pg::{Session, SessionDb, SessionMessage, SessionRules};

use crate::MetaError;
use crate::model::{RowWriter, literal};

/// The default application name of a session.
pub(crate) const APPLICATION: &str = "supabase-compat pg";

/// The limits and options of statements.
#[derive(Debug, Clone)]
pub struct QueryRules {
    /// The time limit, the largest answer in bytes, and the application name of the session.
    pub session: SessionRules,
    /// `statement_timeout` and `idle_session_timeout` of the session in seconds, as text, which the
    /// server validates.
    pub statement_timeout: Option<String>,
}

impl QueryRules {
    /// Rules with this time limit and this largest answer in bytes.
    pub fn new(time: Duration, bytes: usize) -> Self {
        let application = APPLICATION.to_owned();
        Self { session: SessionRules { application, time, bytes }, statement_timeout: None }
    }
}

/// Runs one or more statements and returns the rows of the last statement with rows as a JSON array
/// of objects, or `[]` if there are none. With parameters, only one statement is possible, and the
/// server infers the types of the parameters.
///
/// # Errors
/// [`MetaError::Superuser`] if the login has superuser rights, [`MetaError::Timeout`] and
/// [`MetaError::TooLarge`] if a limit is exceeded, or the server's error.
pub async fn run_query(
    sessions: &SessionDb,
    query: &str,
    parameters: &[Option<String>],
    rules: &QueryRules,
) -> Result<Vec<u8>, MetaError> {
    let work = async {
        let mut session = sessions.open(&rules.session).await?;
        if let Some(seconds) = &rules.statement_timeout {
            let value = literal(&format!("{seconds}s"));
            let settings =
                format!("set statement_timeout = {value}; set idle_session_timeout = {value}");
            session.query(&settings).await?;
            session.finish().await?;
        }
        match parameters {
            [] => session.query(query).await?,
            parameters => session.query_with(query, parameters, None).await?,
        }
        let body = rows(&mut session, rules.session.bytes).await?;
        session.give_back().await;
        Ok(body)
    };
    work.await.map_err(|error| match error {
        MetaError::Refused { report, .. } => {
            MetaError::Refused { report, query: Some(query.into()) }
        }
        other => other,
    })
}

/// The rows that the session receives for the statements that were sent.
pub(crate) async fn rows(session: &mut Session, limit: usize) -> Result<Vec<u8>, MetaError> {
    let mut last = None;
    let mut current = RowWriter::new(&[], limit);
    while let Some(message) = session.next().await? {
        match message {
            SessionMessage::Columns(columns) => current = RowWriter::new(&columns, limit),
            SessionMessage::Row(row) => {
                current
                    .write(&row)
                    .map_err(|full| MetaError::TooLarge { size: full.size, limit })?;
            }
            SessionMessage::Copy => {}
            SessionMessage::Done { .. } => {
                let done = std::mem::replace(&mut current, RowWriter::new(&[], limit));
                if !done.is_empty() {
                    last = Some(done);
                }
            }
        }
    }
    Ok(last.unwrap_or(current).finish())
}
