//! Settings of payments.

use std::str::FromStr;

use compat_http::SettingProblem;
use secrecy::{ExposeSecret as _, SecretString};

/// The settings of payments. Defaults are in parentheses.
#[derive(Debug, Clone)]
pub struct Config {
    /// `PAYMENT_PROVIDER` (`test`; in production none, so that nothing can be bought): the provider
    /// of the checkout page.
    pub provider: Option<ProviderName>,
    /// `STRIPE_SECRET_KEY` (none): the key of the Stripe account that receives the money.
    pub stripe_key: Option<SecretString>,
    /// `STRIPE_WEBHOOK_SECRETS` (none): the secrets that webhook events are signed with; several
    /// while one replaces another.
    pub stripe_webhook_secrets: Vec<SecretString>,
    /// `STRIPE_API_URL` (`https://api.stripe.com`): the address of Stripe's API.
    pub stripe_api_url: String,
    /// Whether this is a production site (`COMPAT_ENVIRONMENT`), where the provider that takes no
    /// money is refused.
    pub is_production: bool,
}

/// The provider of the checkout page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderName {
    /// A page of our own that takes no money.
    Test,
    /// Stripe Checkout.
    Stripe,
}

impl ProviderName {
    /// The name used in settings and rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Stripe => "stripe",
        }
    }
}

impl FromStr for ProviderName {
    type Err = SettingProblem;

    fn from_str(text: &str) -> Result<Self, SettingProblem> {
        match text {
            "test" => Ok(Self::Test),
            "stripe" => Ok(Self::Stripe),
            _ => Err(SettingProblem::new("PAYMENT_PROVIDER", "test or stripe")),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            provider: Some(ProviderName::Test),
            stripe_key: None,
            stripe_webhook_secrets: Vec::new(),
            stripe_api_url: "https://api.stripe.com".to_owned(),
            is_production: false,
        }
    }
}

impl Config {
    /// The defaults of a production site, or of one for tests and trials.
    pub fn for_site(is_production: bool) -> Self {
        let provider = (!is_production).then_some(ProviderName::Test);
        Self { provider, is_production, ..Self::default() }
    }

    /// Every invalid setting; empty when all are valid.
    pub fn problems(&self) -> Vec<SettingProblem> {
        let mut problems = Vec::new();
        if self.is_production && self.provider == Some(ProviderName::Test) {
            let expected = "stripe, since test takes no money and COMPAT_ENVIRONMENT is production";
            problems.push(SettingProblem::new("PAYMENT_PROVIDER", expected));
        }
        if self.provider != Some(ProviderName::Stripe) {
            return problems;
        }
        let is_set = |secret: &SecretString| !secret.expose_secret().trim().is_empty();
        if !self.stripe_key.as_ref().is_some_and(is_set) {
            problems.push(SettingProblem::new("STRIPE_SECRET_KEY", "the account's secret key"));
        }
        // A stray comma in the setting makes an empty secret, with which anybody could sign.
        let secrets = &self.stripe_webhook_secrets;
        if secrets.is_empty() || !secrets.iter().all(is_set) {
            let expected = "the signing secrets of the webhook, separated by commas";
            problems.push(SettingProblem::new("STRIPE_WEBHOOK_SECRETS", expected));
        }
        let address = self.stripe_api_url.parse::<http::Uri>().ok();
        let is_web_address = address.is_some_and(|address| {
            matches!(address.scheme_str(), Some("http" | "https")) && address.host().is_some()
        });
        if !is_web_address {
            let expected = "an http or https address";
            problems.push(SettingProblem::new("STRIPE_API_URL", expected));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripe() -> Config {
        Config {
            provider: Some(ProviderName::Stripe),
            stripe_key: Some("sk_test_a".into()),
            stripe_webhook_secrets: vec!["whsec_a".into()],
            ..Config::for_site(true)
        }
    }

    fn problems(config: &Config) -> Vec<String> {
        config.problems().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn test_provider_is_rejected_in_production() {
        assert_eq!(problems(&Config::for_site(false)), [""; 0]);
        assert_eq!(Config::for_site(true).provider, None);
        assert_eq!(problems(&Config::for_site(true)), [""; 0]);
        let test = Config { provider: Some(ProviderName::Test), ..Config::for_site(true) };
        let refusal = "PAYMENT_PROVIDER: expected stripe, since test takes no money and \
                       COMPAT_ENVIRONMENT is production";
        assert_eq!(problems(&test), [refusal]);
        assert_eq!(problems(&stripe()), [""; 0]);
    }

    #[test]
    fn all_invalid_provider_settings_are_reported_together() {
        let config = Config {
            stripe_key: None,
            stripe_webhook_secrets: vec!["a".into(), " ".into()],
            stripe_api_url: "api.stripe.com".into(),
            ..stripe()
        };
        assert_eq!(
            problems(&config),
            [
                "STRIPE_SECRET_KEY: expected the account's secret key",
                "STRIPE_WEBHOOK_SECRETS: expected the signing secrets of the webhook, separated \
                 by commas",
                "STRIPE_API_URL: expected an http or https address",
            ]
        );
    }

    #[test]
    fn the_secrets_are_not_printed() {
        let text = format!("{:?}", stripe());
        assert!(!text.contains("sk_test") && !text.contains("whsec"), "{text}");
    }
}
