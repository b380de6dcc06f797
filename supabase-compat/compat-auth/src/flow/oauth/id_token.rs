//! Signing in with an ID token that an application received from a provider.

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::link::{self, LinkedAccount};
use crate::account;
use crate::error::{AuthError, ExternalAccountRefusal, IdTokenRefusal};
use crate::flow::custom_provider;
use crate::flow::grant::{self, Grant};
use crate::model::RequestContext;
use crate::outbox;
use crate::provider::{Client, Provider, ProviderConfig};
use crate::state::State;
use crate::unit_of_work::UnitOfWork;

/// The ID token and its parameters.
#[derive(Debug, Default)]
pub struct IdToken<'a> {
    pub provider: &'a str,
    pub client_id: &'a str,
    pub issuer: &'a str,
    pub id_token: &'a str,
    pub access_token: Option<&'a str>,
    pub nonce: &'a str,
    /// The account to which the identity is added, if any.
    pub link_to: Option<Uuid>,
}

/// Verifies the token and signs its person in.
///
/// # Errors
/// Mostly [`ExternalAccountRefusal::IdToken`].
#[tracing::instrument(name = "auth.id_token", skip_all)]
pub async fn sign_in(
    state: &State,
    context: &RequestContext,
    request: IdToken<'_>,
) -> Result<Grant, AuthError> {
    if request.id_token.is_empty() {
        return Err(ExternalAccountRefusal::IdToken(IdTokenRefusal::Missing).into());
    }
    let config = &provider(state, &request).await?;
    let external = Client::new(&state.environment.outgoing, config);
    let checked = external.id_token(request.id_token, state.environment.clock.unix()).await;
    let (claims, person) = checked.map_err(|error| {
        tracing::info!(%error, "ID token verification failed");
        AuthError::ExternalAccount(ExternalAccountRefusal::IdToken(IdTokenRefusal::Bad))
    })?;
    if !config.skip_nonce_check {
        let expected = claims.get("nonce").and_then(|nonce| nonce.as_str()).unwrap_or_default();
        check_nonce(expected, request.nonce)?;
    }
    let name = &config.name;
    let (mut work, settled) = match request.link_to {
        // Linking creates no account, so no hook is called.
        Some(target) => {
            let mut work = UnitOfWork::begin(state, context).await?;
            let settled = link::to_account(&mut work, name, &person, target).await?;
            (work, settled)
        }
        None => {
            let announced = link::announce(state, context, name, &person).await?;
            let mut work = UnitOfWork::begin(state, context).await?;
            let settled = link::sign_in(&mut work, name, &person, announced).await?;
            (work, settled)
        }
    };
    let LinkedAccount { user, unverified, notice, new_account } = settled;
    if let Some(unverified) = unverified {
        work.commit().await?;
        account::notify_hooks(state, context, new_account).await?;
        outbox::send(state, unverified.mail).await?;
        return Err(ExternalAccountRefusal::ProviderEmailUnverified(name.clone()).into());
    }
    let opened = grant::open(&mut work, user, "oauth").await?;
    let grant = opened.issue_grant(work, new_account).await?;
    outbox::send_notifications(state, [notice]).await;
    Ok(Grant { provider_token: request.access_token.map(str::to_owned), ..grant })
}

async fn provider(state: &State, request: &IdToken<'_>) -> Result<ProviderConfig, AuthError> {
    let by_issuer = |one: &&ProviderConfig| {
        one.client_ids.iter().any(|id| id == request.client_id)
            && crate::provider::Provider::from_name(&one.name).issuer(one.url.as_deref())
                == Some(request.issuer)
    };
    let provider_name = match (request.provider, request.client_id, request.issuer) {
        ("", "", _) | ("", _, "") => {
            return Err(ExternalAccountRefusal::IdToken(IdTokenRefusal::ProviderMissing).into());
        }
        ("", _, _) => state.config.providers.iter().find(by_issuer).cloned(),
        (name, _, _) => custom_provider::by_name(state, name).await?,
    };
    provider_name.ok_or_else(|| {
        let named = if request.provider.is_empty() {
            request.issuer
        } else {
            Provider::known_issuer(request.provider).unwrap_or(request.provider)
        };
        AuthError::ExternalAccount(ExternalAccountRefusal::IdToken(
            IdTokenRefusal::ProviderDisabled(named.to_owned()),
        ))
    })
}

/// The token contains the hash of the nonce that the application sends; either both are present or
/// neither.
fn check_nonce(expected: &str, handed: &str) -> Result<(), AuthError> {
    match (expected, handed) {
        ("", "") => Ok(()),
        ("", _) | (_, "") => {
            Err(ExternalAccountRefusal::IdToken(IdTokenRefusal::NonceMissing).into())
        }
        (expected, handed) => {
            let digest = Sha256::digest(handed);
            let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            if bool::from(hash.as_bytes().ct_eq(expected.as_bytes())) {
                Ok(())
            } else {
                Err(ExternalAccountRefusal::IdToken(IdTokenRefusal::NonceMismatch).into())
            }
        }
    }
}
