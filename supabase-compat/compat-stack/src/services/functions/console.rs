//! Functions for the console: their list, and the names of their secrets. The console never reads
//! the values.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Json, Router};
use compat_functions::{
    CallStats, Function, Scripts, SecretsFile, is_reserved_name, is_secret_name,
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::report::describe;
use crate::Settings;

/// The most bytes of a value.
const LONGEST_VALUE: usize = 64 * 1024;
/// The most characters of a name.
const LONGEST_NAME: usize = 256;

/// Names of an application's functions, set when it is mounted. Clones share them.
#[derive(Clone, Default)]
pub(super) struct BuiltInNames(Arc<OnceLock<Vec<String>>>);

impl BuiltInNames {
    /// Stores the names of these functions.
    pub fn note(&self, functions: &[Arc<dyn Function>]) {
        self.0.get_or_init(|| functions.iter().map(|one| one.name().to_owned()).collect());
    }

    fn all(&self) -> &[String] {
        self.0.get().map_or(&[], Vec::as_slice)
    }
}

/// State of the console's routes about functions. Cheap to clone.
#[derive(Clone)]
pub(super) struct FunctionsConsole(Arc<Inner>);

struct Inner {
    stats: CallStats,
    scripts: Option<Scripts>,
    built_in: BuiltInNames,
    /// The file of the secrets; none if no folder of functions is served.
    secrets: Option<PathBuf>,
    /// Held from reading the file to writing it.
    changing: Mutex<()>,
}

/// Why secrets cannot be read or changed.
#[derive(Debug, thiserror::Error)]
enum SecretsError {
    #[error("This program serves no folder of functions, so there is no file for secrets.")]
    NoFolder,
    #[error(
        "A name begins with a letter or _ and goes on with letters, digits and _, 256 at most; those that \
         begin with SUPABASE_, DENO_ or COMPAT_FUNCTION_ are reserved."
    )]
    Name,
    #[error("A value has at most 64 kB and no zero character.")]
    Value,
    #[error("The body is no JSON object with a text \"value\".")]
    Body,
    #[error("There is no secret of this name.")]
    Unknown,
    #[error("The file of the secrets may not be written.")]
    ReadOnly,
    #[error("The file of the secrets cannot be used; the program's log says why.")]
    File(io::Error),
}

impl SecretsError {
    fn of_file(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            _ => Self::File(error),
        }
    }

    fn answer(&self) -> (StatusCode, &'static str) {
        match self {
            Self::NoFolder => (StatusCode::CONFLICT, "no_functions_folder"),
            Self::Name => (StatusCode::UNPROCESSABLE_ENTITY, "invalid_name"),
            Self::Value => (StatusCode::UNPROCESSABLE_ENTITY, "invalid_value"),
            Self::Body => (StatusCode::BAD_REQUEST, "invalid_request"),
            Self::Unknown => (StatusCode::NOT_FOUND, "secret_not_found"),
            Self::ReadOnly => (StatusCode::CONFLICT, "secrets_not_writable"),
            Self::File(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}

impl IntoResponse for SecretsError {
    fn into_response(self) -> Response {
        if let Self::File(error) = &self {
            tracing::error!(%error, "cannot read or write the secrets of functions");
        }
        let (status, code) = self.answer();
        let body = json!({"error": {"code": code, "message": self.to_string()}});
        (status, Json(body)).into_response()
    }
}

#[derive(Deserialize)]
struct SecretBody {
    value: String,
}

impl FunctionsConsole {
    pub fn new(
        stats: CallStats,
        scripts: Option<Scripts>,
        built_in: BuiltInNames,
        settings: &Settings,
    ) -> Self {
        let secrets = settings.scripts.as_ref().and_then(|config| config.env_file.clone());
        Self(Arc::new(Inner { stats, scripts, built_in, secrets, changing: Mutex::default() }))
    }

    fn file(&self) -> Result<PathBuf, SecretsError> {
        self.0.secrets.clone().ok_or(SecretsError::NoFolder)
    }

    /// Changes the file; concurrent changes run one after the other.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut SecretsFile) -> Result<T, SecretsError> + Send + 'static,
    ) -> Result<T, SecretsError> {
        let path = self.file()?;
        let _turn = self.0.changing.lock().await;
        let changed = tokio::task::spawn_blocking(move || {
            let mut file = SecretsFile::open(&path).map_err(SecretsError::of_file)?;
            let outcome = change(&mut file)?;
            file.save().map_err(SecretsError::of_file)?;
            Ok(outcome)
        });
        changed.await.map_err(|error| SecretsError::File(io::Error::other(error)))?
    }
}

/// The console's routes.
pub(super) fn router(state: FunctionsConsole) -> Router {
    Router::new()
        .route("/functions", get(list))
        .route("/secrets", get(list_secrets))
        .route("/secrets/{name}", put(set_secret).delete(remove_secret))
        .with_state(state)
}

async fn list(State(state): State<FunctionsConsole>) -> Json<Value> {
    let Inner { stats, scripts, built_in, .. } = &*state.0;
    let mut described = describe(stats, scripts.as_ref(), built_in.all());
    described["has_folder"] = scripts.is_some().into();
    Json(described)
}

async fn list_secrets(State(state): State<FunctionsConsole>) -> Result<Json<Value>, SecretsError> {
    let path = state.file()?;
    let read = tokio::task::spawn_blocking(move || SecretsFile::open(&path));
    let read = read.await.map_err(|error| SecretsError::File(io::Error::other(error)))?;
    let file = read.map_err(SecretsError::of_file)?;
    Ok(Json(json!({ "secrets": file.names() })))
}

async fn set_secret(
    State(state): State<FunctionsConsole>,
    Path(name): Path<String>,
    body: Result<Json<SecretBody>, JsonRejection>,
) -> Result<StatusCode, SecretsError> {
    let Json(SecretBody { value }) = body.map_err(|_| SecretsError::Body)?;
    if !is_secret_name(&name) || is_reserved_name(&name) || name.len() > LONGEST_NAME {
        return Err(SecretsError::Name);
    }
    if value.len() > LONGEST_VALUE || value.contains('\0') {
        return Err(SecretsError::Value);
    }
    state
        .change(move |file| {
            file.set(&name, &value);
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

async fn remove_secret(
    State(state): State<FunctionsConsole>,
    Path(name): Path<String>,
) -> Result<StatusCode, SecretsError> {
    state
        .change(move |file| {
            if !file.names().contains(&name) {
                return Err(SecretsError::Unknown);
            }
            file.remove(&name);
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}
