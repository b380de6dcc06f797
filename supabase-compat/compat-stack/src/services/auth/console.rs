//! auth/v1 for the console: the texts of its mails, test mails, and the sign-in providers. All of
//! it follows from settings, so nothing is changed here; each line names its setting.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use compat_auth::mail::{MailKind, TemplateOverrides};
use compat_auth::{Config, ProviderConfig, callback_uri, provider_names, sample_mail};
use compat_mail::Mailer;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Settings;

/// The header in which the console sends the operator's address.
const OPERATOR: &str = "x-console-operator";
/// The recipient in samples, to which nothing is sent.
const SAMPLE_ADDRESS: &str = "ada@example.com";

/// State of the routes.
#[derive(Clone)]
struct AuthConsole {
    state: compat_auth::State,
    mailer: Mailer,
    config: Arc<Config>,
}

/// Why a mail cannot be shown or sent.
#[derive(Debug, thiserror::Error)]
enum MailRefusal {
    #[error("There is no mail of this name.")]
    Unknown,
    #[error("The console did not say to whom the mail goes.")]
    NoOperator,
    #[error("The mail was not delivered: {0}.")]
    Undelivered(String),
}

impl IntoResponse for MailRefusal {
    fn into_response(self) -> Response {
        let (status, code) = match &self {
            Self::Unknown => (StatusCode::NOT_FOUND, "mail_not_found"),
            Self::NoOperator => (StatusCode::BAD_REQUEST, "invalid_request"),
            Self::Undelivered(_) => (StatusCode::FAILED_DEPENDENCY, "mail_not_delivered"),
        };
        let body = json!({"error": {"code": code, "message": self.to_string()}});
        (status, Json(body)).into_response()
    }
}

#[derive(Deserialize)]
struct SampleQuery {
    language: Option<String>,
}

/// The routes, below `/project` of the console.
pub(super) fn router(state: compat_auth::State, mailer: Mailer, settings: &Settings) -> Router {
    let console = AuthConsole { state, mailer, config: Arc::new(settings.auth.clone()) };
    Router::new()
        .route("/mails", get(list_mails))
        .route("/mails/{kind}", get(show_mail))
        .route("/mails/{kind}/test", post(send_test))
        .route("/providers", get(list_providers))
        .with_state(console)
}

async fn list_mails(State(console): State<AuthConsole>) -> Json<Value> {
    let email = &console.config.email;
    let relay = email
        .smtp
        .as_ref()
        .map(|smtp| json!({ "host": smtp.host, "port": smtp.port, "sender": smtp.admin_email }));
    let all = MailKind::REQUESTED.into_iter().chain(MailKind::NOTICES);
    let mails: Vec<Value> = all.map(|kind| mail(&console.config, kind)).collect();
    Json(json!({ "relay": relay, "language": email.default_language, "mails": mails }))
}

/// A mail's kind with the settings that change it.
fn mail(config: &Config, kind: MailKind) -> Value {
    let (is_notice, name, upper) =
        (MailKind::NOTICES.contains(&kind), kind.name(), kind.action().to_uppercase());
    let table = if is_notice { "notification" } else { "template" };
    let key = |field: &str| format!("auth.email.{table}.{name}.{field}");
    json!({
        "kind": name,
        "is_notice": is_notice,
        "enabled": !is_notice || config.email.notices.contains(&kind),
        "body": body_source(&config.email.templates, kind),
        "has_own_subject": config.email.templates.subjects.contains_key(&kind),
        "settings": {
            "subject": [format!("GOTRUE_MAILER_SUBJECTS_{upper}"), key("subject")],
            "body": [format!("GOTRUE_MAILER_TEMPLATES_{upper}"), key("content_path")],
            "enabled": is_notice.then(|| {
                let upper = name.to_uppercase();
                [format!("GOTRUE_MAILER_NOTIFICATIONS_{upper}_ENABLED"), key("enabled")]
            }),
        },
    })
}

fn body_source(templates: &TemplateOverrides, kind: MailKind) -> &'static str {
    match (templates.bodies.contains_key(&kind), templates.addresses.contains_key(&kind)) {
        (true, _) => "own",
        (_, true) => "address",
        _ => "built_in",
    }
}

fn kind_named(name: &str) -> Result<MailKind, MailRefusal> {
    MailKind::try_from(name.to_owned()).map_err(|_| MailRefusal::Unknown)
}

async fn show_mail(
    State(console): State<AuthConsole>,
    Path(kind): Path<String>,
    Query(query): Query<SampleQuery>,
) -> Result<Json<Value>, MailRefusal> {
    let kind = kind_named(&kind)?;
    let mail = sample_mail(&console.state, kind, query.language.as_deref(), SAMPLE_ADDRESS);
    Ok(Json(json!({ "subject": mail.subject, "html": mail.html, "text": mail.text })))
}

/// Sends the sample to the operator who requested it.
async fn send_test(
    State(console): State<AuthConsole>,
    Path(kind): Path<String>,
    Query(query): Query<SampleQuery>,
    headers: HeaderMap,
) -> Result<Json<Value>, MailRefusal> {
    let kind = kind_named(&kind)?;
    let operator = headers.get(OPERATOR).and_then(|value| str::from_utf8(value.as_bytes()).ok());
    let to = operator.ok_or(MailRefusal::NoOperator)?;
    let mail = sample_mail(&console.state, kind, query.language.as_deref(), to);
    let is_captured = console.config.email.smtp.is_none();
    console.mailer.send(mail).await.map_err(|error| MailRefusal::Undelivered(error.to_string()))?;
    Ok(Json(json!({ "to": to, "is_captured": is_captured })))
}

/// The configured providers, then the other known ones; and whether custom providers may be added,
/// which auth/v1 lists itself.
async fn list_providers(State(console): State<AuthConsole>) -> Json<Value> {
    let on = &console.config.providers;
    let off = provider_names().filter(|name| on.iter().all(|provider| provider.name != *name));
    let off: Vec<ProviderConfig> =
        off.map(|name| ProviderConfig::new(name, "", "".into())).collect();
    let one = |provider: &ProviderConfig| described(&console.state, provider);
    let providers: Vec<Value> = on.iter().chain(&off).map(one).collect();
    let added = ProviderConfig::new("custom:", "", "".into());
    let custom = json!({
        "enabled": console.config.custom_providers_enabled,
        "callback": callback_uri(&console.state, &added),
    });
    Json(json!({ "providers": providers, "custom": custom }))
}

fn described(state: &compat_auth::State, provider: &ProviderConfig) -> Value {
    let upper = provider.name.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    json!({
        "name": provider.name,
        "enabled": !provider.client_id().is_empty(),
        "client_id": provider.client_id(),
        "callback": callback_uri(state, provider),
        "variable": format!("GOTRUE_EXTERNAL_{upper}_"),
        "key": format!("auth.external.{}", provider.name),
    })
}
