//! The site's own settings, read together with the stack's so that all mistakes are reported
//! together.

mod buckets;

use std::ops::RangeInclusive;
use std::time::Duration;

use compat_stack::Settings;
use compat_stack::http::SettingProblem;
use compat_stack::settings::{Reader, ServeArguments, SettingsError, finish};
use ranking::{CaptchaConfig, Config, RateLimitConfig, Retention, StatusConfig};
use secrecy::SecretString;
use site_pages::{ApiLimits, PublicConfig, RetentionPeriods};

/// The settings of the site itself; those of the services are in [`Settings`].
#[derive(Debug, Clone)]
pub struct SiteSettings {
    /// How people pass the bot check.
    pub captcha: CaptchaConfig,
    /// The limit on vote attempts from one address.
    pub vote_rate: RateLimitConfig,
    /// The limit on captcha challenges for one address.
    pub challenge_rate: RateLimitConfig,
    /// The limit on visits to servers' pages that one address reports.
    pub click_rate: RateLimitConfig,
    /// The limit on reminders that one address subscribes to or cancels.
    pub reminder_rate: RateLimitConfig,
    /// The limit on requests of one address to the vote API with a public id.
    pub question_rate: RateLimitConfig,
    /// The limit on requests of one address to the vote API with a token.
    pub token_question_rate: RateLimitConfig,
    /// The limit on checks of a game server's status that one address requests.
    pub status_ask_rate: RateLimitConfig,
    /// How the status of game servers is checked.
    pub status: StatusConfig,
    /// How long the data of votes are kept.
    pub retention: Retention,
    /// How many days auth/v1 keeps its audit log; `None` keeps it for ever.
    pub audit_log_days: Option<u32>,
    /// The webhook to which new servers are announced.
    pub announcements: Option<SecretString>,
    /// The settings of payments.
    pub payments: payments::Config,
}

impl SiteSettings {
    /// The ranking's configuration, with the site's secret.
    pub fn ranking(&self, site_secret: SecretString) -> Config {
        Config {
            captcha: self.captcha.clone(),
            vote_rate: self.vote_rate,
            challenge_rate: self.challenge_rate,
            click_rate: self.click_rate,
            reminder_rate: self.reminder_rate,
            question_rate: self.question_rate,
            token_question_rate: self.token_question_rate,
            status_ask_rate: self.status_ask_rate,
            status: self.status,
            retention: self.retention.clone(),
            announcements: self.announcements.clone(),
            ..Config::new(site_secret)
        }
    }

    /// The settings that the pages may show.
    pub fn public_config(&self) -> PublicConfig {
        let api_limits =
            ApiLimits { by_id: self.question_rate, by_token: self.token_question_rate };
        let retention = RetentionPeriods {
            retention: self.retention.clone(),
            audit_log_days: self.audit_log_days,
        };
        PublicConfig::new(&self.captcha, api_limits, retention)
    }
}

/// Reads all settings of the binary.
///
/// # Errors
/// All invalid settings together, by name.
pub fn read(arguments: &ServeArguments) -> Result<(Settings, SiteSettings), SettingsError> {
    let mut reader = compat_cli::open_settings(&arguments.data)?;
    // A single request may not ask for more than a page can show.
    reader.preset("api.max_rows", "1000");
    reader.preset("api.max_embed_depth", "5");
    reader.preset("retention.audit_log_days", "400");
    // Emails are in French by default, as the pages are.
    reader.preset("auth.email.language", "fr");
    reader.preset("auth.email.brand_name", "Palmarès");
    // The violet of the pages' buttons on white.
    reader.preset("auth.email.brand_colour", "#6d3ae6");
    // A taken username is refused before the account is created.
    reader.preset("auth.hook.before_user_created.enabled", "true");
    reader.preset(
        "auth.hook.before_user_created.uri",
        "pg-functions://postgres/public/refuse_taken_username",
    );
    buckets::preset(&mut reader);
    let settings = Settings::read(&mut reader, arguments);
    let site = read_site(&mut reader, settings.production);
    finish(reader)?;
    Ok((settings, site))
}

fn read_site(reader: &mut Reader, is_production: bool) -> SiteSettings {
    let default = Config::new(SecretString::default());
    let mut captcha = default.captcha;
    reader.over_with(&mut captcha.provider, &["CAPTCHA_PROVIDER"], "captcha.provider", |text| {
        text.parse().map_err(|problem: SettingProblem| problem.expected)
    });
    captcha.site_key = reader.text(&["CAPTCHA_SITE_KEY"], "captcha.site_key");
    captcha.secret = reader.text(&["CAPTCHA_SECRET"], "captcha.secret").map(SecretString::from);
    captcha.siteverify_url = reader.text(&["CAPTCHA_SITEVERIFY_URL"], "captcha.siteverify_url");
    reader.over(&mut captcha.timeout, &["CAPTCHA_TIMEOUT"], "captcha.timeout");
    reader.over(&mut captcha.cost, &["CAPTCHA_COST"], "captcha.cost");
    reader.over_with(&mut captcha.rounds, &["CAPTCHA_ROUNDS"], "captcha.rounds", range);
    reader.over(&mut captcha.lifetime, &["CAPTCHA_LIFETIME"], "captcha.lifetime");
    let mut status = default.status;
    reader.over(&mut status.rate, &["STATUS_RATE"], "status.rate");
    reader.over(&mut status.concurrency, &["STATUS_CONCURRENCY"], "status.concurrency");
    reader.over(&mut status.interval, &["STATUS_INTERVAL"], "status.interval");
    let site = SiteSettings {
        captcha,
        vote_rate: allowance(reader, "VOTE_RATE", default.vote_rate),
        challenge_rate: allowance(reader, "CAPTCHA_RATE", default.challenge_rate),
        click_rate: allowance(reader, "CLICK_RATE", default.click_rate),
        reminder_rate: allowance(reader, "REMINDER_RATE", default.reminder_rate),
        question_rate: allowance(reader, "VOTE_API_RATE", default.question_rate),
        token_question_rate: allowance(reader, "VOTE_API_TOKEN_RATE", default.token_question_rate),
        status_ask_rate: allowance(reader, "STATUS_ASK_RATE", default.status_ask_rate),
        status,
        retention: retention(reader, default.retention),
        audit_log_days: reader.get(&["AUDIT_LOG_RETENTION_DAYS"], "retention.audit_log_days"),
        announcements: reader
            .text(&["SOCIAL_NOTIFY_URL"], "announcements.url")
            .map(SecretString::from),
        payments: payments(reader, is_production),
    };
    reader.refuse_all(site.payments.problems());
    // A missing secret is generated later, so this check uses a placeholder that satisfies the
    // secret's own rule.
    reader.refuse_all(site.ranking("0".repeat(64).into()).problems());
    site
}

fn payments(reader: &mut Reader, is_production: bool) -> payments::Config {
    let mut config = payments::Config::for_site(is_production);
    let provider = reader.with(&["PAYMENT_PROVIDER"], "payments.provider", |text| {
        text.parse().map_err(|problem: SettingProblem| problem.expected)
    });
    config.provider = provider.or(config.provider);
    config.stripe_key =
        reader.text(&["STRIPE_SECRET_KEY"], "payments.stripe.secret_key").map(SecretString::from);
    let secrets = reader.text(&["STRIPE_WEBHOOK_SECRETS"], "payments.stripe.webhook_secrets");
    config.stripe_webhook_secrets = secrets
        .iter()
        .flat_map(|secrets| secrets.split(','))
        .map(|secret| SecretString::from(secret.trim()))
        .collect();
    let url = reader.text(&["STRIPE_API_URL"], "payments.stripe.api_url");
    config.stripe_api_url = url.unwrap_or(config.stripe_api_url);
    config
}

fn retention(reader: &mut Reader, default: Retention) -> Retention {
    let mut days = |name: &str, key: &str, usual: Duration| {
        let days_set: Option<u64> = reader.get(&[name], key);
        days_set.map_or(usual, |days| Duration::from_secs(days.saturating_mul(86_400)))
    };
    Retention {
        identities: days(
            "VOTE_IDENTITY_RETENTION_DAYS",
            "votes.retention_days",
            default.identities,
        ),
        votes: days("VOTE_RETENTION_DAYS", "retention.votes_days", default.votes),
        clicks: days("CLICK_RETENTION_DAYS", "retention.clicks_days", default.clicks),
        voter_totals: days(
            "VOTER_TOTALS_RETENTION_DAYS",
            "retention.voter_totals_days",
            default.voter_totals,
        ),
        deliveries: days(
            "DELIVERY_RETENTION_DAYS",
            "retention.deliveries_days",
            default.deliveries,
        ),
        statuses: days("STATUS_RETENTION_DAYS", "retention.statuses_days", default.statuses),
        security_events: days(
            "SECURITY_EVENT_RETENTION_DAYS",
            "retention.security_events_days",
            default.security_events,
        ),
    }
}

/// Reads the rate limit `<NAME>_BURST` and `<NAME>_REFILL` (seconds until one more call is
/// allowed).
fn allowance(reader: &mut Reader, name: &str, default: RateLimitConfig) -> RateLimitConfig {
    let (key, mut allowance) = (name.to_lowercase(), default);
    reader.over(&mut allowance.burst, &[&format!("{name}_BURST")], &format!("{key}.burst"));
    reader.over(&mut allowance.refill, &[&format!("{name}_REFILL")], &format!("{key}.refill"));
    allowance
}

fn range(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    let parse = |part: &str| part.trim().parse::<u32>().ok();
    text.split_once('-')
        .and_then(|(from, to)| Some(parse(from)?..=parse(to)?))
        .ok_or("two numbers such as 100-200")
}
