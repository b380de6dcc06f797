//! The routes and the guards before them; nothing else.

use axum::Extension;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse as _;
use axum::routing::{any, delete, get, patch, post, put};

use crate::error::ConsoleError;
use crate::model::Operator;
use crate::pages;
use crate::state::ConsoleState;
use crate::wire::{
    audit, backups, guard, import, keys, operators, overview, passkeys, query, realtime,
    second_factor, services, session, setup, snippets, warnings,
};

/// The largest JSON body, in bytes: a text of SQL, or a snippet.
const LONGEST_BODY: usize = 2 * 1024 * 1024;

/// Every method and path below `/console/api`, and whether it is answered without a login.
pub const ROUTES: [(&str, &str, bool); 49] = [
    ("GET", "/session", false),
    ("POST", "/session", true),
    ("DELETE", "/session", false),
    ("POST", "/session/challenge", true),
    ("POST", "/session/passkey", true),
    ("GET", "/setup", true),
    ("POST", "/setup", true),
    ("GET", "/operators", false),
    ("POST", "/operators/invitations", false),
    ("PATCH", "/operators/{id}", false),
    ("DELETE", "/operators/{id}", false),
    ("POST", "/second-factor", false),
    ("DELETE", "/second-factor", false),
    ("POST", "/second-factor/confirmation", false),
    ("GET", "/passkeys", false),
    ("POST", "/passkeys", false),
    ("POST", "/passkeys/challenge", false),
    ("PATCH", "/passkeys/{id}", false),
    ("DELETE", "/passkeys/{id}", false),
    ("PUT", "/password", false),
    ("GET", "/audit", false),
    ("GET", "/overview", false),
    ("GET", "/warnings", false),
    ("GET", "/backups", false),
    ("POST", "/backups", false),
    ("DELETE", "/backups/{id}", false),
    ("POST", "/backups/{id}/check", false),
    ("POST", "/backups/{id}/restore", false),
    ("POST", "/backups/{id}/download", false),
    ("GET", "/backups/{id}/content", false),
    ("PUT", "/backup-schedule", false),
    ("GET", "/keys", false),
    ("POST", "/keys/{name}/value", false),
    ("POST", "/opaque-keys/{name}", false),
    ("DELETE", "/opaque-keys/{name}", false),
    ("POST", "/signing-keys", false),
    ("POST", "/import", false),
    ("POST", "/query", false),
    ("DELETE", "/query/{id}", false),
    ("GET", "/snippets", false),
    ("PUT", "/snippets/{name}", false),
    ("DELETE", "/snippets/{name}", false),
    ("GET", "/realtime/websocket", false),
    ("GET", "/services/{*path}", false),
    ("HEAD", "/services/{*path}", false),
    ("POST", "/services/{*path}", false),
    ("PUT", "/services/{*path}", false),
    ("PATCH", "/services/{*path}", false),
    ("DELETE", "/services/{*path}", false),
];

/// `/console` and everything below it. `services` has the project's services under their own paths,
/// including the log queries and the advice.
pub fn router(state: ConsoleState, services: Router) -> Router {
    let inner = Router::new()
        .nest_service("/api", api(&state, services))
        .fallback(pages::serve)
        .layer(from_fn_with_state(state, guard::admit));
    Router::new().nest_service("/console", inner)
}

fn api(state: &ConsoleState, services: Router) -> Router {
    let open = Router::new()
        .route("/session", get(session::show).post(session::sign_in))
        .route("/session/challenge", post(session::challenge))
        .route("/session/passkey", post(session::sign_in_by_passkey))
        .route("/setup", get(setup::show).post(setup::accept))
        .layer(from_fn_with_state(state.clone(), guard::record_sign_in))
        .layer(from_fn(guard::refuse_cross_site));
    let (console, targets) = (state.clone(), services.clone());
    let forward = move |Extension(operator): Extension<Operator>, request: Request| {
        let (state, services) = (console.clone(), targets.clone());
        async move { services::forward(&state, &services, &operator, request).await }
    };
    let (console, targets) = (state.clone(), services);
    let listen = move |Extension(operator): Extension<Operator>, request: Request| {
        let (state, services) = (console.clone(), targets.clone());
        async move { realtime::open(&state, &services, &operator, request).await }
    };
    let behind_login = Router::new()
        .route("/session", delete(session::sign_out))
        .route("/operators", get(operators::list))
        .route("/operators/invitations", post(operators::invite))
        .route("/operators/{id}", patch(operators::update).delete(operators::remove))
        .route("/second-factor", post(second_factor::begin).delete(second_factor::remove))
        .route("/second-factor/confirmation", post(second_factor::confirm))
        .route("/passkeys", get(passkeys::list).post(passkeys::add))
        .route("/passkeys/challenge", post(passkeys::begin))
        .route("/passkeys/{id}", patch(passkeys::rename).delete(passkeys::remove))
        .route("/password", put(session::change_password))
        .route("/audit", get(audit::list))
        .route("/overview", get(overview::show))
        .route("/warnings", get(warnings::list))
        .route("/backups", get(backups::list).post(backups::make))
        .route("/backups/{id}", delete(backups::remove))
        .route("/backups/{id}/check", post(backups::check))
        .route("/backups/{id}/restore", post(backups::restore))
        .route("/backups/{id}/download", post(backups::begin_download))
        .route("/backups/{id}/content", get(backups::content))
        .route("/backup-schedule", put(backups::set_schedule))
        .route("/keys", get(keys::list))
        .route("/keys/{name}/value", post(keys::show))
        .route("/opaque-keys/{name}", post(keys::replace).delete(keys::revoke))
        .route("/signing-keys", post(keys::change))
        .route("/import", post(import::run))
        .route("/query", post(query::run))
        .route("/query/{id}", delete(query::cancel))
        .route("/snippets", get(snippets::list))
        .route("/snippets/{name}", put(snippets::write).delete(snippets::remove))
        .route("/realtime/websocket", get(listen))
        .route("/services/{*path}", any(forward))
        .fallback(async || ConsoleError::NotFound.into_response())
        .method_not_allowed_fallback(async || ConsoleError::MethodNotAllowed.into_response())
        .layer(from_fn(guard::refuse_cross_site))
        .layer(from_fn_with_state(state.clone(), guard::require_session));
    open.merge(behind_login)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn(guard::keep_out_of_caches))
        .with_state(state.clone())
}
