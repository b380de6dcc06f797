//! Emails with a code or a link: stored and rendered inside the flow's transaction.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_mail::Email;
use compat_pg::Owner;
use serde_json::{Value, json};

use super::link::link;
use super::{OutboxMessage, PendingMessages};
use crate::error::{AuthError, RateLimitRefusal};
use crate::guard::limit;
use crate::mail::{EmailFacts, MailKind};
use crate::model::user_body::UserBody;
use crate::model::{Challenge, RequestContext, TokenHash, User};
use crate::pending::{self, Code, Purpose, draw};
use crate::state::State;
use crate::store;

/// An email with one code to one address.
struct CodeEmail<'a> {
    kind: MailKind,
    code: &'a Code,
    to: &'a str,
}

/// Enqueues the mail that asks `user` to confirm their address.
pub async fn confirmation(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
    challenge: Option<&Challenge>,
) -> Result<PendingMessages, AuthError> {
    check_frequency(state, user.confirmation_sent_at)?;
    let code = draw(state, user.email(), challenge.is_some());
    put(state, tx, user, Purpose::Confirmation, &code).await?;
    begin_flow(state, tx, context, user, challenge, "email/signup").await?;
    to_account(state, tx, context, user, MailKind::Confirmation, &code).await
}

/// Enqueues a mail with a sign-in link: a recovery or a magic link.
pub async fn enqueue_sign_in_link(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
    kind: MailKind,
    challenge: Option<&Challenge>,
) -> Result<PendingMessages, AuthError> {
    // Both kinds share their columns, and so their minimum interval.
    check_frequency(state, user.recovery_sent_at)?;
    let code = draw(state, user.email(), challenge.is_some());
    put(state, tx, user, Purpose::Recovery, &code).await?;
    begin_flow(state, tx, context, user, challenge, kind.link_type()).await?;
    to_account(state, tx, context, user, kind, &code).await
}

/// Enqueues the mail that invites a person to an account created for them.
pub async fn invitation(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
) -> Result<PendingMessages, AuthError> {
    let code = draw(state, user.email(), false);
    put(state, tx, user, Purpose::Invitation, &code).await?;
    to_account(state, tx, context, user, MailKind::Invite, &code).await
}

/// Enqueues the mail with a reauthentication code.
pub async fn reauthentication(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
) -> Result<PendingMessages, AuthError> {
    check_frequency(state, user.reauthentication_sent_at)?;
    let code = draw(state, user.email(), false);
    put(state, tx, user, Purpose::Reauthentication, &code).await?;
    to_account(state, tx, context, user, MailKind::Reauthentication, &code).await
}

/// Enqueues the mails that confirm a change of address: to the new one, and to the old one if
/// `current` is given.
pub async fn email_change(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
    new_email: &str,
    new: &Code,
    current: Option<&Code>,
) -> Result<PendingMessages, AuthError> {
    let mut changed = user.clone();
    changed.email_change = Some(new_email.to_owned());
    let mail = |code, to| {
        rendered(state, context, &changed, &CodeEmail { kind: MailKind::EmailChange, code, to })
    };
    let to_new = mail(new, new_email);
    let to_old = current.map(|code| mail(code, user.email()));
    let mails = to_old.into_iter().chain([to_new]).collect();
    let (first, second) = (current.unwrap_or(new), current.map(|_| new));
    let data = hook_facts(state, &context.redirect_to, "email_change", first, second, &[]);
    enqueue(state, tx, &changed, mails, data).await
}

/// Enqueues a notice, if the settings switch it on and the person has an address.
pub async fn notice(
    state: &State,
    tx: &mut Owner,
    user: &User,
    kind: MailKind,
    to: &str,
    facts: &[(&'static str, &str)],
) -> Result<PendingMessages, AuthError> {
    if to.is_empty() || !state.config.email.notices.contains(&kind) {
        return Ok(PendingMessages::default());
    }
    let mail = state.renderer.render(&EmailFacts {
        kind,
        to,
        email: user.email(),
        new_email: "",
        token: "",
        token_hash: "",
        confirmation_url: "",
        redirect_to: "",
        user_metadata: &user.user_metadata(),
        details: facts,
        at: state.now(),
    });
    let nothing = Code { digits: String::new(), hash: TokenHash::none() };
    let data = hook_facts(state, "", &kind.action(), &nothing, None, facts);
    enqueue(state, tx, user, vec![mail], data).await
}

/// # Errors
/// [`RateLimitRefusal::TooSoon`] with the seconds to wait.
pub fn check_frequency(state: &State, sent_at: Option<DateTime<Utc>>) -> Result<(), AuthError> {
    let Some(sent_at) = sent_at else { return Ok(()) };
    let wait = sent_at + state.config.email.max_frequency - state.now();
    match wait.to_std() {
        Ok(wait) if !wait.is_zero() => Err(RateLimitRefusal::TooSoon(rounded_up(wait)).into()),
        _ => Ok(()),
    }
}

fn rounded_up(wait: Duration) -> i64 {
    i64::try_from(wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).unwrap_or(i64::MAX)
}

/// Counts the mail against the budget and stores its code.
async fn put(
    state: &State,
    tx: &mut Owner,
    user: &User,
    purpose: Purpose,
    code: &Code,
) -> Result<(), AuthError> {
    check_authorized(state, user.email())?;
    limit::take_mail(state, tx).await?;
    pending::note(state, tx, (user.id, purpose), user.email(), &code.hash).await
}

/// # Errors
/// [`RateLimitRefusal::EmailNotAuthorized`] if the settings do not list this address.
pub fn check_authorized(state: &State, address: &str) -> Result<(), AuthError> {
    let known = &state.config.email.authorized_addresses;
    if known.is_empty() || known.iter().any(|known| known.eq_ignore_ascii_case(address)) {
        Ok(())
    } else {
        Err(RateLimitRefusal::EmailNotAuthorized(address.to_owned()).into())
    }
}

/// Stores the client's PKCE challenge, if it sent one, for the link that returns.
pub async fn begin_flow(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
    challenge: Option<&Challenge>,
    method: &str,
) -> Result<(), AuthError> {
    if challenge.is_none() {
        return Ok(());
    }
    let row = store::flow_state::NewRow {
        id: state.uuid(),
        user_id: Some(user.id),
        auth_code: state.uuid(),
        challenge,
        provider_type: "email",
        authentication_method: method,
        referrer: &context.redirect_to,
        linking_target_id: None,
        oauth_client_state_id: None,
        now: state.now(),
    };
    store::flow_state::insert(tx, &row).await?;
    Ok(())
}

/// Enqueues a mail to the account's own address.
async fn to_account(
    state: &State,
    tx: &mut Owner,
    context: &RequestContext,
    user: &User,
    kind: MailKind,
    code: &Code,
) -> Result<PendingMessages, AuthError> {
    let mail = rendered(state, context, user, &CodeEmail { kind, code, to: user.email() });
    let data = hook_facts(state, &context.redirect_to, kind.link_type(), code, None, &[]);
    enqueue(state, tx, user, vec![mail], data).await
}

/// Enqueues emails that belong together, or the call of an operator's hook that replaces them.
async fn enqueue(
    state: &State,
    tx: &mut Owner,
    user: &User,
    emails: Vec<Email>,
    email_data: Value,
) -> Result<PendingMessages, AuthError> {
    if state.config.hooks.send_email.is_none() {
        return PendingMessages::enqueue(state, tx, emails.into_iter().map(OutboxMessage::Email))
            .await;
    }
    let user = serde_json::to_value(UserBody::from(user)).map_err(AuthError::internal)?;
    PendingMessages::enqueue(state, tx, [OutboxMessage::EmailHook { user, email_data }]).await
}

fn rendered(
    state: &State,
    context: &RequestContext,
    user: &User,
    code_email: &CodeEmail<'_>,
) -> Email {
    let CodeEmail { kind, code, to } = *code_email;
    let url = kind.has_link().then(|| link(state, context, code.hash.as_str(), kind.link_type()));
    state.renderer.render(&EmailFacts {
        kind,
        to,
        email: user.email(),
        new_email: user.email_change.as_deref().unwrap_or_default(),
        token: &code.digits,
        token_hash: code.hash.as_str(),
        confirmation_url: &url.unwrap_or_default(),
        redirect_to: &context.redirect_to,
        user_metadata: &user.user_metadata(),
        details: &[],
        at: state.now(),
    })
}

/// The `email_data` of a hook. With two codes the hashes are crossed, as hooks written for the
/// original expect: `token` and `token_hash_new` belong to the old address, `token_new` and
/// `token_hash` to the new one.
fn hook_facts(
    state: &State,
    redirect_to: &str,
    action: &str,
    code: &Code,
    new: Option<&Code>,
    facts: &[(&'static str, &str)],
) -> Value {
    let fact =
        |name: &str| facts.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value);
    json!({
        "token": code.digits,
        "token_hash": new.unwrap_or(code).hash.as_str(),
        "redirect_to": redirect_to,
        "email_action_type": action,
        "site_url": state.external_url(),
        "token_new": new.map_or("", |new| new.digits.as_str()),
        "token_hash_new": new.map_or("", |_| code.hash.as_str()),
        "old_email": fact("OldEmail"),
        "old_phone": fact("OldPhone"),
        "provider": fact("Provider"),
        "factor_type": fact("FactorType"),
    })
}
