//! Codes and links on their way to a mailbox: written inside the flow's transaction, sent after it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{Visit, limit};
use crate::error::{AuthError, Delivery};
use crate::mail::{Letter, Mail, MailKind};
use crate::model::{Challenge, OneTime, TokenHash, User};
use crate::state::State;
use crate::store;

/// What in a redirect would end the `redirect_to` parameter early.
const IN_QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'&').add(b'=').add(b'#').add(b'%').add(b'+');

/// A fresh code with its stored form.
pub struct Code {
    pub digits: String,
    pub hash: TokenHash,
}

/// Draws a code for `address`; `pkce` marks a link that must end in an exchange.
pub fn code(state: &State, address: &str, pkce: bool) -> Code {
    let length = state.config.email.otp_length.clamp(6, 10);
    let digits = state.edge.entropy.digits(length);
    Code { hash: TokenHash::of(address, &digits).with_pkce(pkce), digits }
}

/// A mail that asks the person behind `user` to confirm their address.
pub async fn confirmation(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    challenge: Option<&Challenge>,
) -> Result<Mail, AuthError> {
    let now = state.now();
    check_frequency(state, user.confirmation_sent_at)?;
    let code = code(state, user.email(), challenge.is_some());
    store::user::set_confirmation(tx, user.id, code.hash.as_str(), now).await?;
    put(state, tx, user, OneTime::Confirmation, &code, user.email()).await?;
    begin_flow(state, tx, visit, user, challenge, "email/signup").await?;
    Ok(letter(state, visit, user, MailKind::Confirmation, "signup", &code, user.email()))
}

/// A mail that lets the person in to choose a new password.
pub async fn recovery(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    challenge: Option<&Challenge>,
) -> Result<Mail, AuthError> {
    let code = recovery_code(state, tx, user, challenge).await?;
    begin_flow(state, tx, visit, user, challenge, "recovery").await?;
    Ok(letter(state, visit, user, MailKind::Recovery, "recovery", &code, user.email()))
}

/// A mail that lets the person in.
pub async fn magic_link(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    challenge: Option<&Challenge>,
) -> Result<Mail, AuthError> {
    let code = recovery_code(state, tx, user, challenge).await?;
    begin_flow(state, tx, visit, user, challenge, "magiclink").await?;
    Ok(letter(state, visit, user, MailKind::MagicLink, "magiclink", &code, user.email()))
}

/// Recovery and magic link share their columns, and so their frequency.
async fn recovery_code(
    state: &State,
    tx: &mut Owner,
    user: &User,
    challenge: Option<&Challenge>,
) -> Result<Code, AuthError> {
    check_frequency(state, user.recovery_sent_at)?;
    let code = code(state, user.email(), challenge.is_some());
    store::user::set_recovery(tx, user.id, code.hash.as_str(), state.now()).await?;
    put(state, tx, user, OneTime::Recovery, &code, user.email()).await?;
    Ok(code)
}

/// A mail that invites a person to an account made for them.
pub async fn invitation(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
) -> Result<Mail, AuthError> {
    let code = code(state, user.email(), false);
    store::user::set_invitation(tx, user.id, code.hash.as_str(), state.now()).await?;
    put(state, tx, user, OneTime::Confirmation, &code, user.email()).await?;
    Ok(letter(state, visit, user, MailKind::Invite, "invite", &code, user.email()))
}

/// A mail with a code that proves that the signed-in person is there.
pub async fn reauthentication(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
) -> Result<Mail, AuthError> {
    check_frequency(state, user.reauthentication_sent_at)?;
    let code = code(state, user.email(), false);
    store::user::set_reauthentication(tx, user.id, code.hash.as_str(), state.now()).await?;
    put(state, tx, user, OneTime::Reauthentication, &code, user.email()).await?;
    Ok(letter(state, visit, user, MailKind::Reauthentication, "", &code, user.email()))
}

/// Mails that ask for a change of address: to the new one, and to the old one when `current` is given.
pub fn email_change(
    state: &State,
    visit: &Visit,
    user: &User,
    new_email: &str,
    new: &Code,
    current: Option<&Code>,
) -> Vec<Mail> {
    let mut changed = user.clone();
    changed.email_change = Some(new_email.to_owned());
    let to_new =
        letter(state, visit, &changed, MailKind::EmailChange, "email_change", new, new_email);
    let to_old = current.map(|code| {
        letter(state, visit, &changed, MailKind::EmailChange, "email_change", code, user.email())
    });
    to_old.into_iter().chain([to_new]).collect()
}

/// # Errors
/// [`AuthError::TooSoon`] with the seconds to wait.
pub fn check_frequency(state: &State, sent_at: Option<DateTime<Utc>>) -> Result<(), AuthError> {
    let Some(sent_at) = sent_at else { return Ok(()) };
    let wait = sent_at + state.config.email.max_frequency - state.now();
    match wait.to_std() {
        Ok(wait) if !wait.is_zero() => Err(AuthError::TooSoon(rounded_up(wait))),
        _ => Ok(()),
    }
}

fn rounded_up(wait: Duration) -> i64 {
    i64::try_from(wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).unwrap_or(i64::MAX)
}

/// Sends mails, one after the other; called after the commit.
///
/// # Errors
/// [`AuthError::Delivery`]: what was committed stays, and the person may ask again.
pub async fn send(state: &State, mails: impl IntoIterator<Item = Mail>) -> Result<(), AuthError> {
    for mail in mails {
        let kind = mail.kind;
        let sent = state.mailer.send(mail).await;
        sent.map_err(|source| AuthError::Delivery(Delivery { kind, source }))?;
    }
    Ok(())
}

/// Takes the mail from the budget and notes its code.
async fn put(
    state: &State,
    tx: &mut Owner,
    user: &User,
    kind: OneTime,
    code: &Code,
    relates_to: &str,
) -> Result<(), AuthError> {
    limit::take_mail(state, tx).await?;
    let hash = code.hash.as_str();
    store::one_time_token::put(tx, state.uuid(), user.id, kind, hash, relates_to, state.now())
        .await?;
    Ok(())
}

/// Notes the client's promise, when it made one, for the link to come back to.
pub async fn begin_flow(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
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
        referrer: &visit.redirect_to,
        linking_target_id: None,
        oauth_client_state_id: None,
        now: state.now(),
    };
    store::flow_state::insert(tx, &row).await?;
    Ok(())
}

/// The link that `token_hash` makes; everything in it derives from the one public address.
pub fn link(state: &State, token_hash: &str, link_type: &str, redirect_to: &str) -> String {
    let path = &state.config.email.url_path;
    let base = state.external_url();
    let base = match path.strip_prefix("/auth/v1") {
        Some(rest) => format!("{base}{rest}"),
        None => format!("{base}{path}"),
    };
    let redirect_to = if redirect_to.contains(['&', '=', '#']) {
        utf8_percent_encode(redirect_to, IN_QUERY).to_string()
    } else {
        redirect_to.to_owned()
    };
    format!("{base}?token={token_hash}&type={link_type}&redirect_to={redirect_to}")
}

fn letter(
    state: &State,
    visit: &Visit,
    user: &User,
    kind: MailKind,
    link_type: &str,
    code: &Code,
    to: &str,
) -> Mail {
    let has_link = kind != MailKind::Reauthentication;
    let url = has_link.then(|| link(state, code.hash.as_str(), link_type, &visit.redirect_to));
    state.writer.write(&Letter {
        kind,
        to,
        email: user.email(),
        new_email: user.email_change.as_deref().unwrap_or_default(),
        token: &code.digits,
        token_hash: code.hash.as_str(),
        confirmation_url: &url.unwrap_or_default(),
        redirect_to: &visit.redirect_to,
        user_metadata: &user.user_metadata(),
        at: state.now(),
    })
}
