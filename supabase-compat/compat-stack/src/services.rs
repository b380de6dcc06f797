//! The services that one process can run. A new service is a file here and a line in [`ALL`].

use crate::service::Service;

mod auth;
mod functions;
mod pg;
mod realtime;
mod rest;
mod storage;

pub(crate) use pg::{DenoParser, session_limits};

/// Every service, in the order in which schemas are created and services are started.
pub static ALL: [&Service; 6] = [
    &auth::SERVICE,
    &storage::SERVICE,
    &realtime::SERVICE,
    &rest::SERVICE,
    &functions::SERVICE,
    &pg::SERVICE,
];

/// The service of this name.
pub fn by_name(name: &str) -> Option<&'static Service> {
    ALL.into_iter().find(|service| service.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_names_and_paths_are_unique() {
        for (at, service) in ALL.into_iter().enumerate() {
            assert_eq!(by_name(service.name), Some(service));
            let versioned = format!("/{}/v1", service.name);
            // postgres-meta has no version in its paths.
            let expected = if service.name == "pg" { "/pg" } else { &*versioned };
            assert_eq!(service.path, expected);
            assert!(!ALL[..at].contains(&service), "{service:?} twice");
        }
        assert_eq!(by_name("nothing"), None);
    }
}
