//! The services one process can run. A new one is a file here and a line in [`ALL`].

use crate::service::Service;

mod auth;
mod functions;
mod realtime;
mod rest;
mod storage;

/// All of them, in the order their schemas are made and they are started.
pub static ALL: [&Service; 5] =
    [&auth::SERVICE, &storage::SERVICE, &realtime::SERVICE, &rest::SERVICE, &functions::SERVICE];

/// The service of this name.
pub fn named(name: &str) -> Option<&'static Service> {
    ALL.into_iter().find(|service| service.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_nobody_elses() {
        for (at, service) in ALL.into_iter().enumerate() {
            assert_eq!(named(service.name), Some(service));
            assert_eq!(service.path, format!("/{}/v1", service.name));
            assert!(!ALL[..at].contains(&service), "{service:?} twice");
        }
        assert_eq!(named("nothing"), None);
    }
}
