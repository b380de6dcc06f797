//! What an operator may set about voting.

use std::{ops::RangeInclusive, str::FromStr, time::Duration};

use secrecy::SecretString;

use crate::Allowance;

/// Settings of the ranking.
#[derive(Debug, Clone)]
pub struct Config {
    /// `SITE_SECRET` (at least 32 characters; the server makes one when none is given and keeps it
    /// with its keys): what address hashes and challenges are keyed with. All processes of one
    /// site need the same, and with a new one every cooldown by address begins anew.
    pub site_secret: SecretString,
    /// How people show that they spent some effort.
    pub captcha: CaptchaConfig,
    /// `VOTE_RATE_BURST` (10) and `VOTE_RATE_REFILL` (seconds, 6): votes tried by one address.
    pub vote_rate: Allowance,
    /// `CAPTCHA_RATE_BURST` (30) and `CAPTCHA_RATE_REFILL` (seconds, 2): challenges asked for by
    /// one address.
    pub challenge_rate: Allowance,
    /// `VOTE_IDENTITY_RETENTION_DAYS` (30): how long a vote keeps the hash of its address. Longer
    /// than any cooldown, or the cooldown ends with it.
    pub identity_retention: Duration,
}

/// Settings of the captcha.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// `CAPTCHA_PROVIDER` (`altcha`).
    pub provider: CaptchaProvider,
    /// `CAPTCHA_COST` (5000): iterations of PBKDF2-SHA-256 in one try.
    pub cost: u32,
    /// `CAPTCHA_ROUNDS` (100-200): how many tries a challenge takes, drawn for each. With the
    /// default cost that is at most a million iterations: about a second on one core of a modest
    /// phone, and the widget uses several.
    pub rounds: RangeInclusive<u32>,
    /// `CAPTCHA_LIFETIME` (seconds, 600): how long a challenge may be answered.
    pub lifetime: Duration,
}

/// Who judges that effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptchaProvider {
    /// Proof of work, checked here: no third party and no account.
    Altcha,
}

/// A setting the ranking cannot run with.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// The provider is not one of ours.
    #[error("CAPTCHA_PROVIDER: {0:?} is not supported; supported: altcha")]
    UnsupportedCaptcha(String),
    /// Short secrets can be tried.
    #[error("SITE_SECRET: at least {MIN_SECRET} characters are needed")]
    ShortSecret,
    /// A challenge of no effort, of no try, or one nobody could finish.
    #[error("CAPTCHA_COST and CAPTCHA_ROUNDS: from 1 up to 100000000 iterations in all")]
    CaptchaEffort,
    /// Too short to be solved, or so long that spent challenges pile up.
    #[error("CAPTCHA_LIFETIME: from 30 to 3600 seconds")]
    CaptchaLifetime,
    /// Forgetting sooner would end cooldowns early; hashes kept for ever are nobody's need.
    #[error("VOTE_IDENTITY_RETENTION_DAYS: from 1 to 3650 days")]
    IdentityRetention,
    /// Nobody could ever vote.
    #[error("{0}_BURST and {0}_REFILL: at least 1 each")]
    Allowance(&'static str),
}

pub(crate) const MIN_SECRET: usize = 32;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MAX_ITERATIONS: u64 = 100_000_000;

impl Config {
    /// The defaults around a given secret; there is none by default.
    pub fn new(site_secret: SecretString) -> Self {
        Self {
            site_secret,
            captcha: CaptchaConfig::default(),
            vote_rate: Allowance { burst: 10, refill: Duration::from_secs(6) },
            challenge_rate: Allowance { burst: 30, refill: Duration::from_secs(2) },
            identity_retention: 30 * DAY,
        }
    }

    /// Every setting that cannot be run with; empty when all can.
    pub fn errors(&self) -> Vec<ConfigError> {
        use secrecy::ExposeSecret;
        let mut errors = self.captcha.errors();
        if self.site_secret.expose_secret().chars().count() < MIN_SECRET {
            errors.push(ConfigError::ShortSecret);
        }
        if !(DAY..=3650 * DAY).contains(&self.identity_retention) {
            errors.push(ConfigError::IdentityRetention);
        }
        for (name, rate) in [("VOTE_RATE", self.vote_rate), ("CAPTCHA_RATE", self.challenge_rate)] {
            if rate.burst == 0 || rate.refill.is_zero() {
                errors.push(ConfigError::Allowance(name));
            }
        }
        errors
    }
}

impl CaptchaConfig {
    fn errors(&self) -> Vec<ConfigError> {
        let mut errors = Vec::new();
        let most = u64::from(self.cost) * u64::from(*self.rounds.end());
        if self.rounds.is_empty()
            || *self.rounds.start() == 0
            || !(1..=MAX_ITERATIONS).contains(&most)
        {
            errors.push(ConfigError::CaptchaEffort);
        }
        if !(30..=3600).contains(&self.lifetime.as_secs()) {
            errors.push(ConfigError::CaptchaLifetime);
        }
        errors
    }
}

impl Default for CaptchaConfig {
    fn default() -> Self {
        Self {
            provider: CaptchaProvider::Altcha,
            cost: 5_000,
            rounds: 100..=200,
            lifetime: Duration::from_secs(600),
        }
    }
}

impl FromStr for CaptchaProvider {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        match text {
            "altcha" => Ok(Self::Altcha),
            other => Err(ConfigError::UnsupportedCaptcha(other.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_around_a_long_secret_can_be_run_with() {
        assert_eq!(Config::new("s".repeat(32).into()).errors(), []);
    }

    #[test]
    fn every_bad_setting_is_reported_at_once_by_name() {
        let mut config = Config::new("short".into());
        config.captcha.cost = 0;
        config.captcha.lifetime = Duration::ZERO;
        config.vote_rate.burst = 0;
        config.identity_retention = Duration::MAX;
        let texts: Vec<_> = config.errors().iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "CAPTCHA_COST and CAPTCHA_ROUNDS: from 1 up to 100000000 iterations in all",
                "CAPTCHA_LIFETIME: from 30 to 3600 seconds",
                "SITE_SECRET: at least 32 characters are needed",
                "VOTE_IDENTITY_RETENTION_DAYS: from 1 to 3650 days",
                "VOTE_RATE_BURST and VOTE_RATE_REFILL: at least 1 each",
            ]
        );
    }

    #[test]
    fn a_provider_without_an_adapter_is_refused_by_name() {
        assert_eq!("altcha".parse(), Ok(CaptchaProvider::Altcha));
        let refusal = "hcaptcha".parse::<CaptchaProvider>().expect_err("no adapter");
        assert_eq!(
            refusal.to_string(),
            "CAPTCHA_PROVIDER: \"hcaptcha\" is not supported; supported: altcha"
        );
    }

    #[test]
    fn the_secret_is_not_printed() {
        let config = Config::new("a very secret secret, long enough".into());
        assert!(!format!("{config:?}").contains("very secret"));
    }
}
