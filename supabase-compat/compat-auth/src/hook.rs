//! Hooks with the operator's own code: a database function, or an HTTP endpoint that is called
//! according to Standard Webhooks.
//!
//! Functions may run in a flow's transaction (`…_within`), so that their writes are committed or
//! rolled back with it. An HTTP endpoint may take seconds, so it is called only while neither a
//! transaction nor a connection is held.

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::config::{Hook, HookTarget};
use crate::error::{AuthError, ExternalAccountRefusal};
use crate::model::user_body::UserBody;
use crate::model::{RequestContext, User};
use crate::state::State;
use crate::store;
use crate::store::factor::FactorSecret;
use crate::unit_of_work::UnitOfWork;

mod webhook;

/// Claims that a hook may change but not remove.
const REQUIRED_CLAIMS: [&str; 10] =
    ["aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"];

/// Whether a hook is an HTTP endpoint, which is never called within a transaction.
pub fn is_outside(hook: Option<&Hook>) -> bool {
    hook.is_some_and(|hook| matches!(hook.target, HookTarget::Http { .. }))
}

/// Calls a hook outside of a flow's transaction: a function in a transaction of its own, an
/// endpoint without one.
async fn ask(state: &State, hook: &Hook, payload: &Value) -> Result<Value, AuthError> {
    match &hook.target {
        HookTarget::Function { name } => {
            let mut tx = state.begin().await?;
            let answer = ask_function(&mut tx, name, payload).await?;
            tx.commit().await?;
            Ok(answer)
        }
        HookTarget::Http { url } => {
            let reply = webhook::ask(state, url, &hook.secrets, payload).await;
            hook_result(reply.map_err(|error| ExternalAccountRefusal::Provider {
                task: "Error running hook",
                source: error.into(),
            })?)
        }
    }
}

/// Calls a function within a transaction; `None` if the hook is no function.
async fn ask_within(
    conn: &mut PgConnection,
    hook: Option<&Hook>,
    payload: impl FnOnce() -> Value,
) -> Result<Option<Value>, AuthError> {
    match hook.map(|hook| &hook.target) {
        Some(HookTarget::Function { name }) => ask_function(conn, name, &payload()).await.map(Some),
        _ => Ok(None),
    }
}

async fn ask_function(
    conn: &mut PgConnection,
    name: &str,
    payload: &Value,
) -> Result<Value, AuthError> {
    let reply = store::hook::run(conn, name, payload).await;
    let answer = reply.map_err(|error| AuthError::database("Error running hook", error))?;
    hook_result(answer.unwrap_or(Value::Null))
}

/// An `error` in the hook's response refuses the request with the hook's message.
fn hook_result(answer: Value) -> Result<Value, AuthError> {
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

/// The metadata of every call. `context` is `None` for the worker of the outbox, which serves no
/// client.
fn metadata(state: &State, name: &str, context: Option<&RequestContext>) -> Value {
    json!({
        "uuid": state.uuid(),
        "time": state.now(),
        "name": name,
        "ip_address": context.map(|context| context.ip.to_string()),
    })
}

/// Calls the function that may replace the claims of an access token, except those this service
/// depends on, within the transaction that opens or continues the session.
///
/// # Errors
/// The hook refuses, fails, or omits a required claim.
pub async fn custom_access_token_within(
    work: &mut UnitOfWork<'_>,
    claims: Value,
    method: &str,
) -> Result<Value, AuthError> {
    let (state, context) = (work.state, work.context);
    let hook = state.config.hooks.custom_access_token.as_ref();
    let payload = || token_payload(state, context, &claims, method);
    match ask_within(&mut work.tx, hook, payload).await? {
        Some(answer) => checked_claims(answer),
        None => Ok(claims),
    }
}

/// Like [`custom_access_token_within`], by an HTTP endpoint and after the commit.
///
/// # Errors
/// As [`custom_access_token_within`].
pub async fn custom_access_token(
    state: &State,
    context: &RequestContext,
    claims: Value,
    method: &str,
) -> Result<Value, AuthError> {
    match &state.config.hooks.custom_access_token {
        Some(hook) if is_outside(Some(hook)) => {
            let payload = token_payload(state, context, &claims, method);
            checked_claims(ask(state, hook, &payload).await?)
        }
        _ => Ok(claims),
    }
}

fn token_payload(state: &State, context: &RequestContext, claims: &Value, method: &str) -> Value {
    json!({
        "metadata": metadata(state, "custom-access-token", Some(context)),
        "user_id": claims["sub"],
        "claims": claims,
        "authentication_method": method,
    })
}

fn checked_claims(mut answer: Value) -> Result<Value, AuthError> {
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

fn user_payload(state: &State, name: &str, context: &RequestContext, user: &User) -> Value {
    json!({"metadata": metadata(state, name, Some(context)), "user": UserBody::from(user)})
}

/// Calls the HTTP endpoint that may refuse an account, before anything is locked for it.
///
/// # Errors
/// The hook refuses or fails.
pub async fn before_user_created(
    state: &State,
    context: &RequestContext,
    user: &User,
) -> Result<(), AuthError> {
    match &state.config.hooks.before_user_created {
        Some(hook) if is_outside(Some(hook)) => {
            let payload = user_payload(state, "before-user-created", context, user);
            ask(state, hook, &payload).await.map(drop)
        }
        _ => Ok(()),
    }
}

/// Calls the function that may refuse an account, before anything of it is written.
///
/// # Errors
/// The hook refuses or fails.
pub async fn before_user_created_within(
    work: &mut UnitOfWork<'_>,
    user: &User,
) -> Result<(), AuthError> {
    let (state, context) = (work.state, work.context);
    let hook = state.config.hooks.before_user_created.as_ref();
    let payload = || user_payload(state, "before-user-created", context, user);
    ask_within(&mut work.tx, hook, payload).await.map(drop)
}

/// Calls the function that is notified of an account after it is written, and may still refuse it.
///
/// # Errors
/// The hook refuses or fails.
pub async fn after_user_created_within(
    work: &mut UnitOfWork<'_>,
    user: &User,
) -> Result<(), AuthError> {
    let (state, context) = (work.state, work.context);
    let hook = state.config.hooks.after_user_created.as_ref();
    let payload = || user_payload(state, "after-user-created", context, user);
    ask_within(&mut work.tx, hook, payload).await.map(drop)
}

/// Calls the HTTP endpoint that is notified of an account after the commit.
///
/// # Errors
/// The hook refuses or fails; the account stays.
pub async fn after_user_created(
    state: &State,
    context: &RequestContext,
    user: &User,
) -> Result<(), AuthError> {
    match &state.config.hooks.after_user_created {
        Some(hook) if is_outside(Some(hook)) => {
            let payload = user_payload(state, "after-user-created", context, user);
            ask(state, hook, &payload).await.map(drop)
        }
        _ => Ok(()),
    }
}

/// Passes a code to the hook that sends text messages.
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
    ask(state, hook, &payload).await.map(drop)
}

/// Passes a mail to the hook that sends mails.
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
    ask(state, hook, &payload).await.map(drop)
}

/// The decision of a hook about an attempt.
pub enum Decision {
    Continue,
    Reject { message: String, sign_out: bool },
}

/// Calls the hook that may reject a password attempt, right or wrong.
///
/// # Errors
/// The hook fails.
pub async fn password_attempt(
    state: &State,
    context: &RequestContext,
    user: &User,
    valid: bool,
) -> Result<Decision, AuthError> {
    let Some(hook) = &state.config.hooks.password_verification_attempt else {
        return Ok(Decision::Continue);
    };
    let payload = json!({
        "metadata": metadata(state, "password-verification-attempt", Some(context)),
        "user_id": user.id,
        "valid": valid,
    });
    Ok(decision(&ask(state, hook, &payload).await?, "Invalid login credentials"))
}

/// Calls the hook that may reject a second factor's code, right or wrong.
///
/// # Errors
/// The hook fails.
pub async fn factor_attempt(
    state: &State,
    context: &RequestContext,
    user: &User,
    factor: &FactorSecret,
    valid: bool,
) -> Result<Decision, AuthError> {
    let Some(hook) = &state.config.hooks.mfa_verification_attempt else {
        return Ok(Decision::Continue);
    };
    let payload = json!({
        "metadata": metadata(state, "mfa-verification-attempt", Some(context)),
        "user_id": user.id,
        "factor_id": factor.id,
        "factor_type": factor.factor_type,
        "valid": valid,
    });
    let default = "Further MFA verification attempts will be rejected.";
    Ok(decision(&ask(state, hook, &payload).await?, default))
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
