//! One router for everything: the services under their paths, and the application beside them.

use axum::Router;
use axum::middleware::from_fn_with_state;

use super::{Application, Stack, StackError};
use crate::logs::{self, AccessLog};
use crate::service::StandaloneMode;
use crate::{log_queries, metrics, third_party};

pub(super) fn router(stack: &Stack, application: Application) -> Result<Router, StackError> {
    let standalone = stack.settings.standalone();
    let (mut router, mut beside, mut root) = (Router::new(), Router::new(), None);
    let (mut targets, mut project) = (Router::new(), stack.project_router());
    for (service, running) in stack.services.iter() {
        let own = (running.mount)(&application)?;
        router = router.nest_service(service.path, own.clone());
        targets = match &stack.console {
            // The console uses a login of its own for `/pg`.
            Some(console) if service.name == "pg" => {
                targets.nest_service(service.path, console.meta_router())
            }
            _ => targets.nest_service(service.path, own.clone()),
        };
        beside = beside.merge(running.beside.clone());
        project = project.merge(running.console.clone());
        root = Some(own).filter(|_| standalone != StandaloneMode::Same);
    }
    beside = beside.merge(stack.agents.clone());
    if let Some(console) = &stack.console {
        let targets = targets.merge(log_queries::router(stack)).merge(stack.agents.clone());
        let targets = targets.nest("/project", project);
        let targets = with_access_log(stack, with_metrics(stack, with_issuer_keys(stack, targets)));
        beside = beside.merge(compat_console::router(console.state.clone(), targets));
    }
    // A service that answers at the root has a `/health` of its own.
    if standalone == StandaloneMode::Same {
        router = router.merge(stack.health());
    }
    let router = router.fallback_service(root.unwrap_or(application.pages));
    let router = match standalone {
        StandaloneMode::Same => router.merge(log_queries::router(stack)),
        // A service at the root owns all paths.
        _ => router,
    };
    let router = with_access_log(stack, with_metrics(stack, with_issuer_keys(stack, router)));
    let router = match standalone {
        StandaloneMode::ForeignDatabase => {
            compat_http::layers_without_cors(stack.environment.clone(), router)
        }
        _ => compat_http::layers(stack.environment.clone(), router),
    };
    Ok(router.merge(compat_http::layers_without_cors(stack.environment.clone(), beside)))
}

/// Fetches the keys that a token may need, before a service reads it.
fn with_issuer_keys(stack: &Stack, router: Router) -> Router {
    if stack.environment.authenticator.issuers().is_empty() {
        return router;
    }
    let looking = (stack.jwks_cache.clone(), stack.environment.clone());
    router.layer(from_fn_with_state(looking, third_party::prepare))
}

fn with_access_log(stack: &Stack, router: Router) -> Router {
    let Some(logs) = &stack.logs else { return router };
    let log = AccessLog::new(logs.clone(), &stack.environment);
    router.layer(from_fn_with_state(log, logs::record))
}

fn with_metrics(stack: &Stack, router: Router) -> Router {
    router.layer(from_fn_with_state(stack.metrics.clone(), metrics::count))
}
