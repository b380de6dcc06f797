//! functions/v1 in the stack: the functions are the application's.

use compat_functions::{State, router};

use crate::StackError;
use crate::service::{Alone, Ground, Running, Service};

pub(super) static SERVICE: Service =
    Service { name: "functions", path: "/functions/v1", schema: None, alone: Alone::AsEver, start };

fn start(ground: &Ground<'_>) -> Result<Running, StackError> {
    let (edge, config) = (ground.edge.clone(), ground.settings.functions.clone());
    Ok(Running::new(move |application| {
        let functions = application.functions.clone();
        Ok(router(State::new(edge.clone(), config.clone(), functions)?))
    }))
}
