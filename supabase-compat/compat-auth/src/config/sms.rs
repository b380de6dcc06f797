//! Codes by text message.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use secrecy::SecretString;

/// Codes by text message.
#[derive(Debug, Clone)]
pub struct SmsConfig {
    /// `GOTRUE_SMS_PROVIDER`; without a provider only test numbers work.
    pub provider: Option<SmsProvider>,
    /// `GOTRUE_SMS_OTP_EXP`.
    pub otp_expiry: Duration,
    /// `GOTRUE_SMS_OTP_LENGTH`, 6 to 10 digits.
    pub otp_length: usize,
    /// `GOTRUE_SMS_MAX_FREQUENCY`: the shortest time between two messages of one kind to one user.
    pub max_frequency: Duration,
    /// `GOTRUE_RATE_LIMIT_SMS_SENT`: messages per hour of the whole installation; `None` is no
    /// limit.
    pub sent_per_hour: Option<u32>,
    /// `GOTRUE_SMS_TEMPLATE`; `{{ .Code }}` is the code.
    pub template: String,
    /// `GOTRUE_SMS_TEST_OTP`: test numbers, to which nothing is sent, with their codes.
    pub test_otp: BTreeMap<String, String>,
    /// `GOTRUE_SMS_TEST_OTP_VALID_UNTIL`.
    pub test_otp_valid_until: Option<DateTime<Utc>>,
}

impl Default for SmsConfig {
    fn default() -> Self {
        Self {
            provider: None,
            otp_expiry: Duration::from_secs(60),
            otp_length: 6,
            max_frequency: Duration::from_secs(60),
            sent_per_hour: None,
            template: "Your code is {{ .Code }}".to_owned(),
            test_otp: BTreeMap::new(),
            test_otp_valid_until: None,
        }
    }
}

/// The provider that sends text messages.
#[derive(Debug, Clone)]
pub enum SmsProvider {
    Twilio(TwilioConfig),
}

/// Twilio, or a service with the same API.
#[derive(Debug, Clone)]
pub struct TwilioConfig {
    /// `GOTRUE_SMS_TWILIO_ACCOUNT_SID`.
    pub account_sid: String,
    /// `GOTRUE_SMS_TWILIO_AUTH_TOKEN`.
    pub auth_token: SecretString,
    /// `GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID`: a messaging service or a number.
    pub sender: String,
    /// `COMPAT_SMS_TWILIO_URL`: the address of another service with Twilio's API.
    pub base_url: Option<String>,
}
