//! Passkeys: registering and removing them, and signing in with a passkey alone or after the
//! password.
//!
//! A passkey works only at the domain where it was registered, which its authenticator enforces.
//! User verification (a PIN, a fingerprint) is required, so that a passkey alone counts as two
//! factors.

use std::net::IpAddr;

use chrono::TimeDelta;
use compat_auth::webauthn::{
    Ceremony, CeremonyError, CredentialOwner, RelyingParty, StoredCredential, named,
};
use serde_json::Value;
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::flow::session;
use crate::model::{CeremonyAnswer, CeremonyStart, Operator, Passkey, Role};
use crate::state::ConsoleState;
use crate::store;
use crate::store::ceremony::NewCeremony;
use crate::store::passkey::{NewPasskey, PasskeyRow};

/// The most passkeys of an operator.
pub(crate) const MOST: i64 = 10;
/// The longest name, in characters.
pub(crate) const LONGEST_NAME: usize = 100;
/// How long a ceremony may take.
const LIFETIME: TimeDelta = TimeDelta::minutes(5);
/// The most stored ceremonies of unknown users.
const MOST_UNKNOWN: i64 = 1_000;

/// The purpose of a ceremony.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Registration,
    SignIn,
    SecondFactor,
}

impl Purpose {
    /// The name in the database.
    fn name(self) -> &'static str {
        match self {
            Self::Registration => "registration",
            Self::SignIn => "sign_in",
            Self::SecondFactor => "second_factor",
        }
    }
}

/// Starts the registration of a passkey, for an operator who enters the password.
pub(crate) async fn begin_registration(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    password: &str,
    party: RelyingParty,
) -> Result<CeremonyStart, ConsoleError> {
    session::check_password(state, operator, client, password).await?;
    let mut connection = state.config().owner.connection().await?;
    if store::passkey::count(&mut connection, operator.id).await? >= MOST {
        return Err(ConsoleError::TooManyPasskeys);
    }
    let known = store::passkey::of_domain(&mut connection, operator.id, &party.id).await?;
    drop(connection);
    let known = known.iter().map(|row| StoredCredential::from(row).id).collect();
    let holder = CredentialOwner { id: operator.id, name: &operator.email };
    let start = party.create(&holder, known, true, lifetime());
    begin(state, Some(operator.id), Purpose::Registration, start).await
}

/// Stores the passkey that a browser created.
pub(crate) async fn finish_registration(
    state: &ConsoleState,
    operator: &Operator,
    answer: CeremonyAnswer,
    name: &str,
) -> Result<Uuid, ConsoleError> {
    let name = name_of(name)?;
    let ceremony =
        take(state, answer.challenge_id, Some(operator.id), Purpose::Registration).await?;
    let credential = ceremony.created(answer.credential).map_err(|error| refuse(&error))?;
    let id = state.config().environment.entropy.uuid();
    let mut work = state.config().owner.begin().await?;
    // The lock prevents concurrent registrations beyond the limit, or for an operator who is
    // removed meanwhile.
    store::operator::lock(&mut work).await?;
    store::operator::by_id(&mut work, operator.id).await?.ok_or(ConsoleError::NotSignedIn)?;
    if store::passkey::count(&mut work, operator.id).await? >= MOST {
        return Err(ConsoleError::TooManyPasskeys);
    }
    let domain = ceremony.domain();
    let new = NewPasskey { id, operator: operator.id, name, domain, credential: &credential };
    if !store::passkey::insert(&mut work, &new, state.now()).await? {
        return Err(ConsoleError::PasskeyExists);
    }
    work.commit().await?;
    Ok(id)
}

/// Starts a sign-in with any passkey of this domain.
pub(crate) async fn begin_sign_in(
    state: &ConsoleState,
    client: IpAddr,
    party: RelyingParty,
) -> Result<CeremonyStart, ConsoleError> {
    state.count_network(client)?;
    begin(state, None, Purpose::SignIn, party.request(&[], lifetime())).await
}

/// Opens a session for the holder of a passkey; returns the session's token.
pub(crate) async fn sign_in(
    state: &ConsoleState,
    client: IpAddr,
    answer: CeremonyAnswer,
) -> Result<(Operator, String), ConsoleError> {
    state.count_network(client)?;
    let ceremony = take(state, answer.challenge_id, None, Purpose::SignIn).await?;
    let row = check(state, &ceremony, answer.credential, None).await?;
    let operator =
        Operator { id: row.operator_id, email: row.email, role: Role::from_name(&row.role) };
    let token = session::open(state, &operator).await?;
    Ok((operator, token))
}

/// Starts the second step of a sign-in; none if the operator has no passkey of this domain.
pub(crate) async fn begin_second_factor(
    state: &ConsoleState,
    operator: Uuid,
    party: RelyingParty,
) -> Result<Option<CeremonyStart>, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let rows = store::passkey::of_domain(&mut connection, operator, &party.id).await?;
    drop(connection);
    if rows.is_empty() {
        return Ok(None);
    }
    let known: Vec<StoredCredential> = rows.iter().map(StoredCredential::from).collect();
    let start = party.request(&known, lifetime());
    begin(state, Some(operator), Purpose::SecondFactor, start).await.map(Some)
}

/// Verifies the answer of the second step.
pub(crate) async fn finish_second_factor(
    state: &ConsoleState,
    operator: Uuid,
    answer: CeremonyAnswer,
) -> Result<(), ConsoleError> {
    let ceremony = take(state, answer.challenge_id, Some(operator), Purpose::SecondFactor).await?;
    check(state, &ceremony, answer.credential, Some(operator)).await.map(drop)
}

/// The email address of the passkey's holder, for the audit log.
pub(crate) async fn known_holder(state: &ConsoleState, credential: &Value) -> Option<String> {
    let (id, _) = named(credential)?;
    let mut connection = state.config().owner.connection().await.ok()?;
    let row = store::passkey::by_credential(&mut connection, &id).await.ok()?;
    row.map(|row| row.email)
}

/// An operator's passkeys.
pub(crate) async fn list(
    state: &ConsoleState,
    operator: &Operator,
) -> Result<Vec<Passkey>, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    Ok(store::passkey::list(&mut connection, operator.id).await?)
}

/// Renames a passkey.
pub(crate) async fn rename(
    state: &ConsoleState,
    operator: &Operator,
    id: Uuid,
    name: &str,
) -> Result<(), ConsoleError> {
    let name = name_of(name)?;
    let mut connection = state.config().owner.connection().await?;
    match store::passkey::rename(&mut connection, id, operator.id, name).await? {
        true => Ok(()),
        false => Err(ConsoleError::NoPasskey),
    }
}

/// Removes a passkey, for an operator who enters the password.
pub(crate) async fn remove(
    state: &ConsoleState,
    operator: &Operator,
    client: IpAddr,
    id: Uuid,
    password: &str,
) -> Result<(), ConsoleError> {
    session::check_password(state, operator, client, password).await?;
    let mut connection = state.config().owner.connection().await?;
    match store::passkey::delete(&mut connection, id, operator.id).await? {
        true => Ok(()),
        false => Err(ConsoleError::NoPasskey),
    }
}

fn name_of(text: &str) -> Result<&str, ConsoleError> {
    let name = text.trim();
    let is_plain = !name.chars().any(char::is_control);
    let is_name = is_plain && (1..=LONGEST_NAME).contains(&name.chars().count());
    is_name.then_some(name).ok_or(ConsoleError::InvalidPasskeyName)
}

fn lifetime() -> std::time::Duration {
    LIFETIME.to_std().unwrap_or_default()
}

async fn begin(
    state: &ConsoleState,
    operator: Option<Uuid>,
    purpose: Purpose,
    start: Result<(Value, Ceremony), CeremonyError>,
) -> Result<CeremonyStart, ConsoleError> {
    let (options, ceremony) = start.map_err(|error| ConsoleError::Internal(error.to_string()))?;
    let (challenge_id, now) = (state.config().environment.entropy.uuid(), state.now());
    let new = NewCeremony {
        id: challenge_id,
        operator,
        purpose: purpose.name(),
        state: &ceremony.to_json(),
        expires_at: now + LIFETIME,
    };
    let mut work = state.config().owner.begin().await?;
    store::ceremony::insert(&mut work, &new, now, MOST_UNKNOWN).await?;
    work.commit().await?;
    Ok(CeremonyStart { challenge_id, options })
}

/// Takes a ceremony out of the database before its answer is checked, so that it can be used only
/// once.
async fn take(
    state: &ConsoleState,
    id: Uuid,
    operator: Option<Uuid>,
    purpose: Purpose,
) -> Result<Ceremony, ConsoleError> {
    let mut connection = state.config().owner.connection().await?;
    let now = state.now();
    let stored = store::ceremony::take(&mut connection, id, operator, purpose.name(), now).await?;
    let stored = stored.ok_or(ConsoleError::ChallengeExpired)?;
    Ceremony::from_json(stored).map_err(|error| ConsoleError::Internal(error.to_string()))
}

/// Verifies an answer by a registered passkey, of this operator if one is given, and records its
/// use. Without an operator, the passkey must name its user.
async fn check(
    state: &ConsoleState,
    ceremony: &Ceremony,
    credential: Value,
    operator: Option<Uuid>,
) -> Result<PasskeyRow, ConsoleError> {
    let (id, handle) = named(&credential).ok_or(ConsoleError::PasskeyRefused)?;
    let mut work = state.config().owner.begin().await?;
    let row = store::passkey::by_credential(&mut work, &id).await?;
    let row = row.ok_or(ConsoleError::PasskeyRefused)?;
    let is_named = match handle {
        Some(handle) => handle == row.operator_id.to_string().as_bytes(),
        None => operator.is_some(),
    };
    let is_theirs = operator.is_none_or(|operator| operator == row.operator_id);
    if !is_named || !is_theirs || row.domain != ceremony.domain() {
        return Err(ConsoleError::PasskeyRefused);
    }
    let used = ceremony.used(credential, &StoredCredential::from(&row));
    let used = used.map_err(|error| refuse(&error))?;
    let now = state.now();
    store::passkey::touch(&mut work, row.id, used.sign_count, used.backed_up, now).await?;
    work.commit().await?;
    Ok(row)
}

/// Logs why a passkey was refused, without telling the client.
fn refuse(error: &CeremonyError) -> ConsoleError {
    tracing::info!(%error, "console: passkey refused");
    ConsoleError::PasskeyRefused
}
