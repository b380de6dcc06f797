//! Verifies captcha answers with hCaptcha or Turnstile: both have the same API, at an address
//! called `siteverify`.
//!
//! It knows the request and the verdict, but not what is refused because of it.

use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;

use crate::{EgressPolicy, Outgoing, OutgoingError, OutgoingResponse};

/// The provider's address, and our credentials for it.
#[derive(Debug, Clone, Copy)]
pub struct Siteverify<'a> {
    /// The provider's address, from the operator's settings.
    pub address: &'a str,
    /// The secret that belongs to the key in the page.
    pub secret: &'a str,
    /// How long the provider may take.
    pub timeout: Duration,
}

/// The provider's verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteverifyVerdict {
    /// A person gave this answer, and gave it for the first time.
    Passed,
    /// The provider rejected the answer; holds its reasons, joined by commas.
    Refused(String),
}

#[derive(Deserialize)]
struct SiteverifyResponse {
    #[serde(default)]
    success: bool,
    #[serde(default, rename = "error-codes")]
    reasons: Vec<String>,
}

impl Siteverify<'_> {
    /// hCaptcha's address.
    pub const HCAPTCHA: &'static str = "https://api.hcaptcha.com/siteverify";
    /// Turnstile's address.
    pub const TURNSTILE: &'static str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

    /// Asks the provider to verify the answer that `client` gave. Providers accept an answer only
    /// once.
    ///
    /// # Errors
    /// There is no verdict: the provider cannot be reached, or its response cannot be parsed.
    pub async fn ask(
        &self,
        outgoing: &Outgoing,
        answer: &str,
        client: IpAddr,
    ) -> Result<SiteverifyVerdict, OutgoingError> {
        let client = client.to_string();
        let form = [("secret", self.secret), ("response", answer), ("remoteip", &client)];
        let request =
            outgoing.post(EgressPolicy::Trusted, self.address).form(&form).within(self.timeout);
        let judged: SiteverifyResponse =
            request.send().await.and_then(OutgoingResponse::success)?.json()?;
        Ok(match judged.success {
            true => SiteverifyVerdict::Passed,
            false => SiteverifyVerdict::Refused(judged.reasons.join(", ")),
        })
    }
}
