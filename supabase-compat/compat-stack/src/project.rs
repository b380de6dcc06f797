//! What the console shows of the stack itself: its background tasks, and the effective limits with
//! the settings that change them.

use std::time::Duration;

use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::{Settings, TaskStatus, Tasks};

/// The routes, below `/project` of the console.
pub(crate) fn router(settings: &Settings, tasks: Tasks) -> Router {
    let limits = json!({ "limits": limits(settings) });
    Router::new()
        .route("/tasks", get(move || std::future::ready(Json(described(&tasks)))))
        .route("/limits", get(move || std::future::ready(Json(limits.clone()))))
}

fn described(tasks: &Tasks) -> Value {
    let of = |one: TaskStatus| {
        json!({
            "name": one.name,
            "running_for_seconds": one.running_for.map(|time| time.as_secs()),
            "failures": one.failures,
        })
    };
    json!({ "tasks": tasks.statuses().into_iter().map(of).collect::<Vec<_>>() })
}

/// A limit: its name, its value, its unit, and the variable and the key of `config.toml` that
/// change it. A limit without a value is off.
fn limit(
    name: &str,
    value: impl Into<Option<u64>>,
    unit: &str,
    variable: &str,
    key: &str,
) -> Value {
    let (service, _) = name.split_once('.').unwrap_or((name, ""));
    json!({
        "name": name,
        "service": service,
        "value": value.into(),
        "unit": unit,
        "variable": variable,
        "key": key,
    })
}

fn limits(settings: &Settings) -> Vec<Value> {
    [sign_in(settings), realtime(settings), others(settings)].concat()
}

/// The limits of auth/v1 for each client address; all are off if rate limits are switched off.
fn sign_in(settings: &Settings) -> Vec<Value> {
    let (auth, limits) = (&settings.auth, &settings.auth.limits);
    let rate = |name: &str, value: u32, unit: &str, variable: &str, key: &str| {
        let value = limits.enabled.then_some(u64::from(value));
        let (variable, key) = (format!("GOTRUE_{variable}"), format!("auth.rate_limit.{key}"));
        limit(&format!("auth.{name}"), value, unit, &variable, &key)
    };
    let minutes = "five_minutes";
    vec![
        rate("otp", limits.otp, minutes, "RATE_LIMIT_OTP", "sign_in_sign_ups"),
        rate("verify", limits.verify, minutes, "RATE_LIMIT_VERIFY", "token_verifications"),
        rate("token", limits.token, minutes, "RATE_LIMIT_TOKEN_REFRESH", "token_refresh"),
        rate(
            "anonymous",
            limits.anonymous,
            "hour",
            "RATE_LIMIT_ANONYMOUS_USERS",
            "anonymous_users",
        ),
        rate("mfa", limits.mfa, "minute", "MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "mfa"),
        rate("passkey", limits.passkey, minutes, "RATE_LIMIT_PASSKEY", "passkey"),
        rate("sso", limits.sso, minutes, "RATE_LIMIT_SSO", "sso"),
        limit(
            "auth.emails",
            auth.email.sent_per_hour.map(u64::from),
            "hour",
            "GOTRUE_RATE_LIMIT_EMAIL_SENT",
            "auth.rate_limit.email_sent",
        ),
        limit(
            "auth.email_pause",
            seconds(auth.email.max_frequency),
            "seconds",
            "GOTRUE_SMTP_MAX_FREQUENCY",
            "auth.email.max_frequency",
        ),
    ]
}

fn realtime(settings: &Settings) -> Vec<Value> {
    let config = &settings.realtime;
    let of = |name: &str, value: u64, unit: &str, variable: &str, key: &str| {
        let (name, key) = (format!("realtime.{name}"), format!("realtime.{key}"));
        limit(&name, value, unit, variable, &key)
    };
    vec![
        of(
            "sockets",
            config.max_sockets as u64,
            "at_once",
            "TENANT_MAX_CONCURRENT_USERS",
            "max_concurrent_users",
        ),
        of(
            "channels",
            config.max_channels_per_socket as u64,
            "per_socket",
            "TENANT_MAX_CHANNELS_PER_CLIENT",
            "max_channels_per_client",
        ),
        of(
            "events",
            u64::from(config.max_events_per_second),
            "second",
            "TENANT_MAX_EVENTS_PER_SECOND",
            "max_events_per_second",
        ),
        of(
            "joins",
            u64::from(config.max_joins_per_second),
            "second",
            "TENANT_MAX_JOINS_PER_SECOND",
            "max_joins_per_second",
        ),
    ]
}

fn others(settings: &Settings) -> Vec<Value> {
    let functions = &settings.functions;
    let mut limits = vec![
        limit(
            "storage.file_size",
            settings.storage.file_size_limit,
            "bytes",
            "FILE_SIZE_LIMIT",
            "storage.file_size_limit",
        ),
        limit(
            "functions.body",
            functions.max_body as u64,
            "bytes",
            "FUNCTIONS_MAX_BODY",
            "edge_runtime.max_body",
        ),
    ];
    if let Some(scripts) = &settings.scripts {
        limits.extend([
            limit(
                "functions.calls",
                scripts.limits.calls as u64,
                "at_once",
                "FUNCTIONS_MAX_CALLS",
                "edge_runtime.max_calls",
            ),
            limit(
                "functions.time",
                seconds(scripts.limits.wall_clock),
                "seconds",
                "FUNCTIONS_WALL_CLOCK_LIMIT",
                "edge_runtime.wall_clock_limit",
            ),
        ]);
    }
    limits
}

fn seconds(time: Duration) -> u64 {
    time.as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_belongs_to_the_service_of_its_name() {
        let one =
            limit("auth.otp", 30_u64, "five_minutes", "GOTRUE_RATE_LIMIT_OTP", "auth.rate_limit.x");
        assert_eq!((&one["service"], &one["value"]), (&json!("auth"), &json!(30)));
        let none = limit("auth.emails", None::<u64>, "hour", "V", "k");
        assert_eq!(none["value"], Value::Null);
    }
}
