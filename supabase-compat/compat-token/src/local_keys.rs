//! The four keys of every project that the official CLI serves on a developer's machine. They are
//! published in its source and in the environment files of many applications, so they are not
//! secret. A deployment that only its own machine can reach may accept them in place of its own
//! keys.

use crate::ApiKeys;

const PUBLISHABLE: &str = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH";
const SECRET: &str = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz";
/// A token under the CLI's secret. Other tokens under that secret are not accepted.
const ANON: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
     eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.\
     CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0";
const SERVICE_ROLE: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.\
     eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0.\
     EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU";

/// The project's own token that a local key stands for.
pub(crate) fn stand_for<'a>(key: &str, own: &'a ApiKeys) -> Option<&'a str> {
    match key {
        PUBLISHABLE | ANON => Some(&own.anon),
        SECRET | SERVICE_ROLE => Some(&own.service_role),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Authenticator, Credentials, KeyRing};

    #[test]
    fn local_keys_are_accepted_only_when_enabled() {
        let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
        let api = Arc::new(ApiKeys::issue(&keys, 0, [1; 48]).expect("keys"));
        let authenticator = |takes| {
            Authenticator::new(Arc::clone(&keys), Arc::clone(&api), "anon").with_local_keys(takes)
        };
        for (key, role) in [
            (PUBLISHABLE, "anon"),
            (ANON, "anon"),
            (SECRET, "service_role"),
            (SERVICE_ROLE, "service_role"),
        ] {
            let bearer = format!("Bearer {key}");
            for text in [
                Credentials { apikey: Some(key), authorization: None },
                Credentials { apikey: Some(key), authorization: Some(&bearer) },
                Credentials { apikey: None, authorization: Some(&bearer) },
            ] {
                let caller = authenticator(true).caller(text, 1).expect("it is taken");
                assert_eq!(caller.role(), role, "{text:?}");
                assert!(authenticator(false).caller(text, 1).is_err(), "{text:?}");
            }
        }
    }

    #[test]
    fn local_tokens_verify_with_the_cli_secret() {
        let secret = "super-secret-jwt-token-with-at-least-32-characters-long";
        let ring = KeyRing::from_secret(secret).expect("a ring");
        for (token, role) in [(ANON, "anon"), (SERVICE_ROLE, "service_role")] {
            let claims = ring.verify(token, 1_800_000_000).expect("it is signed with it");
            assert_eq!((claims.role(), claims.exp()), (Some(role), Some(1_983_812_996)));
        }
    }
}
