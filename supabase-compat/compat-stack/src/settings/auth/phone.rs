//! Settings of text messages.

use compat_auth::{SmsConfig, SmsProvider, TwilioConfig};

use super::values::{otp_length, per_hour};
use crate::settings::reader::Reader;

/// Reads the settings of codes by text message.
pub fn sms(reader: &mut Reader) -> SmsConfig {
    let mut config = SmsConfig { provider: twilio(reader), ..SmsConfig::default() };
    reader.over(&mut config.otp_expiry, &["GOTRUE_SMS_OTP_EXP"], "auth.sms.otp_expiry");
    reader.over_with(
        &mut config.otp_length,
        &["GOTRUE_SMS_OTP_LENGTH"],
        "auth.sms.otp_length",
        otp_length,
    );
    reader.over(&mut config.max_frequency, &["GOTRUE_SMS_MAX_FREQUENCY"], "auth.sms.max_frequency");
    // The original uses its own text if none is set.
    if let Some(text) = reader.text(&["GOTRUE_SMS_TEMPLATE"], "auth.sms.template") {
        config.template = text;
    }
    reader.over_with(
        &mut config.sent_per_hour,
        &["GOTRUE_RATE_LIMIT_SMS_SENT"],
        "auth.rate_limit.sms_sent",
        per_hour,
    );
    let mut listed: Vec<String> = Vec::new();
    reader.over(&mut listed, &["GOTRUE_SMS_TEST_OTP"], "auth.sms.test_otp_list");
    let pairs = listed.iter().filter_map(|pair| pair.split_once([':', '=']));
    config.test_otp = pairs.map(|(phone, code)| (phone.to_owned(), code.to_owned())).collect();
    config.test_otp.extend(reader.below("auth.sms.test_otp."));
    reader.over_with(
        &mut config.test_otp_valid_until,
        &["GOTRUE_SMS_TEST_OTP_VALID_UNTIL"],
        "auth.sms.test_otp_valid_until",
        |text| text.parse().map(Some).map_err(|_| "a time such as 2030-01-31T12:00:00Z"),
    );
    config
}

fn twilio(reader: &mut Reader) -> Option<SmsProvider> {
    let mut is_on = false;
    reader.over(&mut is_on, &[], "auth.sms.twilio.enabled");
    reader.over_with(&mut is_on, &["GOTRUE_SMS_PROVIDER"], "auth.sms.provider", |text| {
        (text == "twilio").then_some(true).ok_or("twilio")
    });
    let mut text = |variable: &str, key: &str| {
        reader.text(&[variable], &format!("auth.sms.twilio.{key}")).unwrap_or_default()
    };
    let config = TwilioConfig {
        account_sid: text("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "account_sid"),
        auth_token: text("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "auth_token").into(),
        sender: text("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "message_service_sid"),
        base_url: Some(text("COMPAT_SMS_TWILIO_URL", "url")).filter(|url| !url.is_empty()),
    };
    if !reader.counts("auth.sms.twilio.", is_on) {
        return None;
    }
    if config.account_sid.is_empty() && config.sender.is_empty() {
        // Copied environment files often name the provider without an account. No text messages can
        // be sent then, and everything else works.
        tracing::warn!("text messages unavailable: the Twilio account is not set");
        return None;
    }
    for (value, name) in [
        (&config.account_sid, "GOTRUE_SMS_TWILIO_ACCOUNT_SID"),
        (&config.sender, "GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID"),
    ] {
        if value.is_empty() {
            reader.refuse(name, "a value: the rest of Twilio's account is set");
        }
    }
    Some(SmsProvider::Twilio(config))
}
