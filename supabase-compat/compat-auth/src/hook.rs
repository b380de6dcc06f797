//! Where an operator's own code has a say: a function of the database, or an address that is asked
//! by HTTP in the manner of Standard Webhooks.
//!
//! Functions may be asked within a flow's transaction (`…_within`), so that what they write is kept
//! or taken back with it. An address may take seconds to answer, so it is only asked while neither
//! a transaction nor a connection is held.

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

/// Claims that a hook may change and must keep.
const REQUIRED_CLAIMS: [&str; 10] =
    ["aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"];

/// Whether a hook is an address, which is never asked within a transaction.
pub fn is_outside(hook: Option<&Hook>) -> bool {
    hook.is_some_and(|hook| matches!(hook.target, HookTarget::Http { .. }))
}

/// Asks while nothing is held: a function in a transaction of its own, an address without any.
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
            refused_or(reply.map_err(|error| ExternalAccountRefusal::Provider {
                task: "Error running hook",
                source: error.into(),
            })?)
        }
    }
}

/// Asks within a transaction; nothing where no function is hooked in.
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
    refused_or(answer.unwrap_or(Value::Null))
}

/// An `error` in the answer refuses the request in the hook's own words.
fn refused_or(answer: Value) -> Result<Value, AuthError> {
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

/// What every hook is told beside its own facts. Whoever carries mail and messages from the queue
/// serves no client any more.
fn metadata(state: &State, name: &str, context: Option<&RequestContext>) -> Value {
    json!({
        "uuid": state.uuid(),
        "time": state.now(),
        "name": name,
        "ip_address": context.map(|context| context.ip.to_string()),
    })
}

/// May replace the claims of an access token, but for those that mean something to us. Asked within
/// the transaction that opens or continues the session, where a function is hooked in.
///
/// # Errors
/// The hook refuses, fails, or forgets a claim.
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

/// The same by an address, after the commit.
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

/// An address may refuse an account before anything is locked for it.
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

/// A function may refuse an account before anything of it is written.
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

/// A function is told of an account once everything of it is written, and may still refuse it.
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

/// An address is told of an account once its row can be read.
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
    ask(state, hook, &payload).await.map(drop)
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
    ask(state, hook, &payload).await.map(drop)
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

/// May reject a second factor's code that was tried, right or wrong.
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
