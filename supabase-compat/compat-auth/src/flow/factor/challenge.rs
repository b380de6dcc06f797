//! Challenging a factor: a code is sent by text message or a WebAuthn ceremony begins; an
//! authenticator app needs no preparation.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::{Value, json};
use uuid::Uuid;

use super::may_have_factors;
use crate::audit::{self, Action};
use crate::error::{AuthError, FactorRefusal, InvalidRequest};
use crate::flow::relying_party;
use crate::guard::authenticate::AuthenticatedUser;
use crate::model::RequestContext;
use crate::model::webauthn::{CredentialOwner, StoredCredential};
use crate::outbox::text::{self, Message};
use crate::state::State;
use crate::store;
use crate::store::factor::{ChallengeState, FactorSecret};

/// The relying party that the page requests for a security key.
#[derive(Debug)]
pub struct PartyRequest<'a> {
    pub id: &'a str,
    pub origins: &'a [String],
}

/// An open challenge.
pub struct OpenChallenge {
    pub id: Uuid,
    pub factor_type: String,
    pub expires_at: DateTime<Utc>,
    /// The options that the browser needs for a security key.
    pub webauthn: Option<Value>,
}

/// The prepared parts of a challenge.
#[derive(Default)]
struct PreparedChallenge {
    challenge_state: ChallengeState,
    text: Option<Message>,
    webauthn: Option<Value>,
}

/// Opens a challenge, bound to the client address of the request.
///
/// # Errors
/// [`FactorRefusal::NotFound`], the kind is disabled, or text messages were requested too often.
#[tracing::instrument(name = "auth.challenge_factor", skip_all)]
pub async fn challenge(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    factor: Uuid,
    party: Option<PartyRequest<'_>>,
) -> Result<OpenChallenge, AuthError> {
    may_have_factors(caller)?;
    let mut tx = state.begin().await?;
    let secret = find(state, &mut tx, caller, factor).await?;
    let prepared = match secret.factor_type.as_str() {
        "phone" => text(state, &secret)?,
        "webauthn" => ceremony(state, caller, &secret, party)?,
        _ => PreparedChallenge::default(),
    };
    let (id, now) = (state.uuid(), state.now());
    store::factor::insert_challenge(
        &mut tx,
        id,
        factor,
        context.ip,
        &prepared.challenge_state,
        now,
    )
    .await?;
    audit::record(state, &mut tx, context, &caller.user, Action::ChallengeCreated, None).await?;
    let texted = match prepared.text {
        Some(message) => Some(message.enqueue(state, &mut tx, &caller.user).await?),
        None => None,
    };
    // Committed before the text message is sent, so that its code finds the challenge.
    tx.commit().await?;
    if let Some(texted) = texted {
        text::send(state, texted).await?;
    }
    Ok(OpenChallenge {
        id,
        factor_type: secret.factor_type,
        expires_at: now + state.config.mfa.challenge_expiry,
        webauthn: prepared.webauthn,
    })
}

/// Loads a factor of this person; refuses if its kind is disabled.
pub(super) async fn find(
    state: &State,
    tx: &mut Owner,
    caller: &AuthenticatedUser,
    factor: Uuid,
) -> Result<FactorSecret, AuthError> {
    let row = store::factor::load(tx, factor, caller.user.id).await?;
    let row = row.ok_or(FactorRefusal::NotFound)?;
    let mfa = &state.config.mfa;
    match row.factor_type.as_str() {
        "totp" if mfa.totp_verify_enabled => Ok(row),
        "phone" if mfa.phone_verify_enabled => Ok(row),
        "webauthn" if mfa.webauthn_verify_enabled => Ok(row),
        "totp" => Err(FactorRefusal::VerifyDisabled("MFA").into()),
        "phone" => Err(FactorRefusal::VerifyDisabled("Phone").into()),
        _ => Err(FactorRefusal::VerifyDisabled("WebAuthn").into()),
    }
}

fn text(state: &State, factor: &FactorSecret) -> Result<PreparedChallenge, AuthError> {
    let mfa = &state.config.mfa;
    text::check_frequency(state, factor.last_challenged_at, mfa.phone_max_frequency)?;
    let phone = factor.phone.as_deref().unwrap_or_default();
    let (hash, text) = text::draw(state, phone, mfa.phone_otp_length, &mfa.phone_template)?;
    let code = Some(hash.as_str().to_owned());
    let challenge_state = ChallengeState { code, ceremony: None };
    Ok(PreparedChallenge { challenge_state, text: Some(text), webauthn: None })
}

/// Begins a WebAuthn ceremony. The first one creates the credential, later ones use it.
fn ceremony(
    state: &State,
    caller: &AuthenticatedUser,
    factor: &FactorSecret,
    party: Option<PartyRequest<'_>>,
) -> Result<PreparedChallenge, AuthError> {
    let party = party.ok_or(InvalidRequest::WebauthnMissing)?;
    let party = relying_party::requested(state, party.id, party.origins)?;
    let lifetime = state.config.mfa.challenge_expiry;
    let known = factor.web_authn_credential.as_ref().and_then(StoredCredential::from_column);
    let (kind, (options, ceremony)) = match known {
        Some(known) => ("request", party.request(&[known], lifetime).map_err(AuthError::internal)?),
        None => {
            let holder = CredentialOwner { id: caller.user.id, name: caller.user.name() };
            let created = party.create(&holder, Vec::new(), false, lifetime);
            ("create", created.map_err(AuthError::internal)?)
        }
    };
    let challenge_state = ChallengeState { code: None, ceremony: Some(ceremony.to_json()) };
    let webauthn = json!({"type": kind, "credential_options": {"publicKey": options}});
    Ok(PreparedChallenge { challenge_state, text: None, webauthn: Some(webauthn) })
}
