//! What the pages are told of the program's settings.

use std::time::Duration;

use ranking::{CaptchaConfig, RateLimitConfig, Retention, SiteFacts};
use serde_json::{Value, json};

use crate::html::in_script;
use crate::load::captcha::Captcha;

/// Settings of the program that pages show.
pub struct PublicConfig {
    captcha: Captcha,
    api_limits: ApiLimits,
    retention: RetentionPeriods,
}

impl PublicConfig {
    /// Of the captcha, only what a page has to know.
    pub fn new(
        captcha: &CaptchaConfig,
        api_limits: ApiLimits,
        retention: RetentionPeriods,
    ) -> Self {
        Self { captcha: Captcha::of(captcha), api_limits, retention }
    }

    /// Where the captcha's scripts, frames and calls come from and go to.
    pub(crate) fn captcha_sources(&self) -> &'static str {
        self.captcha.sources()
    }

    /// The few values that the pages need to start, as JSON for a script element.
    pub(crate) fn to_json(&self, anon_key: &str, facts: &SiteFacts) -> String {
        in_script(&json!({
            "url": "",
            "anonKey": anon_key,
            "captcha": self.captcha.provider(),
            "captchaSiteKey": self.captcha.site_key(),
            "siteName": facts.name,
            "timezone": facts.timezone,
            "monthEndsAt": facts.month_ends_at,
            "voteCooldownSeconds": facts.vote_cooldown_seconds,
            "questions": self.api_limits.to_json(),
            "retention": self.retention.to_json(),
        }))
    }
}

/// Rate limits of the vote API, as shown in its documentation.
#[derive(Debug, Clone, Copy)]
pub struct ApiLimits {
    /// Calls from one address by a server's public id.
    pub by_id: RateLimitConfig,
    /// Calls from one address by a token.
    pub by_token: RateLimitConfig,
}

impl ApiLimits {
    fn to_json(self) -> Value {
        let rate = |allowance: RateLimitConfig| json!({ "burst": allowance.burst, "refillSeconds": allowance.refill.as_secs_f64() });
        json!({ "byId": rate(self.by_id), "byToken": rate(self.by_token) })
    }
}

/// Retention periods, as shown in the privacy policy.
pub struct RetentionPeriods {
    /// What the ranking keeps, for how long.
    pub retention: Retention,
    /// Days that auth/v1 keeps its log; none is for ever.
    pub audit_log_days: Option<u32>,
}

impl RetentionPeriods {
    /// In whole days; what is kept for ever is null.
    fn to_json(&self) -> Value {
        let days = |retention: Duration| retention.as_secs() / 86_400;
        let Retention {
            identities,
            votes,
            clicks,
            voter_totals,
            deliveries,
            statuses: _,
            security_events,
        } = self.retention;
        json!({
            "addressDays": days(identities),
            "voteDays": days(votes),
            "clickDays": days(clicks),
            "totalsDays": days(voter_totals),
            "deliveryDays": days(deliveries),
            "securityDays": days(security_events),
            "auditDays": self.audit_log_days,
        })
    }
}
