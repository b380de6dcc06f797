//! Hosts of functions: a fixed registry, a registry that changes while the service runs, or several
//! hosts in order.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::{Function, RegistryError};

/// A source of functions. The service looks a function up at every call, so the result may change
/// between two calls.
pub trait Host: Send + Sync {
    /// The function of this name, if there is one now.
    fn find(&self, name: &str) -> Option<Arc<dyn Function>>;
}

/// Functions linked into the binary, all of them known when the service starts.
#[derive(Default)]
pub struct Registry(BTreeMap<String, Arc<dyn Function>>);

impl Registry {
    /// Creates a registry of these functions.
    ///
    /// # Errors
    /// When two functions share a name, or a name is not a valid path segment.
    pub fn new(functions: Vec<Arc<dyn Function>>) -> Result<Self, RegistryError> {
        let mut known = BTreeMap::new();
        for function in functions {
            let name = name_of(function.as_ref())?;
            if known.contains_key(&name) {
                return Err(RegistryError::Duplicate(name));
            }
            known.insert(name, function);
        }
        Ok(Self(known))
    }
}

impl Host for Registry {
    fn find(&self, name: &str) -> Option<Arc<dyn Function>> {
        self.0.get(name).map(Arc::clone)
    }
}

/// Functions that come and go while the service runs. Clones share them.
#[derive(Clone, Default)]
pub struct DynamicRegistry(Arc<RwLock<BTreeMap<String, Arc<dyn Function>>>>);

impl DynamicRegistry {
    /// Adds a function, or replaces the one with the same name and returns that one. Calls in
    /// progress finish with the function they began with.
    ///
    /// # Errors
    /// When its name is not a valid path segment.
    pub fn put(
        &self,
        function: Arc<dyn Function>,
    ) -> Result<Option<Arc<dyn Function>>, RegistryError> {
        let name = name_of(function.as_ref())?;
        Ok(self.0.write().unwrap_or_else(PoisonError::into_inner).insert(name, function))
    }

    /// Removes and returns the function with this name, if there is one.
    pub fn remove(&self, name: &str) -> Option<Arc<dyn Function>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(name)
    }
}

impl Host for DynamicRegistry {
    fn find(&self, name: &str) -> Option<Arc<dyn Function>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).map(Arc::clone)
    }
}

/// Several hosts in order: the first one that has a function with the name provides it.
impl Host for Vec<Arc<dyn Host>> {
    fn find(&self, name: &str) -> Option<Arc<dyn Function>> {
        self.iter().find_map(|host| host.find(name))
    }
}

/// The function's name, checked to be a valid path segment.
fn name_of(function: &dyn Function) -> Result<String, RegistryError> {
    let name = function.name();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if name.is_empty() || !name.bytes().all(fits) {
        return Err(RegistryError::BadName(name.to_owned()));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use axum::response::Response;

    use super::*;
    use crate::{BoxFuture, Invocation};

    /// A function that is known by its name and by whether it asks for a token.
    struct NamedFunction(&'static str, bool);

    impl Function for NamedFunction {
        fn name(&self) -> &str {
            self.0
        }

        fn verify_jwt(&self) -> bool {
            self.1
        }

        fn call(&self, _: Invocation) -> BoxFuture<'_, Response> {
            Box::pin(async { Response::default() })
        }
    }

    fn function_named(name: &'static str) -> Arc<dyn Function> {
        Arc::new(NamedFunction(name, true))
    }

    fn open(name: &'static str) -> Arc<dyn Function> {
        Arc::new(NamedFunction(name, false))
    }

    #[test]
    fn registry_refuses_duplicate_and_invalid_names() {
        let names = |names: &[&'static str]| {
            Registry::new(names.iter().map(|name| function_named(name)).collect()).map(|_| ())
        };
        assert_eq!(names(&["a", "B-9_", "b"]), Ok(()));
        assert_eq!(names(&["a", "a"]), Err(RegistryError::Duplicate("a".into())));
        for bad in ["", "a b", "a/b", "é", "a.b"] {
            assert_eq!(names(&[bad]), Err(RegistryError::BadName(bad.into())), "{bad:?}");
        }
    }

    #[test]
    fn a_growing_registry_has_what_was_put_last() {
        let registry = DynamicRegistry::default();
        let shared = registry.clone();
        assert!(registry.find("a").is_none());
        assert!(shared.put(function_named("a")).expect("a name").is_none());
        assert!(registry.find("a").expect("the first").verify_jwt());
        assert!(shared.put(open("a")).expect("a name").expect("the first").verify_jwt());
        assert!(!registry.find("a").expect("the second").verify_jwt());
        assert!(registry.remove("a").is_some() && shared.find("a").is_none());
        assert_eq!(
            registry.put(function_named("a/b")).err(),
            Some(RegistryError::BadName("a/b".into()))
        );
    }

    #[test]
    fn first_host_that_knows_a_name_answers() {
        let growing = DynamicRegistry::default();
        growing.put(open("a")).expect("a name");
        growing.put(open("b")).expect("a name");
        let frozen = Registry::new(vec![function_named("a")]).expect("names");
        let hosts: Vec<Arc<dyn Host>> = vec![Arc::new(frozen), Arc::new(growing)];
        assert!(hosts.find("a").expect("of the first").verify_jwt());
        assert!(!hosts.find("b").expect("of the second").verify_jwt());
        assert!(hosts.find("c").is_none());
    }
}
