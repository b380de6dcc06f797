//! Which functions there are, with the settings that apply to each.

use std::{collections::BTreeMap, sync::Arc};

use crate::{Config, Function, FunctionConfig, RegistryError};

/// The functions of one service by name. Disabled ones are left out.
pub(crate) struct Registry(BTreeMap<String, Entry>);

/// A function and whether it is to be called with a token.
pub(crate) struct Entry {
    pub function: Arc<dyn Function>,
    pub verify_jwt: bool,
}

impl Registry {
    pub fn new(config: &Config, functions: Vec<Arc<dyn Function>>) -> Result<Self, RegistryError> {
        let mut seen = BTreeMap::new();
        for function in functions {
            let name = function.name().to_owned();
            if !is_name(&name) {
                return Err(RegistryError::BadName(name));
            }
            let own = config.functions.get(&name).copied().unwrap_or_default();
            let verify_jwt = wants_token(config, own, function.as_ref());
            if seen.insert(name.clone(), (own.enabled, Entry { function, verify_jwt })).is_some() {
                return Err(RegistryError::Duplicate(name));
            }
        }
        let enabled = seen.into_iter().filter(|(_, (enabled, _))| *enabled);
        Ok(Self(enabled.map(|(name, (_, entry))| (name, entry)).collect()))
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.0.get(name)
    }
}

/// A function's own entry decides; then the service's switch may free all; then the function.
fn wants_token(config: &Config, own: FunctionConfig, function: &dyn Function) -> bool {
    own.verify_jwt.unwrap_or(config.verify_jwt && function.verify_jwt())
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
