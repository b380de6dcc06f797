//! What the outer layer and every service's state hold of the world outside.

use std::sync::Arc;

use compat_token::{Authenticator, Caller, Rules, TokenRefusal};
use http::HeaderMap;
use ipnet::IpNet;

use crate::{Clock, Entropy, Outgoing, credentials};

/// Clock, chance, outgoing calls, keys and the address we are known by. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ServiceEnvironment {
    /// The time.
    pub clock: Clock,
    /// Random values.
    pub entropy: Entropy,
    /// Calls that leave the process.
    pub outgoing: Outgoing,
    /// Decides who is calling.
    pub authenticator: Arc<Authenticator>,
    /// Peers whose `X-Forwarded-For` is believed (`TRUSTED_PROXIES`).
    pub trusted_proxies: Arc<[IpNet]>,
    /// The one public address every link derives from (`API_EXTERNAL_URL`), without a trailing
    /// slash.
    pub public_url: Arc<str>,
}

impl ServiceEnvironment {
    /// Who sent a request with these headers.
    ///
    /// # Errors
    /// The refusal of the deciding token; each service renders it in its own format.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller, TokenRefusal> {
        self.authenticator.caller(credentials(headers), self.clock.unix())
    }

    /// Who sent a request, for a service with token rules of its own.
    ///
    /// # Errors
    /// The refusal of the token that decides.
    pub fn caller_under(&self, headers: &HeaderMap, rules: &Rules) -> Result<Caller, TokenRefusal> {
        self.authenticator.caller_under(credentials(headers), self.clock.unix(), rules)
    }
}
