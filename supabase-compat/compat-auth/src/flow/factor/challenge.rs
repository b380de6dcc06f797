//! Asking for a factor: a code is texted, a ceremony begun, or the app's clock is simply waited
//! for.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::{Value, json};
use uuid::Uuid;

use super::may_have_factors;
use crate::audit::{self, Action};
use crate::error::{AuthError, FactorRefusal, Invalid};
use crate::flow::relying_party;
use crate::guard::admit::Admitted;
use crate::model::Visit;
use crate::model::webauthn::{Holder, Kept};
use crate::outbox::text::{self, Message};
use crate::state::State;
use crate::store;
use crate::store::factor::{FactorSecret, KeptChallenge};

/// The page that asks for a security key.
#[derive(Debug)]
pub struct AskedParty<'a> {
    pub id: &'a str,
    pub origins: &'a [String],
}

/// An open challenge.
pub struct Opened {
    pub id: Uuid,
    pub factor_type: String,
    pub expires_at: DateTime<Utc>,
    /// What a browser needs for a security key.
    pub webauthn: Option<Value>,
}

/// What opening has to prepare.
#[derive(Default)]
struct Prepared {
    kept: KeptChallenge,
    text: Option<Message>,
    webauthn: Option<Value>,
}

/// Opens a challenge, bound to the address it was asked from.
///
/// # Errors
/// [`FactorRefusal::NotFound`], the kind is off, or texts were asked for too often.
#[tracing::instrument(name = "auth.challenge_factor", skip_all)]
pub async fn challenge(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    factor: Uuid,
    party: Option<AskedParty<'_>>,
) -> Result<Opened, AuthError> {
    may_have_factors(who)?;
    let mut tx = state.begin().await?;
    let found = find(state, &mut tx, who, factor).await?;
    let prepared = match found.factor_type.as_str() {
        "phone" => text(state, &found)?,
        "webauthn" => ceremony(state, who, &found, party)?,
        _ => Prepared::default(),
    };
    let (id, now) = (state.uuid(), state.now());
    store::factor::insert_challenge(&mut tx, id, factor, visit.ip, &prepared.kept, now).await?;
    audit::record(state, &mut tx, visit, &who.user, Action::ChallengeCreated, None).await?;
    let texted = match prepared.text {
        Some(message) => Some(message.enqueue(state, &mut tx, &who.user).await?),
        None => None,
    };
    tx.commit().await?;
    if let Some(texted) = texted {
        text::send(state, texted).await?;
    }
    Ok(Opened {
        id,
        factor_type: found.factor_type,
        expires_at: now + state.config.mfa.challenge_expiry,
        webauthn: prepared.webauthn,
    })
}

/// A factor of this person whose kind may be used.
pub(super) async fn find(
    state: &State,
    tx: &mut Owner,
    who: &Admitted,
    factor: Uuid,
) -> Result<FactorSecret, AuthError> {
    let found = store::factor::load(tx, factor, who.user.id).await?;
    let found = found.ok_or(FactorRefusal::NotFound)?;
    let mfa = &state.config.mfa;
    match found.factor_type.as_str() {
        "totp" if mfa.totp_verify_enabled => Ok(found),
        "phone" if mfa.phone_verify_enabled => Ok(found),
        "webauthn" if mfa.webauthn_verify_enabled => Ok(found),
        "totp" => Err(FactorRefusal::VerifyDisabled("MFA").into()),
        "phone" => Err(FactorRefusal::VerifyDisabled("Phone").into()),
        _ => Err(FactorRefusal::VerifyDisabled("WebAuthn").into()),
    }
}

fn text(state: &State, factor: &FactorSecret) -> Result<Prepared, AuthError> {
    let mfa = &state.config.mfa;
    text::check_frequency(state, factor.last_challenged_at, mfa.phone_max_frequency)?;
    let phone = factor.phone.as_deref().unwrap_or_default();
    let (hash, text) = text::draw(state, phone, mfa.phone_otp_length, &mfa.phone_template)?;
    let code = Some(hash.as_str().to_owned());
    let kept = KeptChallenge { code, ceremony: None };
    Ok(Prepared { kept, text: Some(text), webauthn: None })
}

/// The first ceremony makes the credential, the later ones use it.
fn ceremony(
    state: &State,
    who: &Admitted,
    factor: &FactorSecret,
    party: Option<AskedParty<'_>>,
) -> Result<Prepared, AuthError> {
    let party = party.ok_or(Invalid::WebauthnMissing)?;
    let party = relying_party::asked(state, party.id, party.origins)?;
    let life = state.config.mfa.challenge_expiry;
    let known = factor.web_authn_credential.as_ref().and_then(Kept::from_column);
    let (kind, (options, ceremony)) = match known {
        Some(known) => ("request", party.request(Some(&known), life).map_err(AuthError::internal)?),
        None => {
            let holder = Holder { id: who.user.id, name: who.user.name() };
            let begun = party.create(&holder, Vec::new(), false, life);
            ("create", begun.map_err(AuthError::internal)?)
        }
    };
    let kept = KeptChallenge { code: None, ceremony: Some(ceremony.to_json()) };
    let webauthn = json!({"type": kind, "credential_options": {"publicKey": options}});
    Ok(Prepared { kept, text: None, webauthn: Some(webauthn) })
}
