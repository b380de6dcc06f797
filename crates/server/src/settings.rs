//! The site's own settings, read together with the stack's so that all mistakes show at once.

use std::time::Duration;

use compat_stack::Settings;
use compat_stack::cli;
use compat_stack::settings::{Reader, ServeArguments, SettingsError, finish};
use ranking::{Allowance, CaptchaConfig, CaptchaProvider, Config};
use secrecy::SecretString;

/// What the site can be told beyond the services.
#[derive(Debug, Clone)]
pub struct SiteSettings {
    /// How people show that they spent some effort.
    pub captcha: CaptchaConfig,
    /// Votes tried by one address.
    pub vote_rate: Allowance,
    /// Challenges asked for by one address.
    pub challenge_rate: Allowance,
    /// Visits to servers' pages told by one address.
    pub click_rate: Allowance,
    /// Questions one address asks the vote API by a public id.
    pub question_rate: Allowance,
    /// Questions one address asks the vote API by a token.
    pub token_question_rate: Allowance,
    /// How long a vote or a click keeps the hash of its address.
    pub identity_retention: Duration,
}

impl SiteSettings {
    /// The ranking's configuration around the site's secret.
    pub fn ranking(&self, site_secret: SecretString) -> Config {
        Config {
            captcha: self.captcha.clone(),
            vote_rate: self.vote_rate,
            challenge_rate: self.challenge_rate,
            click_rate: self.click_rate,
            question_rate: self.question_rate,
            token_question_rate: self.token_question_rate,
            identity_retention: self.identity_retention,
            ..Config::new(site_secret)
        }
    }
}

/// Reads all settings of the binary.
///
/// # Errors
/// Every mistake at once, by name.
pub fn read(arguments: &ServeArguments) -> Result<(Settings, SiteSettings), SettingsError> {
    let mut reader = cli::open(&arguments.data)?;
    let mut settings = Settings::read(&mut reader, arguments);
    // French first, here as on the pages, unless somebody says otherwise.
    if reader.text(&["COMPAT_MAILER_LANGUAGE"], "auth.email.language").is_none() {
        settings.auth.email.default_language = "fr".to_owned();
    }
    let site = read_site(&mut reader);
    finish(reader)?;
    Ok((settings, site))
}

fn read_site(reader: &mut Reader) -> SiteSettings {
    let default = Config::new(SecretString::default());
    let mut captcha = default.captcha;
    if let Some(provider) = reader.with(&["CAPTCHA_PROVIDER"], "captcha.provider", provider) {
        captcha.provider = provider;
    }
    if let Some(cost) = reader.parsed(&["CAPTCHA_COST"], "captcha.cost") {
        captcha.cost = cost;
    }
    if let Some(rounds) = reader.with(&["CAPTCHA_ROUNDS"], "captcha.rounds", range) {
        captcha.rounds = rounds;
    }
    if let Some(lifetime) = reader.duration(&["CAPTCHA_LIFETIME"], "captcha.lifetime") {
        captcha.lifetime = lifetime;
    }
    let retention = reader.parsed::<u64>(&["VOTE_IDENTITY_RETENTION_DAYS"], "votes.retention_days");
    let site = SiteSettings {
        captcha,
        vote_rate: allowance(reader, "VOTE_RATE", default.vote_rate),
        challenge_rate: allowance(reader, "CAPTCHA_RATE", default.challenge_rate),
        click_rate: allowance(reader, "CLICK_RATE", default.click_rate),
        question_rate: allowance(reader, "VOTE_API_RATE", default.question_rate),
        token_question_rate: allowance(reader, "VOTE_API_TOKEN_RATE", default.token_question_rate),
        identity_retention: retention
            .map_or(default.identity_retention, |days| Duration::from_secs(days * 86_400)),
    };
    // The secret is made when none is given, so a stand-in keeps its own rule out of this check.
    for problem in site.ranking("0".repeat(64).into()).problems() {
        reader.refuse(&problem.name, format!("expected {}", problem.expected));
    }
    site
}

/// `<NAME>_BURST` and `<NAME>_REFILL` (seconds until one more is allowed).
fn allowance(reader: &mut Reader, name: &str, default: Allowance) -> Allowance {
    let key = name.to_lowercase();
    let (burst, refill) = (format!("{name}_BURST"), format!("{name}_REFILL"));
    Allowance {
        burst: reader.parsed(&[&burst], &format!("{key}.burst")).unwrap_or(default.burst),
        refill: reader.duration(&[&refill], &format!("{key}.refill")).unwrap_or(default.refill),
    }
}

fn provider(text: &str) -> Result<CaptchaProvider, String> {
    text.parse()
        .map_err(|problem: ranking::SettingProblem| format!("expected {}", problem.expected))
}

fn range(text: &str) -> Result<std::ops::RangeInclusive<u32>, String> {
    let parse = |part: &str| part.trim().parse::<u32>().ok();
    text.split_once('-')
        .and_then(|(from, to)| Some(parse(from)?..=parse(to)?))
        .ok_or_else(|| "expected two numbers such as 100-200".to_owned())
}
