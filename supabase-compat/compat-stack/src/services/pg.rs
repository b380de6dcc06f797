//! `/pg` in the stack: the catalogue and an administrator's statements, with the database login for
//! programs.

mod parser;

use std::sync::Arc;

use compat_meta::{Config, State};
use compat_pg::{SessionDb, SessionLimits};
use secrecy::ExposeSecret as _;

use crate::StackError;
use crate::pool_budgets::GENERATORS;
use crate::service::{RunningService, Service, StandaloneMode, StartContext};

pub(crate) use parser::DenoParser;

pub(super) static SERVICE: Service =
    Service { name: "pg", path: "/pg", schema: None, standalone: StandaloneMode::Same, start };

fn start(context: &StartContext<'_>) -> Result<RunningService, StackError> {
    let config = context.settings.meta.service.clone();
    let limits = session_limits(&config);
    let sessions = SessionDb::new(context.programs_url.expose_secret(), limits)?;
    // Reads of the catalogue have the time limit of a statement of `/pg`.
    let owner = context.pools.owner.with_budget(GENERATORS);
    let query_timeout = config.query_timeout;
    let parser = Arc::new(DenoParser::new(context.settings.toolchain.clone()));
    let state = State::new(context.environment.clone(), sessions, config).with_parser(parser);
    Ok(RunningService::new(move |_| {
        let generators = compat_typegen::router(owner.clone(), query_timeout);
        Ok(compat_meta::router(state.clone(), generators))
    }))
}

/// The session limits of the settings.
pub(crate) fn session_limits(config: &Config) -> SessionLimits {
    SessionLimits {
        connections: config.connections,
        acquire_timeout: config.connect_timeout,
        max_idle: config.max_idle,
    }
}
