//! What an operator may set about voting.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use compat_http::SettingProblem;
use secrecy::{ExposeSecret, SecretString};

use crate::RateLimitConfig;

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
    pub vote_rate: RateLimitConfig,
    /// `CAPTCHA_RATE_BURST` (30) and `CAPTCHA_RATE_REFILL` (seconds, 2): challenges asked for by
    /// one address.
    pub challenge_rate: RateLimitConfig,
    /// `CLICK_RATE_BURST` (30) and `CLICK_RATE_REFILL` (seconds, 2): visits to servers' pages told
    /// by one address. One visit a day and server counts.
    pub click_rate: RateLimitConfig,
    /// `REMINDER_RATE_BURST` (20) and `REMINDER_RATE_REFILL` (seconds, 6): reminders asked for or
    /// ended by one address.
    pub reminder_rate: RateLimitConfig,
    /// `VOTE_API_RATE_BURST` (60) and `VOTE_API_RATE_REFILL` (seconds, 1): questions one address
    /// may ask the vote API by a server's public id, or by a token nobody has.
    pub question_rate: RateLimitConfig,
    /// `VOTE_API_TOKEN_RATE_BURST` (1200) and `VOTE_API_TOKEN_RATE_REFILL` (seconds, 0.05): the
    /// same by a token; a game server asks for everybody on it.
    pub token_question_rate: RateLimitConfig,
    /// `STATUS_ASK_RATE_BURST` (30) and `STATUS_ASK_RATE_REFILL` (seconds, 2): servers whose state
    /// one address may ask for.
    pub status_ask_rate: RateLimitConfig,
    /// How game servers are asked.
    pub status: StatusConfig,
    /// How long what comes with every vote is kept.
    pub retention: Retention,
    /// `SOCIAL_NOTIFY_URL` (none): where new servers are announced, an address that takes messages
    /// as Discord's webhooks do. It holds a secret. On the public internet, or among
    /// `OUTGOING_ALLOWED_HOSTS`.
    pub announcements: Option<SecretString>,
}

/// How game servers are asked how they are.
#[derive(Debug, Clone, Copy)]
pub struct StatusConfig {
    /// `STATUS_RATE` (20): servers asked in a second, by all processes together. The more servers
    /// there are, the longer each waits for its turn. With 0 none is asked before a visitor does.
    pub rate: u32,
    /// `STATUS_CONCURRENCY` (64): servers one process asks at once.
    pub concurrency: usize,
    /// `STATUS_INTERVAL` (seconds, 300): how soon a server is asked again, where there are so few
    /// that each could be asked sooner.
    pub interval: Duration,
}

impl Default for StatusConfig {
    fn default() -> Self {
        Self { rate: 20, concurrency: 64, interval: Duration::from_secs(300) }
    }
}

impl StatusConfig {
    /// The time between two questions to one of so many servers, in seconds; no longer than a day.
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

/// How long rows are kept of which there are more every day, in days. The figures made of them
/// stay.
#[derive(Debug, Clone)]
pub struct Retention {
    /// `VOTE_IDENTITY_RETENTION_DAYS` (30): how long a vote or a click keeps the hash of its
    /// address. Longer than any cooldown, or the cooldown ends with it.
    pub identities: Duration,
    /// `VOTE_RETENTION_DAYS` (400): votes. No shorter than their addresses, nor than two months,
    /// from which a month's leaders can be counted anew.
    pub votes: Duration,
    /// `CLICK_RETENTION_DAYS` (90): clicks. No shorter than their addresses.
    pub clicks: Duration,
    /// `VOTER_TOTALS_RETENTION_DAYS` (100): what each voter gave in a day, week or month, after
    /// its end.
    pub voter_totals: Duration,
    /// `DELIVERY_RETENTION_DAYS` (30): announcements of votes, made or not.
    pub deliveries: Duration,
    /// `STATUS_RETENTION_DAYS` (90): how each server was on each day, and who played.
    pub statuses: Duration,
    /// `SECURITY_EVENT_RETENTION_DAYS` (400): the log of what pages noticed and who decided what.
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

/// Days that anything is kept at most.
const LONGEST: u64 = 3650;

/// Settings of the captcha.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// `CAPTCHA_PROVIDER` (`altcha`).
    pub provider: CaptchaProvider,
    /// `CAPTCHA_SITE_KEY` (none): what the other providers know the site's pages by. Public.
    pub site_key: Option<String>,
    /// `CAPTCHA_SECRET` (none): what they know the server by.
    pub secret: Option<SecretString>,
    /// `CAPTCHA_SITEVERIFY_URL` (the provider's own): where they judge.
    pub siteverify_url: Option<String>,
    /// `CAPTCHA_TIMEOUT` (seconds, 5): how long they may take.
    pub timeout: Duration,
    /// `CAPTCHA_COST` (5000): iterations of PBKDF2-SHA-256 in one try.
    pub cost: u32,
    /// `CAPTCHA_ROUNDS` (100-200): how many tries a challenge takes in the mean, which is the
    /// middle of the two; the number is drawn for each challenge evenly from one, so that nobody
    /// can skip the first. With the default cost that is three quarters of a million iterations:
    /// about a second on one core of a modest phone, and the widget uses several.
    pub rounds: RangeInclusive<u32>,
    /// `CAPTCHA_LIFETIME` (seconds, 600): how long a challenge may be answered.
    pub lifetime: Duration,
}

/// Who judges that effort.
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
    /// The defaults around a given secret; there is none by default.
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

    /// Every setting that cannot be run with; empty when all can.
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

    /// The allowances with the name their two variables begin with.
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
    fn the_defaults_around_a_long_secret_can_be_run_with() {
        assert_eq!(Config::new("s".repeat(32).into()).problems(), []);
    }

    #[test]
    fn every_bad_setting_is_reported_at_once_by_name() {
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
    fn a_provider_without_an_adapter_is_refused_by_name() {
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
