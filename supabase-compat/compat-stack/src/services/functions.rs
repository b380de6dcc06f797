//! functions/v1 in the stack: the application's functions, and those of a folder beside them.
//!
//! If both have a function of the same name, the application's is used: a file must not replace a
//! function that is linked into the program.

mod console;
mod report;
mod variables;

use std::sync::Arc;

use compat_functions::{CallStats, Host, Registry, Scripts, ScriptsConfig, State, router};

use crate::service::{RunningService, Service, StandaloneMode, StartContext};
use crate::{Application, StackError};

pub(super) static SERVICE: Service = Service {
    name: "functions",
    path: "/functions/v1",
    schema: None,
    standalone: StandaloneMode::Same,
    start,
};

fn start(context: &StartContext<'_>) -> Result<RunningService, StackError> {
    let (environment, config) = (context.environment.clone(), context.settings.functions.clone());
    let (stats, scripts) = (CallStats::default(), open(context)?);
    let (counted, functions) = (stats.clone(), scripts.clone());
    let built_in = console::BuiltInNames::default();
    let names = built_in.clone();
    let running = RunningService::new(move |application| {
        names.note(&application.functions);
        let host = hosts(application, functions.as_ref())?;
        let (environment, config) = (environment.clone(), config.clone());
        Ok(router(State::counted_in(environment, config, host, counted.clone())))
    });
    let running = RunningService {
        operators: report::router(stats.clone(), scripts.clone()),
        console: console::router(console::FunctionsConsole::new(
            stats.clone(),
            scripts.clone(),
            built_in,
            context.settings,
        )),
        figures: Some(report::figures(stats, scripts.clone())),
        ..running
    };
    let Some(scripts) = scripts else { return Ok(running) };
    let stop = context.stop.clone();
    Ok(running.with_task("functions.scripts", move || scripts.clone().keep(stop.clone())))
}

/// Opens the functions of the folder, if one is configured.
fn open(context: &StartContext<'_>) -> Result<Option<Scripts>, StackError> {
    let Some(config) = context.settings.scripts.clone() else { return Ok(None) };
    let config = ScriptsConfig { environment: variables::environment(context), ..config };
    let entropy = context.environment.entropy.clone();
    let own = context.settings.functions.functions.clone();
    Ok(Some(Scripts::open(config, own, entropy)?))
}

/// Hosts both kinds of functions; the application's come first.
fn hosts(
    application: &Application,
    scripts: Option<&Scripts>,
) -> Result<Arc<dyn Host>, StackError> {
    let own = Registry::new(application.functions.clone())?;
    let Some(scripts) = scripts else { return Ok(Arc::new(own)) };
    for (name, _) in scripts.list() {
        if own.find(&name).is_some() {
            tracing::warn!(function = name, "function skipped: a built-in function has its name");
        }
    }
    let hosts: Vec<Arc<dyn Host>> = vec![Arc::new(own), Arc::new(scripts.clone())];
    Ok(Arc::new(hosts))
}
