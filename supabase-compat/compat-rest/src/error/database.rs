//! PostgreSQL's errors as HTTP responses.

use compat_pg::{DatabaseError, PgError};
use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

use super::ErrorBody;

/// A database error, with the whole response if SQL dictated one.
#[derive(Debug)]
pub struct DatabaseRefusal {
    error: PgError,
    anonymous: bool,
    raised: Option<Result<RaisedResponse, RaiseError>>,
}

/// An answer written in SQL: `RAISE SQLSTATE 'PGRST'`.
#[derive(Debug)]
struct RaisedResponse {
    body: RaisedBody,
    answer: RaisedHead,
}

#[derive(Debug, Deserialize)]
struct RaisedBody {
    code: String,
    message: String,
    details: Option<String>,
    hint: Option<String>,
}

#[derive(Debug, Deserialize)]
struct RaisedHead {
    status: u16,
    headers: BTreeMap<String, String>,
    status_text: Option<String>,
}

/// Why a dictated answer cannot be read (PGRST121).
#[derive(Debug)]
enum RaiseError {
    Message(String),
    Detail(String),
    NoDetail,
}

impl DatabaseRefusal {
    pub(super) fn new(error: PgError, anonymous: bool) -> Self {
        let raised = server_words(&error).filter(|e| e.code == "PGRST").map(raised);
        Self { error, anonymous, raised }
    }

    /// The cause for the log: a message can contain values of rows, so only the code and the
    /// routine are logged.
    pub(super) fn cause(&self) -> String {
        match server_words(&self.error) {
            Some(error) => format!("{} {}", error.code, error.routine.as_deref().unwrap_or("")),
            None => self.error.to_string(),
        }
    }

    /// Headers the database dictated.
    pub(super) fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let answer = match &self.raised {
            Some(Ok(raised)) => Some(&raised.answer.headers),
            _ => None,
        };
        answer.into_iter().flatten().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// True if no connection became free in time.
    pub(super) fn is_pool_timeout(&self) -> bool {
        matches!(self.error, PgError::PoolTimeout)
    }

    /// True if the database dictated the whole response.
    pub(super) fn is_dictated(&self) -> bool {
        matches!(self.raised, Some(Ok(_)))
    }

    /// The reason phrase the database chose along with the status.
    pub(super) fn reason(&self) -> Option<&str> {
        match (&self.raised, server_words(&self.error)) {
            (Some(Ok(raised)), _) => raised.answer.status_text.as_deref(),
            (None, Some(error)) if error.code.starts_with("PT") => Some(&error.message),
            _ => None,
        }
    }

    pub(super) fn error_body(&self) -> ErrorBody {
        match (&self.raised, server_words(&self.error)) {
            (Some(Ok(raised)), _) => raised.error_body(),
            (Some(Err(bad)), _) => bad.error_body(),
            (None, Some(error)) => ErrorBody {
                status: match &self.error {
                    // The last message of a closed connection, whatever it is: another connection
                    // may succeed.
                    PgError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
                    _ => status(error, self.anonymous),
                },
                code: error.code.clone(),
                message: error.message.clone(),
                details: error.detail.clone().map_or(Value::Null, Value::String),
                hint: error.hint.clone().map_or(Value::Null, Value::String),
            },
            (None, None) => connection(&self.error),
        }
    }
}

/// The server's own error, including the last one before it closed the connection.
fn server_words(error: &PgError) -> Option<&DatabaseError> {
    error.database().or_else(|| match error {
        PgError::Unavailable(cause) => cause.downcast_ref::<DatabaseError>(),
        _ => None,
    })
}

fn connection(error: &PgError) -> ErrorBody {
    let (status, code, message) = match error {
        PgError::PoolTimeout => {
            (504, "PGRST003", "Timed out acquiring connection from connection pool.")
        }
        PgError::Unavailable(_) | PgError::Address(_) => {
            (503, "PGRST000", "Database connection error.")
        }
        PgError::Protocol(_) => {
            (503, "PGRST001", "Database client error. Retrying the connection.")
        }
        _ => (500, "PGRSTX00", "Internal error"),
    };
    ErrorBody {
        status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        code: code.to_owned(),
        message: message.to_owned(),
        details: Value::Null,
        hint: Value::Null,
    }
}

/// SQLSTATE to HTTP.
fn status(error: &DatabaseError, anonymous: bool) -> StatusCode {
    let number = match error.code.as_str() {
        "23503" | "23505" => 409,
        "25006" => 405,
        // pg-safeupdate refuses a write without a filter by this code: a caller's mistake.
        "21000" if error.message.ends_with("requires a WHERE clause") => 400,
        "21000" => 500,
        "22023" if is_unknown_role(&error.message) => 401,
        "42501" if anonymous => 401,
        "42501" => 403,
        "42883" if error.message.starts_with("function xmlagg(") => 406,
        "42883" | "42P01" => 404,
        "42P17" | "53400" => 500,
        "57P01" => 503,
        "P0001" => 400,
        code => match code.get(..2).unwrap_or("") {
            "08" | "53" => 503,
            "0L" | "0P" | "28" => 403,
            "09" | "25" | "2D" | "38" | "39" | "3B" | "40" | "54" | "55" | "57" | "58" | "F0"
            | "HV" | "P0" | "XX" => 500,
            "PT" => return chosen_status(code),
            _ => 400,
        },
    };
    StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn is_unknown_role(message: &str) -> bool {
    message.starts_with("role") && message.ends_with("does not exist")
}

/// `PT402`: the function chose the status itself.
fn chosen_status(code: &str) -> StatusCode {
    let number = code.get(2..).and_then(|digits| digits.parse::<u16>().ok());
    number
        .and_then(|number| StatusCode::from_u16(number).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn raised(error: &DatabaseError) -> Result<RaisedResponse, RaiseError> {
    let body = serde_json::from_str(&error.message)
        .map_err(|_| RaiseError::Message(error.message.clone()))?;
    let detail = error.detail.as_ref().ok_or(RaiseError::NoDetail)?;
    let answer = serde_json::from_str(detail).map_err(|_| RaiseError::Detail(detail.clone()))?;
    Ok(RaisedResponse { body, answer })
}

impl RaisedResponse {
    fn error_body(&self) -> ErrorBody {
        ErrorBody {
            status: StatusCode::from_u16(self.answer.status)
                .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            code: self.body.code.clone(),
            message: self.body.message.clone(),
            details: self.body.details.clone().map_or(Value::Null, Value::String),
            hint: self.body.hint.clone().map_or(Value::Null, Value::String),
        }
    }
}

impl RaiseError {
    fn error_body(&self) -> ErrorBody {
        let details = match self {
            Self::Message(text) => format!("Invalid JSON value for MESSAGE: '{text}'"),
            Self::Detail(text) => format!("Invalid JSON value for DETAIL: '{text}'"),
            Self::NoDetail => "DETAIL is missing in the RAISE statement".to_owned(),
        };
        let hint = match self {
            Self::Message(_) => {
                "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and \
                 optional keys: 'details', 'hint'."
            }
            Self::Detail(_) | Self::NoDetail => {
                "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and \
                 optional key: 'status_text'."
            }
        };
        ErrorBody {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            code: "PGRST121".to_owned(),
            message: "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error".to_owned(),
            details: Value::String(details),
            hint: Value::String(hint.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raised_error(code: &str, message: &str) -> DatabaseError {
        DatabaseError { code: code.into(), message: message.into(), ..DatabaseError::default() }
    }

    #[test]
    fn every_sqlstate_of_the_contract_has_its_status() {
        let table = [
            ("08006", 503),
            ("09000", 500),
            ("0L000", 403),
            ("0P000", 403),
            ("21000", 500),
            ("22023", 400),
            ("23503", 409),
            ("23505", 409),
            ("25006", 405),
            ("25001", 500),
            ("28000", 403),
            ("2D000", 500),
            ("38000", 500),
            ("39000", 500),
            ("3B000", 500),
            ("40001", 500),
            ("53400", 500),
            ("53200", 503),
            ("54000", 500),
            ("55000", 500),
            ("57P01", 503),
            ("57014", 500),
            ("58000", 500),
            ("F0000", 500),
            ("HV000", 500),
            ("P0001", 400),
            ("P0002", 500),
            ("XX000", 500),
            ("42883", 404),
            ("42P01", 404),
            ("42P17", 500),
            ("42501", 401),
            ("PT402", 402),
            ("PTxyz", 500),
            ("23502", 400),
            ("23514", 400),
            ("22P02", 400),
            ("42703", 400),
        ];
        for (code, expected) in table {
            assert_eq!(status(&raised_error(code, ""), true).as_u16(), expected, "{code}");
        }
        assert_eq!(status(&raised_error("42501", ""), false).as_u16(), 403);
        assert_eq!(status(&raised_error("22023", "role \"x\" does not exist"), true).as_u16(), 401);
        assert_eq!(
            status(&raised_error("21000", "UPDATE requires a WHERE clause"), true).as_u16(),
            400
        );
        assert_eq!(
            status(&raised_error("42883", "function xmlagg(json) does not exist"), true).as_u16(),
            406
        );
    }
}
