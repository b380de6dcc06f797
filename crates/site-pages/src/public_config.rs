//! The settings of the program that the pages get.

use std::time::Duration;

use ranking::{CaptchaConfig, RateLimitConfig, Retention, SiteFacts};
use serde_json::{Value, json};

use crate::html::in_script;
use crate::load::captcha::Captcha;

/// The settings that are written into every page.
pub struct PublicConfig {
    captcha: Captcha,
    api_limits: ApiLimits,
    retention: RetentionPeriods,
}

impl PublicConfig {
    /// Collects the settings; of the captcha's settings only the public ones.
    pub fn new(
        captcha: &CaptchaConfig,
        api_limits: ApiLimits,
        retention: RetentionPeriods,
    ) -> Self {
        Self { captcha: Captcha::of(captcha), api_limits, retention }
    }

    /// The sources that the content security policy must allow for the captcha.
    pub(crate) fn captcha_sources(&self) -> &'static str {
        self.captcha.sources()
    }

    /// The values that the pages need to start, as JSON for a script element.
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
    /// Calls from one address that name a server by its public id.
    pub by_id: RateLimitConfig,
    /// Calls from one address that send a token.
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
    /// The retention periods of the ranking's rows.
    pub retention: Retention,
    /// How many days auth/v1 keeps its audit log; `None` means for ever.
    pub audit_log_days: Option<u32>,
}

impl RetentionPeriods {
    /// The periods in whole days; a period without an end is `null`.
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
