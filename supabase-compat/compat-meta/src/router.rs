//! The routes, all of which require the service key; nothing else.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, delete, get, patch, post};

use crate::State;
use crate::flow::catalog::Kind;
use crate::wire::{catalog, change, guard, query, service};

/// The service's routes, relative to its mount. `generators` has the routes below `/generators`,
/// which require the same key.
pub fn router(state: State, generators: Router) -> Router {
    let limit = DefaultBodyLimit::max(state.config().max_body());
    let mut router = Router::new();
    for kind in Kind::ALL {
        router = at(router, &format!("/{}", kind.path()), list_of(kind));
        if let Some(one) = one_of(kind) {
            let name = if kind == Kind::Extensions { "name" } else { "id" };
            router = router.route(&format!("/{}/{{{name}}}", kind.path()), one);
        }
    }
    router = at(router, "/config/version", get(catalog::version));
    router = at(router, "/query", post(query::run));
    router = at(router, "/query/format", post(query::format));
    router = at(router, "/query/parse", post(query::parse));
    router = at(router, "/query/deparse", post(query::deparse));
    router = at(router, "/health", get(service::health));
    router
        .route("/", get(service::describe))
        .nest("/generators", generators.with_state(()))
        .fallback(service::not_found)
        .method_not_allowed_fallback(service::not_found)
        .layer(limit)
        .layer(from_fn_with_state(state.clone(), guard::require_service_key))
        .with_state(state)
}

/// Adds a route with and without a slash at the end, as in the original.
fn at(router: Router<State>, path: &str, methods: MethodRouter<State>) -> Router<State> {
    router.route(path, methods.clone()).route(&format!("{path}/"), methods)
}

/// The methods of a kind's list.
fn list_of(kind: Kind) -> MethodRouter<State> {
    let list = get(move |state, query, headers| catalog::list(kind, state, query, headers));
    match kind {
        Kind::TablePrivileges | Kind::ColumnPrivileges => list
            .post(move |state, headers, body| change::privileges(kind, true, state, headers, body))
            .delete(move |state, headers, body| {
                change::privileges(kind, false, state, headers, body)
            }),
        _ if is_changed_here(kind) => {
            list.post(move |state, headers, body| change::create(kind, state, headers, body))
        }
        _ => list,
    }
}

/// The methods of a single object of a kind.
fn one_of(kind: Kind) -> Option<MethodRouter<State>> {
    let mut one = MethodRouter::new();
    if kind.has_numbers() || kind == Kind::Extensions {
        one = one.merge(get(move |state, id, headers| catalog::single(kind, state, id, headers)));
    } else {
        return None;
    }
    if is_changed_here(kind) {
        let update = move |state, id, headers, body| change::update(kind, state, id, headers, body);
        let remove =
            move |state, id, query, headers| change::remove(kind, state, id, query, headers);
        one = one.merge(patch(update)).merge(delete(remove));
    }
    Some(one)
}

/// Whether the original can create, change and drop objects of a kind.
fn is_changed_here(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Schemas
            | Kind::Tables
            | Kind::Columns
            | Kind::Functions
            | Kind::Policies
            | Kind::Triggers
            | Kind::Roles
            | Kind::Publications
            | Kind::Extensions
    )
}
