//! The console's errors, and their answers: `{"error":{"code":"…","message":"…"}}`.

use axum::response::{IntoResponse, Response};
use compat_auth::AuthError;
use compat_pg::{DatabaseError, PgError, SqlError};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::backups::{BackupFailure, BackupObstacle};
use crate::flow::import::csv_rows::CsvError;
use crate::keys::KeyFailure;
use crate::model::{CeremonyStart, ImportOutcome};

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConsoleError {
    #[error("Sign in first.")]
    NotSignedIn,
    #[error("The email address, the password or the code is wrong.")]
    InvalidCredentials,
    #[error("Enter the code of your authenticator app.")]
    CodeRequired(Option<Box<CeremonyStart>>),
    #[error("Show your passkey.")]
    PasskeyRequired(Box<CeremonyStart>),
    #[error("Your passkey answers at {0} alone. Open the console there.")]
    PasskeyElsewhere(String),
    #[error("The passkey was not accepted.")]
    PasskeyRefused,
    #[error("The challenge was used already, or its time is over. Try again.")]
    ChallengeExpired,
    #[error(
        "Passkeys need an address with a name: open the console at localhost or at its domain, not at a number."
    )]
    NoDomain,
    #[error("There are {most} passkeys already. Remove one first.", most = crate::flow::passkey::MOST)]
    TooManyPasskeys,
    #[error("This passkey is kept already.")]
    PasskeyExists,
    #[error("There is no such passkey.")]
    NoPasskey,
    #[error("A passkey's name has 1 to {longest} characters.", longest = crate::flow::passkey::LONGEST_NAME)]
    InvalidPasskeyName,
    #[error("There were too many attempts. Try again in {0} seconds.")]
    TooManyAttempts(u64),
    #[error("The link was used already, or its time is over. Ask for a new one.")]
    LinkExpired,
    #[error("The password needs {min} to {max} characters.", min = crate::flow::password::SHORTEST, max = crate::flow::password::LONGEST)]
    WeakPassword,
    #[error("The email address is not one.")]
    InvalidEmail,
    #[error("There is an operator with this email address already.")]
    EmailTaken,
    #[error("The password is wrong.")]
    WrongPassword,
    #[error("The code is wrong.")]
    WrongCode,
    #[error("There is a second factor already. Remove it first.")]
    SecondFactorExists,
    #[error("There is no second factor that waits for its first code.")]
    NoPendingSecondFactor,
    #[error("Your role does not allow this.")]
    Forbidden,
    #[error("The last owner can neither be removed nor be given another role.")]
    LastOwner,
    #[error("There is no such operator.")]
    NoOperator,
    #[error("There is no such user.")]
    NoUser,
    #[error("The request does not come from the console's own pages.")]
    CrossSiteRequest,
    #[error("There is nothing at this address.")]
    NotFound,
    #[error("This address takes another method.")]
    MethodNotAllowed,
    #[error("There is no such service here.")]
    UnknownService,
    #[error("The path is not one: {0}.")]
    InvalidPath(&'static str),
    #[error("The request cannot be read: {0}.")]
    InvalidRequest(String),
    #[error("The request is too large.")]
    TooLarge,
    #[error("The program runs without the folder of a project, so there is no place for files.")]
    NoProjectFolder,
    #[error(
        "A name has 1 to 100 letters, digits, spaces, points, hyphens and underscores, and begins with a letter or a digit."
    )]
    InvalidName,
    #[error("There is no such snippet.")]
    NoSnippet,
    #[error("There are too many snippets already.")]
    TooManySnippets,
    #[error("A statement with this id runs already.")]
    AlreadyRunning,
    #[error("The statement was cancelled.")]
    Cancelled,
    #[error(
        "Your role sees no secrets, and the login of statements could open the vault. An owner can name a login \
         without that right in PG_META_DB_URL."
    )]
    VaultReadable,
    #[error("{}", .0.message)]
    Database(Box<DatabaseError>),
    #[error("{1}")]
    Statement(&'static str, String),
    #[error("{0}")]
    UnreadableFile(CsvError),
    #[error("The table refused rows, so nothing was imported.")]
    RowsRefused(Box<ImportOutcome>),
    #[error("There is no such backup, or its file is not the console's to read.")]
    NoBackup,
    #[error("A backup is being made, checked or restored already. Wait until it is done.")]
    BackupRuns,
    #[error("Backups cannot be kept there: it is not set up.")]
    NoBackupPlace,
    #[error("{}", backup_obstacle(.0))]
    BackupImpossible(BackupObstacle),
    #[error(
        "The database of DATABASE_URL may have other users, so the console does not put another one in its place. \
         Bring the backup back by the command restore, into an empty database."
    )]
    RestoreImpossible,
    #[error("Enter the name of this project.")]
    WrongProjectName,
    #[error("The schedule is not one: {0}.")]
    InvalidSchedule(&'static str),
    #[error("The address of the download is too old. Ask for a new one.")]
    DownloadExpired,
    #[error("{}", sentence(.0))]
    BackupFailed(String),
    #[error("There is no such key.")]
    NoKey,
    #[error("The keys come from settings, so they are changed there.")]
    KeysInSettings,
    #[error("{}", sentence(.0))]
    KeyRefused(String),
    #[error("Too much runs at the same time. Try again in a moment.")]
    Busy,
    #[error("The database does not answer.")]
    Unavailable(#[source] PgError),
    #[error("Something went wrong here; the program's log says what.")]
    Internal(String),
}

impl From<PgError> for ConsoleError {
    fn from(error: PgError) -> Self {
        match error {
            PgError::PoolTimeout => Self::Busy,
            PgError::Unavailable(_) => Self::Unavailable(error),
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<BackupFailure> for ConsoleError {
    fn from(failure: BackupFailure) -> Self {
        match failure {
            BackupFailure::Database(error) => error.into(),
            BackupFailure::Failed(reason) => Self::BackupFailed(reason),
        }
    }
}

impl From<KeyFailure> for ConsoleError {
    fn from(failure: KeyFailure) -> Self {
        match failure {
            KeyFailure::Settings => Self::KeysInSettings,
            KeyFailure::Refused(reason) => Self::KeyRefused(reason),
            KeyFailure::Failed(reason) => Self::Internal(reason),
        }
    }
}

impl From<sqlx::Error> for ConsoleError {
    fn from(error: sqlx::Error) -> Self {
        PgError::from(error).into()
    }
}

impl From<AuthError> for ConsoleError {
    fn from(error: AuthError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<CsvError> for ConsoleError {
    fn from(error: CsvError) -> Self {
        Self::UnreadableFile(error)
    }
}

impl From<SqlError> for ConsoleError {
    fn from(error: SqlError) -> Self {
        let code = match error {
            SqlError::Refused(refusal) => return Self::Database(refusal),
            SqlError::Database(error) => return error.into(),
            SqlError::Superuser(login) => {
                let text = format!(
                    "Statements do not run as {login}, which is a superuser. Name a login without superuser \
                     rights in PG_META_DB_URL."
                );
                return Self::Statement("superuser_login", text);
            }
            SqlError::Leaves => "read_only",
            SqlError::StaysOpen => "transaction_open",
            SqlError::Parameters => "invalid_parameters",
            SqlError::Empty => "empty_query",
            SqlError::TooLong(_) => "timeout",
            SqlError::TooLarge(_) => "result_too_large",
            SqlError::Copy => "copy_not_supported",
            SqlError::EndsTransaction => "read_only",
        };
        Self::Statement(code, sentence(&error.to_string()))
    }
}

fn backup_obstacle(obstacle: &BackupObstacle) -> &'static str {
    match obstacle {
        BackupObstacle::NoPrograms => {
            "There is no pg_dump here that understands the database's server. Install PostgreSQL's client \
             programs of its version or a later one, or name their folder in PG_BINDIR."
        }
        BackupObstacle::NoRight => {
            "The login of DATABASE_URL may not read every table, so it cannot make a backup."
        }
    }
}

/// Adds a capital letter and a full stop to a text.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str().trim_end_matches('.'))
}

impl ConsoleError {
    /// The status and the code of the answer.
    pub fn answer(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::NotSignedIn => (S::UNAUTHORIZED, "not_signed_in"),
            Self::InvalidCredentials => (S::UNAUTHORIZED, "invalid_credentials"),
            Self::CodeRequired(_) => (S::UNAUTHORIZED, "code_required"),
            Self::PasskeyRequired(_) => (S::UNAUTHORIZED, "passkey_required"),
            Self::PasskeyElsewhere(_) => (S::UNAUTHORIZED, "passkey_elsewhere"),
            Self::PasskeyRefused => (S::FORBIDDEN, "passkey_refused"),
            Self::ChallengeExpired => (S::GONE, "challenge_expired"),
            Self::NoDomain => (S::CONFLICT, "no_domain"),
            Self::TooManyPasskeys => (S::CONFLICT, "too_many_passkeys"),
            Self::PasskeyExists => (S::CONFLICT, "passkey_exists"),
            Self::NoPasskey => (S::NOT_FOUND, "passkey_not_found"),
            Self::InvalidPasskeyName => (S::UNPROCESSABLE_ENTITY, "invalid_passkey_name"),
            Self::TooManyAttempts(_) => (S::TOO_MANY_REQUESTS, "too_many_attempts"),
            Self::LinkExpired => (S::GONE, "link_expired"),
            Self::WeakPassword => (S::UNPROCESSABLE_ENTITY, "weak_password"),
            Self::InvalidEmail => (S::UNPROCESSABLE_ENTITY, "invalid_email"),
            Self::EmailTaken => (S::CONFLICT, "email_taken"),
            Self::WrongPassword => (S::FORBIDDEN, "wrong_password"),
            Self::WrongCode => (S::FORBIDDEN, "wrong_code"),
            Self::SecondFactorExists => (S::CONFLICT, "second_factor_exists"),
            Self::NoPendingSecondFactor => (S::CONFLICT, "no_pending_second_factor"),
            Self::Forbidden => (S::FORBIDDEN, "forbidden"),
            Self::LastOwner => (S::CONFLICT, "last_owner"),
            Self::NoOperator => (S::NOT_FOUND, "operator_not_found"),
            Self::NoUser => (S::NOT_FOUND, "user_not_found"),
            Self::CrossSiteRequest => (S::FORBIDDEN, "cross_site_request"),
            Self::NotFound => (S::NOT_FOUND, "not_found"),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::UnknownService => (S::NOT_FOUND, "unknown_service"),
            Self::InvalidPath(_) => (S::BAD_REQUEST, "invalid_path"),
            Self::InvalidRequest(_) => (S::BAD_REQUEST, "invalid_request"),
            Self::TooLarge => (S::PAYLOAD_TOO_LARGE, "request_too_large"),
            Self::NoProjectFolder => (S::CONFLICT, "no_project_folder"),
            Self::InvalidName => (S::UNPROCESSABLE_ENTITY, "invalid_name"),
            Self::NoSnippet => (S::NOT_FOUND, "snippet_not_found"),
            Self::TooManySnippets => (S::CONFLICT, "too_many_snippets"),
            Self::AlreadyRunning => (S::CONFLICT, "already_running"),
            Self::Cancelled => (S::BAD_REQUEST, "cancelled"),
            Self::VaultReadable => (S::FORBIDDEN, "vault_readable"),
            Self::Database(_) => (S::BAD_REQUEST, "database_error"),
            Self::Statement(code, _) => (S::BAD_REQUEST, code),
            Self::UnreadableFile(_) => (S::UNPROCESSABLE_ENTITY, "unreadable_file"),
            Self::RowsRefused(_) => (S::UNPROCESSABLE_ENTITY, "rows_refused"),
            Self::NoBackup => (S::NOT_FOUND, "backup_not_found"),
            Self::BackupRuns => (S::CONFLICT, "backup_runs"),
            Self::NoBackupPlace => (S::UNPROCESSABLE_ENTITY, "no_backup_place"),
            Self::BackupImpossible(_) => (S::CONFLICT, "backup_impossible"),
            Self::RestoreImpossible => (S::CONFLICT, "restore_impossible"),
            Self::WrongProjectName => (S::UNPROCESSABLE_ENTITY, "wrong_project_name"),
            Self::InvalidSchedule(_) => (S::UNPROCESSABLE_ENTITY, "invalid_schedule"),
            Self::DownloadExpired => (S::GONE, "download_expired"),
            Self::BackupFailed(_) => (S::CONFLICT, "backup_failed"),
            Self::NoKey => (S::NOT_FOUND, "key_not_found"),
            Self::KeysInSettings => (S::CONFLICT, "keys_in_settings"),
            Self::KeyRefused(_) => (S::CONFLICT, "key_refused"),
            Self::Busy => (S::SERVICE_UNAVAILABLE, "busy"),
            Self::Unavailable(_) => (S::SERVICE_UNAVAILABLE, "database_unavailable"),
            Self::Internal(_) => (S::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    /// The JSON body of the answer.
    pub fn body(&self) -> Value {
        let (_, code) = self.answer();
        let mut error = json!({ "code": code, "message": self.to_string() });
        if let Self::Database(refusal) = self {
            error["sqlstate"] = refusal.code.as_str().into();
            error["position"] = refusal.position.into();
            error["detail"] = refusal.detail.as_deref().into();
            error["hint"] = refusal.hint.as_deref().into();
        }
        if let Self::RowsRefused(outcome) = self {
            error["outcome"] = outcome.body();
        }
        if let Self::PasskeyElsewhere(domain) = self {
            error["domain"] = domain.as_str().into();
        }
        if let Self::CodeRequired(Some(start)) | Self::PasskeyRequired(start) = self {
            error["passkey"] = json!(start);
        }
        json!({ "error": error })
    }
}

impl IntoResponse for ConsoleError {
    fn into_response(self) -> Response {
        match &self {
            Self::Unavailable(error) => tracing::error!(%error, "console: database unavailable"),
            Self::Internal(error) => tracing::error!(%error, "console: request failed"),
            _ => {}
        }
        let mut response = compat_http::json(self.answer().0, &self.body());
        if let Self::TooManyAttempts(seconds) = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_without_database_are_temporary_refusals() {
        let unavailable = || PgError::Unavailable("the server left".into());
        for (failure, status) in [
            (BackupFailure::Database(unavailable()), StatusCode::SERVICE_UNAVAILABLE),
            (BackupFailure::Failed("no room".to_owned()), StatusCode::CONFLICT),
        ] {
            assert_eq!(ConsoleError::from(failure).answer().0, status);
        }
    }

    #[test]
    fn database_refusals_keep_their_place() {
        let refusal = DatabaseError {
            code: "42601".into(),
            message: "syntax error".into(),
            position: Some(3),
            ..DatabaseError::default()
        };
        let error = ConsoleError::from(SqlError::Refused(Box::new(refusal)));
        assert_eq!(error.answer(), (StatusCode::BAD_REQUEST, "database_error"));
        assert_eq!(
            error.body(),
            json!({"error": {
                "code": "database_error",
                "message": "syntax error",
                "sqlstate": "42601",
                "position": 3,
                "detail": null,
                "hint": null,
            }})
        );
    }

    #[test]
    fn other_refusals_of_statements_are_sentences() {
        let error = ConsoleError::from(SqlError::Empty);
        assert_eq!(
            error.body(),
            json!({"error": {"code": "empty_query", "message": "There is no statement in the text."}})
        );
    }
}
