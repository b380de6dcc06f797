//! Whether a person asks, as hCaptcha and Turnstile tell it: both are asked in the same words, at
//! an address called `siteverify`.
//!
//! It knows what to ask and how to read the verdict, and not what is refused because of it.

use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;

use crate::{EgressPolicy, Outgoing, OutgoingError, OutgoingResponse};

/// Where answers are judged, and as whom we ask.
#[derive(Debug, Clone, Copy)]
pub struct Siteverify<'a> {
    /// The judge's address; one that the operator's settings name.
    pub address: &'a str,
    /// The secret that belongs to the key in the page.
    pub secret: &'a str,
    /// How long the judge may take.
    pub timeout: Duration,
}

/// What the judge said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteverifyVerdict {
    /// A person gave this answer, and gave it for the first time.
    Passed,
    /// None did; the judge's reasons, joined by commas.
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
    /// Where hCaptcha judges.
    pub const HCAPTCHA: &'static str = "https://api.hcaptcha.com/siteverify";
    /// Where Turnstile judges.
    pub const TURNSTILE: &'static str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

    /// Has the answer that `client` gave judged. Providers take an answer once.
    ///
    /// # Errors
    /// There was no verdict: the judge cannot be reached, or says something else.
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
