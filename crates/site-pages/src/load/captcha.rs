//! Whose captcha the pages show, and what a page has to allow for it: that provider and no other.

use ranking::{CaptchaConfig, CaptchaProvider};

/// The captcha, as far as a page has to know it.
#[derive(Debug, Clone)]
pub struct Captcha {
    provider: CaptchaProvider,
    site_key: String,
}

impl Captcha {
    /// The captcha of these settings.
    pub fn of(config: &CaptchaConfig) -> Self {
        let site_key = config.site_key.clone().unwrap_or_default();
        Self { provider: config.provider, site_key }
    }

    /// The provider's name to the pages.
    pub fn provider(&self) -> &'static str {
        self.provider.as_str()
    }

    /// What the provider knows the pages by; empty where there is nobody to tell.
    pub fn site_key(&self) -> &str {
        &self.site_key
    }

    /// Where the provider's scripts, frames, styles and calls come from and go to, each with a blank
    /// before it, as the providers' documentation asks for it.
    pub fn sources(&self) -> &'static str {
        match self.provider {
            CaptchaProvider::Altcha => "",
            CaptchaProvider::Hcaptcha => " https://hcaptcha.com https://*.hcaptcha.com",
            CaptchaProvider::Turnstile => " https://challenges.cloudflare.com",
        }
    }
}
