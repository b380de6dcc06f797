//! The captcha check, by the provider that issued the challenge.

use std::net::IpAddr;

use compat_http::{Siteverify, SiteverifyVerdict};
use secrecy::ExposeSecret as _;

use crate::config::CaptchaProvider;
use crate::error::{AuthError, CaptchaRefusal};
use crate::state::State;

pub mod altcha;

/// Checks an answer; without the setting every answer passes.
///
/// # Errors
/// [`CaptchaRefusal::Refused`] with the provider's reasons, or [`CaptchaRefusal::Unavailable`].
pub async fn check(state: &State, client: IpAddr, token: &str) -> Result<(), AuthError> {
    let Some(config) = &state.config.captcha else { return Ok(()) };
    if token.trim().is_empty() {
        return Err(CaptchaRefusal::Refused("no captcha_token found".to_owned()).into());
    }
    if config.provider == CaptchaProvider::Altcha {
        return altcha::check(state, &config.secret, token.trim()).await;
    }
    let address = config.siteverify_url.as_deref().unwrap_or_else(|| judge_of(config.provider));
    let (secret, timeout) = (config.secret.expose_secret(), config.timeout);
    let judge = Siteverify { address, secret, timeout };
    match judge.ask(&state.environment.outgoing, token.trim(), client).await {
        Ok(SiteverifyVerdict::Passed) => Ok(()),
        Ok(SiteverifyVerdict::Refused(reasons)) => Err(CaptchaRefusal::Refused(reasons).into()),
        Err(error) => Err(CaptchaRefusal::Unavailable(error.into()).into()),
    }
}

fn judge_of(provider: CaptchaProvider) -> &'static str {
    match provider {
        CaptchaProvider::Hcaptcha => Siteverify::HCAPTCHA,
        CaptchaProvider::Turnstile | CaptchaProvider::Altcha => Siteverify::TURNSTILE,
    }
}
