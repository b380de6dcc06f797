//! The captcha provider of the pages, and the sources that a page must allow for this provider.

use ranking::{CaptchaConfig, CaptchaProvider};

/// The public settings of the captcha.
#[derive(Debug, Clone)]
pub struct Captcha {
    provider: CaptchaProvider,
    site_key: String,
}

impl Captcha {
    /// Takes the public settings from the configuration.
    pub fn of(config: &CaptchaConfig) -> Self {
        let site_key = config.site_key.clone().unwrap_or_default();
        Self { provider: config.provider, site_key }
    }

    /// The name by which the pages know the provider.
    pub fn provider(&self) -> &'static str {
        self.provider.as_str()
    }

    /// The key by which the provider knows the site; empty if none is configured.
    pub fn site_key(&self) -> &str {
        &self.site_key
    }

    /// The sources of the provider's scripts, frames, styles and calls, as its documentation lists
    /// them, each after a space.
    pub fn sources(&self) -> &'static str {
        match self.provider {
            CaptchaProvider::Altcha => "",
            CaptchaProvider::Hcaptcha => " https://hcaptcha.com https://*.hcaptcha.com",
            CaptchaProvider::Turnstile => " https://challenges.cloudflare.com",
        }
    }
}
