//! Where an operator's own code has a say: a function of the database, or an address that is asked by HTTP in the
//! manner of Standard Webhooks.

use serde_json::{Value, json};
use sqlx::PgConnection;

use super::Visit;
use crate::config::{Hook, HookTarget};
use crate::error::{AuthError, OutsideRefusal};
use crate::model::User;
use crate::model::user_body::UserBody;
use crate::state::State;
use crate::store;
use crate::store::factor::FactorSecret;

mod webhook;

/// Claims that a hook may change and must keep.
const REQUIRED_CLAIMS: [&str; 10] =
    ["aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"];

/// Asks a hook; an `error` in its answer refuses the request in the hook's own words.
async fn ask(
    state: &State,
    conn: &mut PgConnection,
    hook: &Hook,
    payload: &Value,
) -> Result<Value, AuthError> {
    let answer = match &hook.target {
        HookTarget::Function { name } => {
            let asked = store::hook::run(conn, name, payload).await;
            asked.map_err(|error| AuthError::database("Error running hook", error))?
        }
        HookTarget::Http { url } => {
            let asked = webhook::ask(state, url, &hook.secrets, payload).await;
            Some(asked.map_err(|error| OutsideRefusal::Provider {
                task: "Error running hook",
                source: error.into(),
            })?)
        }
    };
    let answer = answer.unwrap_or(Value::Null);
    match answer.get("error").filter(|error| !error.is_null()) {
        Some(error) => Err(refusal(error)),
        None => Ok(answer),
    }
}

fn refusal(error: &Value) -> AuthError {
    let status =
        error.get("http_code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let message = error.get("message").and_then(Value::as_str).unwrap_or("Error running hook");
    AuthError::Hook { status: status.unwrap_or(500), message: message.to_owned() }
}

fn metadata(state: &State, name: &str, visit: Option<&Visit>) -> Value {
    json!({
        "uuid": state.uuid(),
        "time": state.now(),
        "name": name,
        "ip_address": visit.map(|visit| visit.ip.to_string()),
    })
}

/// May replace the claims of an access token, but for those that mean something to us.
///
/// # Errors
/// The hook refuses, fails, or forgets a claim.
pub async fn custom_access_token(
    state: &State,
    conn: &mut PgConnection,
    claims: Value,
    method: &str,
) -> Result<Value, AuthError> {
    let Some(hook) = &state.config.hooks.custom_access_token else { return Ok(claims) };
    let payload = json!({
        "metadata": metadata(state, "custom-access-token", None),
        "user_id": claims["sub"],
        "claims": claims,
        "authentication_method": method,
    });
    let mut answer = ask(state, conn, hook, &payload).await?;
    let claims = answer.get_mut("claims").map(Value::take).unwrap_or_default();
    match REQUIRED_CLAIMS.iter().find(|name| claims.get(**name).is_none()) {
        Some(missing) => {
            let message = format!(
                "output claims do not conform to the expected schema: {missing} is required"
            );
            Err(AuthError::Hook { status: 500, message })
        }
        None => Ok(claims),
    }
}

/// May refuse an account before anything of it is written.
///
/// # Errors
/// The hook refuses or fails.
pub async fn before_user_created(
    state: &State,
    conn: &mut PgConnection,
    visit: Option<&Visit>,
    user: &User,
) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.before_user_created else { return Ok(()) };
    let payload = json!({
        "metadata": metadata(state, "before-user-created", visit),
        "user": UserBody::from(user),
    });
    ask(state, conn, hook, &payload).await.map(drop)
}

/// Told of an account once everything of it is written, inside its transaction; may still refuse it.
///
/// # Errors
/// The hook refuses or fails.
pub async fn after_user_created(
    state: &State,
    conn: &mut PgConnection,
    visit: Option<&Visit>,
    user: &User,
) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.after_user_created else { return Ok(()) };
    let payload = json!({
        "metadata": metadata(state, "after-user-created", visit),
        "user": UserBody::from(user),
    });
    ask(state, conn, hook, &payload).await.map(drop)
}

/// Hands a code over to be texted.
///
/// # Errors
/// The hook refuses or fails.
pub async fn send_sms(
    state: &State,
    user: &Value,
    phone: &str,
    code: &str,
) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.send_sms else { return Ok(()) };
    let payload = json!({
        "metadata": metadata(state, "send-sms", None),
        "user": user,
        "sms": {"otp": code, "phone": phone},
    });
    let mut tx = state.begin().await?;
    ask(state, &mut tx, hook, &payload).await?;
    Ok(tx.commit().await?)
}

/// Hands a mail over to be sent.
///
/// # Errors
/// The hook refuses or fails.
pub async fn send_email(state: &State, user: &Value, email_data: &Value) -> Result<(), AuthError> {
    let Some(hook) = &state.config.hooks.send_email else { return Ok(()) };
    let payload = json!({
        "metadata": metadata(state, "send-email", None),
        "user": user,
        "email_data": email_data,
    });
    let mut tx = state.begin().await?;
    ask(state, &mut tx, hook, &payload).await?;
    Ok(tx.commit().await?)
}

/// What a hook on an attempt decided.
pub enum Decision {
    Continue,
    Reject { message: String, sign_out: bool },
}

/// May reject a password that was tried, right or wrong.
///
/// # Errors
/// The hook fails.
pub async fn password_attempt(
    state: &State,
    conn: &mut PgConnection,
    user: &User,
    valid: bool,
) -> Result<Decision, AuthError> {
    let Some(hook) = &state.config.hooks.password_verification_attempt else {
        return Ok(Decision::Continue);
    };
    let payload = json!({
        "metadata": metadata(state, "password-verification-attempt", None),
        "user_id": user.id,
        "valid": valid,
    });
    Ok(decision(&ask(state, conn, hook, &payload).await?, "Invalid login credentials"))
}

/// May reject a second factor's code that was tried, right or wrong.
///
/// # Errors
/// The hook fails.
pub async fn factor_attempt(
    state: &State,
    conn: &mut PgConnection,
    user: &User,
    factor: &FactorSecret,
    valid: bool,
) -> Result<Decision, AuthError> {
    let Some(hook) = &state.config.hooks.mfa_verification_attempt else {
        return Ok(Decision::Continue);
    };
    let payload = json!({
        "metadata": metadata(state, "mfa-verification-attempt", None),
        "user_id": user.id,
        "factor_id": factor.id,
        "factor_type": factor.factor_type,
        "valid": valid,
    });
    let default = "Further MFA verification attempts will be rejected.";
    Ok(decision(&ask(state, conn, hook, &payload).await?, default))
}

fn decision(answer: &Value, default: &str) -> Decision {
    if answer.get("decision").and_then(Value::as_str) != Some("reject") {
        return Decision::Continue;
    }
    let message = answer.get("message").and_then(Value::as_str).filter(|text| !text.is_empty());
    let sign_out = answer.get("should_logout_user").and_then(Value::as_bool);
    Decision::Reject {
        message: message.unwrap_or(default).to_owned(),
        sign_out: sign_out.unwrap_or(true),
    }
}
