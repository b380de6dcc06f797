//! Proof that a person asks, judged by whoever posed the riddle.

use std::net::IpAddr;

use compat_http::{Answer, Reach};
use secrecy::ExposeSecret as _;
use serde_json::Value;

use crate::config::{CaptchaConfig, CaptchaProvider};
use crate::error::{AuthError, CaptchaRefusal};
use crate::state::State;

pub mod altcha;

/// Judges an answer; without the setting every answer will do.
///
/// # Errors
/// [`CaptchaRefusal::Refused`] with the judge's reasons, or [`CaptchaRefusal::Unavailable`].
pub async fn check(state: &State, client: IpAddr, token: &str) -> Result<(), AuthError> {
    let Some(config) = &state.config.captcha else { return Ok(()) };
    if token.trim().is_empty() {
        return Err(CaptchaRefusal::Refused("no captcha_token found".to_owned()).into());
    }
    if config.provider == CaptchaProvider::Altcha {
        return altcha::check(state, &config.secret, token.trim()).await;
    }
    let ip = client.to_string();
    let form =
        [("secret", config.secret.expose_secret()), ("response", token.trim()), ("remoteip", &ip)];
    let asking = state.edge.outgoing.post(Reach::Named, address(config)).form(&form);
    let answer = asking.within(config.timeout).send().await.and_then(Answer::success);
    let verdict = answer.and_then(|answer| answer.json::<Value>());
    let verdict = verdict.map_err(|error| CaptchaRefusal::Unavailable(error.into()))?;
    if verdict.get("success").and_then(Value::as_bool) == Some(true) {
        return Ok(());
    }
    Err(CaptchaRefusal::Refused(reasons(&verdict)).into())
}

fn address(config: &CaptchaConfig) -> &str {
    match (&config.siteverify_url, config.provider) {
        (Some(own), _) => own,
        (None, CaptchaProvider::Hcaptcha) => "https://hcaptcha.com/siteverify",
        (None, CaptchaProvider::Turnstile | CaptchaProvider::Altcha) => {
            "https://challenges.cloudflare.com/turnstile/v0/siteverify"
        }
    }
}

fn reasons(verdict: &Value) -> String {
    let codes = verdict.get("error-codes").and_then(Value::as_array);
    let texts: Vec<&str> = codes.into_iter().flatten().filter_map(Value::as_str).collect();
    texts.join(", ")
}
