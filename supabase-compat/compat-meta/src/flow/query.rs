//! Runs statements on a session of their own, within a time and a number of bytes.

use std::time::Duration;

use compat_pg::{Session, SessionDb, SessionMessage, SessionRules};

use crate::MetaError;
use crate::model::{RowWriter, literal};

/// The name of a session in the server's list, where the request has none.
pub(crate) const APPLICATION: &str = "supabase-compat pg";

/// How statements run.
#[derive(Debug, Clone)]
pub struct QueryRules {
    /// How long it may take, bytes of the largest answer, and the session's name in the server's list.
    pub session: SessionRules,
    /// `statement_timeout` and `idle_session_timeout` of the session, as a number of seconds; the
    /// server refuses what is none.
    pub statement_timeout: Option<String>,
}

impl QueryRules {
    /// Within this time and size.
    pub fn new(time: Duration, bytes: usize) -> Self {
        let application = APPLICATION.to_owned();
        Self { session: SessionRules { application, time, bytes }, statement_timeout: None }
    }
}

/// Runs one or more statements and gives the rows of the last one that has any, as a JSON array of
/// objects; `[]` where none has. With parameters it is one statement, and the server finds their types.
///
/// # Errors
/// [`MetaError::Superuser`] where the login has superuser rights; [`MetaError::Timeout`] and
/// [`MetaError::TooLarge`] by the rules; the server's refusal.
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

/// The answer to what the session was sent.
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
