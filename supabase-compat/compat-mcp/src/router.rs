//! `/mcp` over HTTP, and the advice for the console; both require the service key.
//!
//! Pages of other origins may call neither (MCP specification, Transports, Security Warning): a
//! request is refused if its `Origin` is not the project's own or, where the services are for this
//! machine only, if its `Host` is not a name of this machine.

use std::sync::Arc;

use axum::extract::{Query, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use compat_advice::{Category, Notice, advise};
use compat_http::ServiceEnvironment;
use http::{HeaderValue, StatusCode, header};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Mode;
use crate::server::McpServer;
use crate::state::McpState;

/// The largest request in bytes; agents write smaller ones.
const LARGEST_REQUEST: usize = 1024 * 1024;
/// The role of the service key.
const SERVICE: &str = "service_role";

/// The host names and origins that are accepted.
#[derive(Debug, Clone)]
pub struct McpHosts {
    /// Whether only host names of this machine are accepted.
    pub is_local: bool,
    /// Origins whose pages may call.
    pub origins: Vec<String>,
}

/// Everything under `/mcp`.
pub fn router(state: McpState, environment: ServiceEnvironment, hosts: McpHosts) -> Router {
    let setting = state.config().read_only;
    let server = McpServer::new(state, Mode::new(setting));
    let config = StreamableHttpServerConfig::default()
        // Requests are independent and no state is kept, so any of several processes can answer.
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(LARGEST_REQUEST)
        .with_allowed_origins(hosts.origins)
        .enforce_origin_validation();
    let config = if hosts.is_local { config } else { config.disable_allowed_hosts() };
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let inner = Router::new()
        .route_service("/", service)
        .layer(from_fn(move |request: Request, next: Next| known_mode(setting, request, next)))
        .layer(from_fn_with_state(environment, service_key_only));
    Router::new().nest_service("/mcp", inner)
}

/// `GET /advisors/v1`: the notices in the form of the original's management API; `?type=security`
/// or `?type=performance` selects one category.
pub fn advice_router(state: McpState, environment: ServiceEnvironment) -> Router {
    let inner = Router::new()
        .route("/", get(read_advice))
        .with_state(state)
        .layer(from_fn_with_state(environment, service_key_only));
    Router::new().nest_service("/advisors/v1", inner)
}

#[derive(Deserialize)]
struct AdviceQuery {
    r#type: Option<String>,
}

async fn read_advice(State(state): State<McpState>, Query(query): Query<AdviceQuery>) -> Response {
    let category = match query.r#type.as_deref() {
        None => None,
        Some("security") => Some(Category::Security),
        Some("performance") => Some(Category::Performance),
        Some(_) => return refusal(StatusCode::BAD_REQUEST, "type is security or performance"),
    };
    let config = state.config();
    match advise(&config.owner, &config.exposed).await {
        Ok(mut notices) => {
            notices.extend(config.notices.iter().cloned());
            let is_selected =
                |notice: &Notice| category.is_none_or(|one| notice.categories.contains(&one));
            notices.retain(is_selected);
            Json(json!({ "lints": notices })).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "cannot compile the advice");
            refusal(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
        }
    }
}

/// Refuses invalid query parameters, before a tool runs in a mode that was not intended.
async fn known_mode(setting: Option<bool>, request: Request, next: Next) -> Response {
    match Mode::of_query(request.uri().query().unwrap_or_default(), setting) {
        Ok(_) => next.run(request).await,
        Err(problem) => refusal(StatusCode::BAD_REQUEST, &problem),
    }
}

async fn service_key_only(
    State(environment): State<ServiceEnvironment>,
    request: Request,
    next: Next,
) -> Response {
    // A key in an address would appear in logs and histories; the specification forbids it.
    let query = request.uri().query().unwrap_or_default();
    let mut names = url::form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    if names.any(|name| name == "apikey" || name == "access_token") {
        return unknown("send the key in the header Authorization, not in the address");
    }
    match environment.caller(request.headers()) {
        Ok(caller) if caller.role() == SERVICE => next.run(request).await,
        Ok(caller) if !caller.is_anonymous() => {
            refusal(StatusCode::FORBIDDEN, "only the service key may do this")
        }
        _ => unknown("the service key is missing or wrong"),
    }
}

fn unknown(message: &str) -> Response {
    let mut response = refusal(StatusCode::UNAUTHORIZED, message);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

fn refusal(status: StatusCode, message: &str) -> Response {
    let body: Value = json!({ "message": message, "code": status.as_u16() });
    (status, Json(body)).into_response()
}
