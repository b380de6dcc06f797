//! The settings of the ranking, with their defaults and limits.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use compat_http::SettingProblem;
use secrecy::{ExposeSecret, SecretString};

use crate::RateLimitConfig;

/// Settings of the ranking.
#[derive(Debug, Clone)]
pub struct Config {
    /// `SITE_SECRET` (at least 32 characters; the server generates one when none is set and keeps
    /// it with its keys): the secret from which the keys for address hashes and challenges are
    /// derived. All processes of one site need the same secret. After a change, every cooldown by
    /// address starts again.
    pub site_secret: SecretString,
    /// The bot check.
    pub captcha: CaptchaConfig,
    /// `VOTE_RATE_BURST` (10) and `VOTE_RATE_REFILL` (seconds, 6): votes that one address may
    /// attempt.
    pub vote_rate: RateLimitConfig,
    /// `CAPTCHA_RATE_BURST` (30) and `CAPTCHA_RATE_REFILL` (seconds, 2): challenges that one
    /// address may request.
    pub challenge_rate: RateLimitConfig,
    /// `CLICK_RATE_BURST` (30) and `CLICK_RATE_REFILL` (seconds, 2): visits to server pages that
    /// one address may report. One visit per day and server counts.
    pub click_rate: RateLimitConfig,
    /// `REMINDER_RATE_BURST` (20) and `REMINDER_RATE_REFILL` (seconds, 6): reminders that one
    /// address may request or cancel.
    pub reminder_rate: RateLimitConfig,
    /// `VOTE_API_RATE_BURST` (60) and `VOTE_API_RATE_REFILL` (seconds, 1): requests to the vote API
    /// from one address by a public server id, or by an unknown token.
    pub question_rate: RateLimitConfig,
    /// `VOTE_API_TOKEN_RATE_BURST` (1200) and `VOTE_API_TOKEN_RATE_REFILL` (seconds, 0.05): the
    /// same with a valid token; a game server asks on behalf of all its players.
    pub token_question_rate: RateLimitConfig,
    /// `STATUS_ASK_RATE_BURST` (30) and `STATUS_ASK_RATE_REFILL` (seconds, 2): server status
    /// requests that one address may make.
    pub status_ask_rate: RateLimitConfig,
    /// Status queries to game servers.
    pub status: StatusConfig,
    /// How long rows are kept that grow with every vote, click or day.
    pub retention: Retention,
    /// `SOCIAL_NOTIFY_URL` (none): the address where new servers are announced, which takes
    /// messages in the format of Discord's webhooks. It contains a secret. The host must be on the
    /// public internet, or in `OUTGOING_ALLOWED_HOSTS`.
    pub announcements: Option<SecretString>,
}

/// Settings of the status queries to game servers.
#[derive(Debug, Clone, Copy)]
pub struct StatusConfig {
    /// `STATUS_RATE` (20): status queries per second, by all processes together. The more servers
    /// there are, the longer the time between two queries to one server. With 0, a server is
    /// queried only when a visitor requests its status.
    pub rate: u32,
    /// `STATUS_CONCURRENCY` (64): status queries that one process runs at once.
    pub concurrency: usize,
    /// `STATUS_INTERVAL` (seconds, 300): the shortest time between two queries to one server, even
    /// where `STATUS_RATE` would allow more.
    pub interval: Duration,
}

impl Default for StatusConfig {
    fn default() -> Self {
        Self { rate: 20, concurrency: 64, interval: Duration::from_secs(300) }
    }
}

impl StatusConfig {
    /// The time between two queries to one server, in seconds, when there are this many servers; at
    /// most a day.
    pub(crate) fn interval(&self, servers: i64) -> i32 {
        let shared = servers.max(0).cast_unsigned() / u64::from(self.rate.max(1));
        let seconds = shared.max(self.interval.as_secs()).min(DAY.as_secs());
        i32::try_from(seconds).unwrap_or(i32::MAX)
    }

    fn problems(&self) -> Vec<SettingProblem> {
        let mut problems = Vec::new();
        if self.rate > 1_000 {
            problems.push(SettingProblem::new("STATUS_RATE", "0 to 1000 servers a second"));
        }
        if !(1..=1_000).contains(&self.concurrency) {
            problems.push(SettingProblem::new("STATUS_CONCURRENCY", "1 to 1000 servers at once"));
        }
        if !(30..=86_400).contains(&self.interval.as_secs()) {
            problems.push(SettingProblem::new("STATUS_INTERVAL", "30 to 86400 seconds"));
        }
        problems
    }
}

/// How long rows are kept in the tables that grow every day. The totals that were computed from
/// them stay.
#[derive(Debug, Clone)]
pub struct Retention {
    /// `VOTE_IDENTITY_RETENTION_DAYS` (30): how long a vote or a click keeps the hash of its
    /// address. Must be longer than any cooldown, because a cooldown ends when the hash is removed.
    pub identities: Duration,
    /// `VOTE_RETENTION_DAYS` (400): votes. No shorter than their address hashes, nor than two
    /// months, so that a month's leaders can be recounted.
    pub votes: Duration,
    /// `CLICK_RETENTION_DAYS` (90): clicks. No shorter than their address hashes.
    pub clicks: Duration,
    /// `VOTER_TOTALS_RETENTION_DAYS` (100): each voter's totals by day, week and month, counted
    /// from the end of that period.
    pub voter_totals: Duration,
    /// `DELIVERY_RETENTION_DAYS` (30): deliveries of votes, successful or not, and vote tickets.
    pub deliveries: Duration,
    /// `STATUS_RETENTION_DAYS` (90): the availability and player counts of each server by day.
    pub statuses: Duration,
    /// `SECURITY_EVENT_RETENTION_DAYS` (400): the log of security events from pages and of
    /// moderators' decisions.
    pub security_events: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            identities: 30 * DAY,
            votes: 400 * DAY,
            clicks: 90 * DAY,
            voter_totals: 100 * DAY,
            deliveries: 30 * DAY,
            statuses: 90 * DAY,
            security_events: 400 * DAY,
        }
    }
}

impl Retention {
    fn problems(&self) -> Vec<SettingProblem> {
        let identities = days(self.identities);
        [
            ("VOTE_IDENTITY_RETENTION_DAYS", self.identities, 1),
            ("VOTE_RETENTION_DAYS", self.votes, identities.clamp(62, LONGEST)),
            ("CLICK_RETENTION_DAYS", self.clicks, identities.clamp(2, LONGEST)),
            ("VOTER_TOTALS_RETENTION_DAYS", self.voter_totals, 1),
            ("DELIVERY_RETENTION_DAYS", self.deliveries, 1),
            ("STATUS_RETENTION_DAYS", self.statuses, 31),
            ("SECURITY_EVENT_RETENTION_DAYS", self.security_events, 1),
        ]
        .into_iter()
        .filter(|(_, retention, shortest)| !(*shortest..=LONGEST).contains(&days(*retention)))
        .map(|(name, _, shortest)| SettingProblem::new(name, format!("{shortest} to 3650 days")))
        .collect()
    }
}

fn days(duration: Duration) -> u64 {
    duration.as_secs() / DAY.as_secs()
}

/// The longest retention, in days.
const LONGEST: u64 = 3650;

/// Settings of the captcha.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// `CAPTCHA_PROVIDER` (`altcha`).
    pub provider: CaptchaProvider,
    /// `CAPTCHA_SITE_KEY` (none): the public key by which an outside provider identifies the site.
    pub site_key: Option<String>,
    /// `CAPTCHA_SECRET` (none): the key with which the server authenticates to an outside provider.
    pub secret: Option<SecretString>,
    /// `CAPTCHA_SITEVERIFY_URL` (the provider's own): the address where an outside provider checks
    /// answers.
    pub siteverify_url: Option<String>,
    /// `CAPTCHA_TIMEOUT` (seconds, 5): the timeout of a call to an outside provider.
    pub timeout: Duration,
    /// `CAPTCHA_COST` (5000): iterations of PBKDF2-SHA-256 per attempt.
    pub cost: u32,
    /// `CAPTCHA_ROUNDS` (100-200): the middle of this range is the mean number of attempts per
    /// challenge. The number is drawn evenly from 1 upwards, so that nobody can skip the first
    /// attempts. With the default cost, the mean is three quarters of a million iterations: about a
    /// second on one core of a modest phone, and the widget uses several cores.
    pub rounds: RangeInclusive<u32>,
    /// `CAPTCHA_LIFETIME` (seconds, 600): how long a challenge can be answered.
    pub lifetime: Duration,
}

/// The judge of the captcha answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptchaProvider {
    /// Proof of work, checked here: no third party and no account.
    Altcha,
    /// hCaptcha, by its widget and its `siteverify`.
    Hcaptcha,
    /// Cloudflare Turnstile, in the same way.
    Turnstile,
}

impl CaptchaProvider {
    /// The word used in settings and pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Altcha => "altcha",
            Self::Hcaptcha => "hcaptcha",
            Self::Turnstile => "turnstile",
        }
    }
}

pub(crate) const MIN_SECRET: usize = 32;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MAX_ITERATIONS: u64 = 100_000_000;

impl Config {
    /// The default settings with this secret, which has no default.
    pub fn new(site_secret: SecretString) -> Self {
        Self {
            site_secret,
            captcha: CaptchaConfig::default(),
            vote_rate: RateLimitConfig { burst: 10, refill: Duration::from_secs(6) },
            challenge_rate: RateLimitConfig { burst: 30, refill: Duration::from_secs(2) },
            reminder_rate: RateLimitConfig { burst: 20, refill: Duration::from_secs(6) },
            click_rate: RateLimitConfig { burst: 30, refill: Duration::from_secs(2) },
            question_rate: RateLimitConfig { burst: 60, refill: Duration::from_secs(1) },
            token_question_rate: RateLimitConfig { burst: 1200, refill: Duration::from_millis(50) },
            status_ask_rate: RateLimitConfig { burst: 30, refill: Duration::from_secs(2) },
            status: StatusConfig::default(),
            retention: Retention::default(),
            announcements: None,
        }
    }

    /// Every invalid setting; empty when all are valid.
    pub fn problems(&self) -> Vec<SettingProblem> {
        let mut problems = self.captcha.problems();
        if self.site_secret.expose_secret().chars().count() < MIN_SECRET {
            let expected = format!("at least {MIN_SECRET} characters");
            problems.push(SettingProblem::new("SITE_SECRET", expected));
        }
        problems.extend(self.status.problems());
        problems.extend(self.retention.problems());
        if self.announcements.as_ref().is_some_and(|url| !is_web_address(url.expose_secret())) {
            problems.push(SettingProblem::new("SOCIAL_NOTIFY_URL", "an http or https address"));
        }
        for (name, rate) in self.allowances() {
            if rate.burst == 0 || rate.refill.is_zero() {
                let names = format!("{name}_BURST and {name}_REFILL");
                problems.push(SettingProblem::new(names, "more than nothing of each"));
            }
        }
        problems
    }

    /// The rate limits, each with the prefix of its two variables.
    fn allowances(&self) -> [(&'static str, RateLimitConfig); 7] {
        [
            ("VOTE_RATE", self.vote_rate),
            ("CAPTCHA_RATE", self.challenge_rate),
            ("CLICK_RATE", self.click_rate),
            ("REMINDER_RATE", self.reminder_rate),
            ("STATUS_ASK_RATE", self.status_ask_rate),
            ("VOTE_API_RATE", self.question_rate),
            ("VOTE_API_TOKEN_RATE", self.token_question_rate),
        ]
    }
}

fn is_web_address(text: &str) -> bool {
    let address = text.parse::<http::Uri>().ok();
    address.is_some_and(|address| {
        matches!(address.scheme_str(), Some("http" | "https")) && address.host().is_some()
    })
}

impl CaptchaConfig {
    fn problems(&self) -> Vec<SettingProblem> {
        let mut problems = Vec::new();
        // A voter's browser computes the product, so the limit is on it and not on each factor.
        let most = u64::from(self.cost) * u64::from(*self.rounds.end());
        if self.rounds.is_empty()
            || *self.rounds.start() == 0
            || !(1..=MAX_ITERATIONS).contains(&most)
        {
            problems.push(SettingProblem::new(
                "CAPTCHA_COST and CAPTCHA_ROUNDS",
                "1 to 100000000 iterations in all",
            ));
        }
        if !(30..=3600).contains(&self.lifetime.as_secs()) {
            problems.push(SettingProblem::new("CAPTCHA_LIFETIME", "30 to 3600 seconds"));
        }
        if !(1..=30).contains(&self.timeout.as_secs()) {
            problems.push(SettingProblem::new("CAPTCHA_TIMEOUT", "1 to 30 seconds"));
        }
        if self.siteverify_url.as_ref().is_some_and(|url| !is_web_address(url)) {
            let expected = "an http or https address";
            problems.push(SettingProblem::new("CAPTCHA_SITEVERIFY_URL", expected));
        }
        let has_keys = self.site_key.as_ref().is_some_and(|key| !key.trim().is_empty())
            && self.secret.as_ref().is_some_and(|secret| !secret.expose_secret().is_empty());
        if self.provider != CaptchaProvider::Altcha && !has_keys {
            let expected = "both, as the provider gave them";
            problems.push(SettingProblem::new("CAPTCHA_SITE_KEY and CAPTCHA_SECRET", expected));
        }
        problems
    }
}

impl Default for CaptchaConfig {
    fn default() -> Self {
        Self {
            provider: CaptchaProvider::Altcha,
            site_key: None,
            secret: None,
            siteverify_url: None,
            timeout: Duration::from_secs(5),
            cost: 5_000,
            rounds: 100..=200,
            lifetime: Duration::from_secs(600),
        }
    }
}

impl FromStr for CaptchaProvider {
    type Err = SettingProblem;

    fn from_str(text: &str) -> Result<Self, SettingProblem> {
        match text {
            "altcha" => Ok(Self::Altcha),
            "hcaptcha" => Ok(Self::Hcaptcha),
            "turnstile" => Ok(Self::Turnstile),
            _ => Err(SettingProblem::new("CAPTCHA_PROVIDER", "altcha, hcaptcha or turnstile")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_settings_with_long_secret_are_valid() {
        assert_eq!(Config::new("s".repeat(32).into()).problems(), []);
    }

    #[test]
    fn all_invalid_settings_are_reported_by_name() {
        let mut config = Config::new("short".into());
        config.captcha.cost = 0;
        config.captcha.lifetime = Duration::ZERO;
        config.vote_rate.burst = 0;
        config.question_rate.refill = Duration::ZERO;
        config.retention.identities = Duration::MAX;
        config.retention.votes = 61 * DAY;
        config.retention.deliveries = Duration::ZERO;
        config.announcements = Some("discord.example/hook".into());
        let texts: Vec<_> = config.problems().iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "CAPTCHA_COST and CAPTCHA_ROUNDS: expected 1 to 100000000 iterations in all",
                "CAPTCHA_LIFETIME: expected 30 to 3600 seconds",
                "SITE_SECRET: expected at least 32 characters",
                "VOTE_IDENTITY_RETENTION_DAYS: expected 1 to 3650 days",
                "VOTE_RETENTION_DAYS: expected 3650 to 3650 days",
                "CLICK_RETENTION_DAYS: expected 3650 to 3650 days",
                "DELIVERY_RETENTION_DAYS: expected 1 to 3650 days",
                "SOCIAL_NOTIFY_URL: expected an http or https address",
                "VOTE_RATE_BURST and VOTE_RATE_REFILL: expected more than nothing of each",
                "VOTE_API_RATE_BURST and VOTE_API_RATE_REFILL: expected more than nothing of each",
            ]
        );
    }

    #[test]
    fn unknown_captcha_provider_is_refused() {
        for provider in
            [CaptchaProvider::Altcha, CaptchaProvider::Hcaptcha, CaptchaProvider::Turnstile]
        {
            assert_eq!(provider.as_str().parse(), Ok(provider));
        }
        let refusal = "recaptcha".parse::<CaptchaProvider>().expect_err("no adapter");
        let expected = "CAPTCHA_PROVIDER: expected altcha, hcaptcha or turnstile";
        assert_eq!(refusal.to_string(), expected);
    }

    #[test]
    fn a_provider_outside_needs_both_its_keys() {
        let mut config = CaptchaConfig {
            provider: CaptchaProvider::Turnstile,
            site_key: Some("key".into()),
            ..CaptchaConfig::default()
        };
        assert_eq!(config.problems().len(), 1);
        config.secret = Some("secret".into());
        assert_eq!(config.problems(), []);
    }

    #[test]
    fn the_secret_is_not_printed() {
        let config = Config::new("a very secret secret, long enough".into());
        assert!(!format!("{config:?}").contains("very secret"));
    }
}
