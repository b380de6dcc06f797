//! rest/v1 in the stack: not ready before its schema cache is loaded, reloaded by signals and
//! notifications, and compatible with PostgREST's own server if it runs alone.

use axum::Json;
use axum::Router;
use axum::routing::get;
use compat_pg::{ActingDb, PgError};
use compat_rest::State;
use http::StatusCode;
use secrecy::ExposeSecret as _;

use crate::metrics::{Figure, Figures};
use crate::service::{RunningService, Service, StandaloneMode, StartContext};
use crate::{Settings, StackError};

pub(super) static SERVICE: Service = Service {
    name: "rest",
    path: "/rest/v1",
    schema: None,
    standalone: StandaloneMode::ForeignDatabase,
    start,
};

fn start(context: &StartContext<'_>) -> Result<RunningService, StackError> {
    let state = State::with_replica(
        context.environment.clone(),
        context.pools.acting.clone(),
        replica(context.settings)?,
        context.settings.rest.clone(),
    );
    let is_guest = context.settings.standalone() == StandaloneMode::ForeignDatabase;
    let (served, fresh, stop) = (state.clone(), state.clone(), context.stop.clone());
    let (checked, warmed, reloaded) = (state.clone(), state.clone(), state.clone());
    let running = RunningService::new(move |_| {
        Ok(match is_guest {
            true => compat_rest::standing_alone(served.clone()),
            false => compat_rest::router(served.clone()),
        })
    })
    .with_task("rest.schema", move || fresh.clone().keep_schema_fresh(stop.clone()));
    Ok(RunningService {
        operators: operators(state.clone()),
        missing: Box::new(move || {
            (!checked.is_ready()).then(|| "the schema cache is not loaded".to_owned())
        }),
        warm: Box::new(move || {
            let state = warmed.clone();
            Box::pin(async move { state.wait_until_ready().await })
        }),
        reload: Box::new(move || reloaded.reload()),
        figures: Some(Box::new(Figures::new(move || figures(&state)))),
        ..running
    })
}

/// The pool of a read replica, if one is configured. It connects at first use.
fn replica(settings: &Settings) -> Result<Option<ActingDb>, PgError> {
    let database = &settings.database;
    let Some(url) = &database.replica_url else { return Ok(None) };
    let as_role = (database.acting_url.is_none() && settings.is_ours()).then_some("authenticator");
    ActingDb::new(url.expose_secret(), as_role, &database.acting).map(Some)
}

fn operators(state: State) -> Router {
    let schema_cache =
        || async move { state.describe_schema().map(Json).ok_or(StatusCode::SERVICE_UNAVAILABLE) };
    Router::new().route("/schema_cache", get(schema_cache))
}

fn figures(state: &State) -> Vec<Figure> {
    let metrics = state.metrics();
    let loads =
        [("SUCCESS", metrics.schema_cache_loads), ("FAIL", metrics.schema_cache_failed_loads)];
    vec![
        Figure::counter(
            "pgrst_db_pool_timeouts_total",
            "Requests that found no connection in time.",
            metrics.pool_timeouts,
        ),
        Figure::counters(
            "pgrst_schema_cache_loads_total",
            "Loads of the schema cache.",
            "status",
            &loads,
        ),
        Figure::gauge(
            "pgrst_schema_cache_query_time_seconds",
            "How long the last load of the schema cache took.",
            metrics.schema_cache_load_time.as_secs_f64(),
        ),
    ]
}
