//! Signing in, checking sessions, signing out.

use std::net::IpAddr;
use std::time::Duration;

use chrono::TimeDelta;
use compat_auth::totp;
use compat_auth::webauthn::RelyingParty;

use crate::error::ConsoleError;
use crate::flow::{passkey, password, token};
use crate::model::{CeremonyAnswer, Operator, Role, SecondFactors};
use crate::state::ConsoleState;
use crate::store;
use crate::store::operator::OperatorRow;

/// How long a session lasts.
pub(crate) const LIFETIME: TimeDelta = TimeDelta::hours(12);
/// How long a session may be idle.
const IDLE: TimeDelta = TimeDelta::hours(2);
/// The shortest time between two updates of a session's last use.
const NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);
/// How often the session of an open socket is checked, because another process may have ended it.
const LOOKED_AT_EVERY: Duration = Duration::from_secs(5);

/// Normalises an email address to its stored form.
pub(crate) fn email_of(text: &str) -> Result<String, ConsoleError> {
    let email = text.trim().to_lowercase();
    let is_plausible = email.len() <= 254
        && !email.contains(|character: char| character.is_whitespace() || character.is_control())
        && email.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && !host.is_empty() && !host.contains('@')
        });
    is_plausible.then_some(email).ok_or(ConsoleError::InvalidEmail)
}

/// The credentials of a sign-in.
pub(crate) struct Credentials<'a> {
    pub email: &'a str,
    pub password: &'a str,
    pub second_factor: FactorProof<'a>,
    /// The relying party for passkeys; none if the page's address has no domain.
    pub party: Option<RelyingParty>,
}

/// The second factor in a sign-in request.
pub(crate) struct FactorProof<'a> {
    pub code: Option<&'a str>,
    pub passkey: Option<CeremonyAnswer>,
}

/// Opens a session, given the password and a second factor if the operator has one; returns the
/// session's token.
pub(crate) async fn sign_in(
    state: &ConsoleState,
    client: IpAddr,
    credentials: Credentials<'_>,
) -> Result<(Operator, String), ConsoleError> {
    let Credentials { email, password, second_factor, party } = credentials;
    let email = email_of(email).map_err(|_| ConsoleError::InvalidCredentials)?;
    state.count_attempt(&email, client)?;
    let mut connection = state.config().owner.connection().await?;
    let known = store::operator::by_email(&mut connection, &email).await?;
    // Hashing takes long, so the connection is released first.
    drop(connection);
    let Some(row) = known else {
        let decoy: String = password.chars().take(password::LONGEST).collect();
        state.passwords().hash_decoy(&decoy).await?;
        return Err(ConsoleError::InvalidCredentials);
    };
    if !password::is_right(state, row.id, password, &row.password_hash).await? {
        return Err(ConsoleError::InvalidCredentials);
    }
    check_second_factor(state, &row, second_factor, party).await?;
    let operator = Operator { id: row.id, email: row.email, role: Role::from_name(&row.role) };
    let token = open(state, &operator).await?;
    Ok((operator, token))
}

/// The stored form of an address, if it belongs to an operator.
pub(crate) async fn known_email(state: &ConsoleState, email: &str) -> Option<String> {
    let email = email_of(email).ok()?;
    let mut connection = state.config().owner.connection().await.ok()?;
    let row = store::operator::by_email(&mut connection, &email).await.ok()?;
    row.map(|row| row.email)
}

/// Requires an app code or a passkey, depending on the operator's factors, and verifies it.
async fn check_second_factor(
    state: &ConsoleState,
    row: &OperatorRow,
    proof: FactorProof<'_>,
    party: Option<RelyingParty>,
) -> Result<(), ConsoleError> {
    let has_app = row.second_factor.is_some();
    if let Some(answer) = proof.passkey {
        return passkey::finish_second_factor(state, row.id, answer).await;
    }
    if let Some(code) = proof.code.filter(|code| has_app && !code.is_empty()) {
        return use_code(state, row, code).await;
    }
    let mut connection = state.config().owner.connection().await?;
    let domains = store::passkey::domains(&mut connection, row.id).await?;
    drop(connection);
    if !has_app && domains.is_empty() {
        return Ok(());
    }
    let start = match party.filter(|party| domains.contains(&party.id)) {
        Some(party) => passkey::begin_second_factor(state, row.id, party).await?.map(Box::new),
        None => None,
    };
    Err(match start {
        start if has_app => ConsoleError::CodeRequired(start),
        Some(start) => ConsoleError::PasskeyRequired(start),
        None => ConsoleError::PasskeyElsewhere(domains.join(", ")),
    })
}

/// The operator's second factors.
pub(crate) async fn second_factors(
    state: &ConsoleState,
    operator: &Operator,
) -> Result<SecondFactors, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let has_app = store::operator::has_second_factor(&mut connection, operator.id).await?;
    let passkeys = store::passkey::count(&mut connection, operator.id).await?;
    Ok(SecondFactors { has_app, passkeys })
}

/// Verifies a code of the second factor, which can then not be used again.
async fn use_code(state: &ConsoleState, row: &OperatorRow, code: &str) -> Result<(), ConsoleError> {
    let sealed = row.second_factor.as_deref().unwrap_or_default();
    let secret = state.seal().open(row.id, sealed).ok_or(ConsoleError::InvalidCredentials)?;
    let step = totp::step_of(&secret, code, state.now().timestamp())
        .map_err(|_| ConsoleError::InvalidCredentials)?;
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    let mut connection = state.config().owner.connection().await?;
    match store::operator::use_step(&mut connection, row.id, step).await? {
        true => Ok(()),
        false => Err(ConsoleError::InvalidCredentials),
    }
}

/// Opens a session and returns its token.
pub(crate) async fn open(
    state: &ConsoleState,
    operator: &Operator,
) -> Result<String, ConsoleError> {
    let token = token::new(&state.config().environment.entropy);
    let (hash, now) = (token::hash(&token), state.now());
    let mut work = state.config().owner.begin().await?;
    store::session::insert(&mut work, &hash, operator.id, now, now + LIFETIME).await?;
    store::session::touch(&mut work, &hash, now).await?;
    work.commit().await?;
    Ok(token)
}

/// The operator whose session has this token.
pub(crate) async fn find(state: &ConsoleState, token: &str) -> Result<Operator, ConsoleError> {
    let (hash, now) = (token::hash(token), state.now());
    let mut connection = state.config().owner.connection().await?;
    let row = store::session::find(&mut connection, &hash, now, now - IDLE).await?;
    let row = row.ok_or(ConsoleError::NotSignedIn)?;
    if now - row.last_seen_at >= NOTED_EVERY {
        store::session::touch(&mut connection, &hash, now).await?;
    }
    Ok(Operator { id: row.id, email: row.email, role: Role::from_name(&row.role) })
}

/// Waits until the session of a token has ended, or its operator has another role. Waiting does not
/// count as use of the session.
pub(crate) async fn until_over(state: &ConsoleState, token: &str, role: Role) {
    let hash = token::hash(token);
    loop {
        // Subscribed before the query, so that a later change is not missed.
        let mut change = std::pin::pin!(state.session_changes().notified());
        change.as_mut().enable();
        match role_of(state, &hash).await {
            Ok(now) if now == Some(role) => {}
            Ok(_) => return,
            Err(error) => tracing::warn!(%error, "console: cannot look up the session of a socket"),
        }
        tokio::select! {
            () = change => {}
            () = tokio::time::sleep(LOOKED_AT_EVERY) => {}
        }
    }
}

async fn role_of(state: &ConsoleState, hash: &[u8]) -> Result<Option<Role>, ConsoleError> {
    let now = state.now();
    let mut connection = state.config().owner.connection().await?;
    let row = store::session::find(&mut connection, hash, now, now - IDLE).await?;
    Ok(row.map(|row| Role::from_name(&row.role)))
}

/// Ends the session of a token.
pub(crate) async fn sign_out(state: &ConsoleState, token: &str) -> Result<(), ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    Ok(store::session::delete(&mut connection, &token::hash(token)).await?)
}

/// Verifies the password of an operator who is signed in.
pub(crate) async fn check_password(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    text: &str,
) -> Result<(), ConsoleError> {
    state.count_attempt(&operator.email, client)?;
    let mut connection = state.config().owner.connection().await?;
    let row = store::operator::by_id(&mut connection, operator.id).await?;
    drop(connection);
    let row = row.ok_or(ConsoleError::NotSignedIn)?;
    match password::is_right(state, row.id, text, &row.password_hash).await? {
        true => Ok(()),
        false => Err(ConsoleError::WrongPassword),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_stored_in_lower_case() {
        assert_eq!(email_of(" Ada@Example.test ").expect("an address"), "ada@example.test");
        for text in ["", "ada", "@x", "ada@", "a b@x.test", "a@b@c", "a@x\u{0}"] {
            assert!(email_of(text).is_err(), "{text:?}");
        }
    }
}
