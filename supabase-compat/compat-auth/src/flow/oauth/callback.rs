//! Handling the provider's callback.

use uuid::Uuid;

use super::begin::{callback_uri, enabled};
use super::link::{self, LinkedAccount};
use crate::account::{self, CreatedAccount};
use crate::error::{AuthError, ExternalAccountRefusal};
use crate::flow::grant::{self, Grant};
use crate::model::RequestContext;
use crate::outbox;
use crate::provider::{Client, Person, Tokens};
use crate::state::State;
use crate::store;
use crate::store::flow_state::ExternalFlow;
use crate::unit_of_work::UnitOfWork;

/// The query of the callback.
#[derive(Debug, Default)]
pub struct CallbackQuery<'a> {
    pub code: &'a str,
    pub error: &'a str,
    pub error_description: &'a str,
}

/// The result of a callback.
pub enum CallbackOutcome {
    Session(Box<Grant>),
    Code(String),
}

/// The id of the flow and its redirect address, looked up first so that refusals are redirected
/// there too.
///
/// # Errors
/// [`ExternalAccountRefusal::BadOauthState`] or [`ExternalAccountRefusal::BadOauthCallback`].
pub async fn destination(state: &State, state_token: &str) -> Result<(Uuid, String), AuthError> {
    if state_token.is_empty() {
        return Err(ExternalAccountRefusal::BadOauthCallback.into());
    }
    let id: Uuid = state_token.parse().map_err(|_| ExternalAccountRefusal::BadOauthState)?;
    let mut tx = state.begin().await?;
    let flow = store::flow_state::by_state(&mut tx, id)
        .await?
        .ok_or(ExternalAccountRefusal::BadOauthState)?;
    let to = flow.referrer.unwrap_or_default();
    Ok((id, state.redirects.choose([to.as_str()]).to_owned()))
}

/// Exchanges the provider's code and signs the person in. No connection is held while the provider
/// is called.
///
/// # Errors
/// The refusals of the flow, the provider and the account.
#[tracing::instrument(name = "auth.callback", skip_all)]
pub async fn callback(
    state: &State,
    context: &RequestContext,
    id: Uuid,
    query: CallbackQuery<'_>,
) -> Result<CallbackOutcome, AuthError> {
    let flow = open(state, id).await?;
    if !query.error.is_empty() {
        return Err(ExternalAccountRefusal::ProviderRefused {
            error: query.error.to_owned(),
            description: query.error_description.to_owned(),
        }
        .into());
    }
    let (tokens, person) = ask_provider(state, &flow, query.code).await?;
    let announced = match flow.linking_target_id {
        Some(_) => None,
        None => Some(link::announce(state, context, &flow.provider_type, &person).await?),
    };
    let mut work = UnitOfWork::begin(state, context).await?;
    // Checked again under the lock: another request may have used the same state.
    let flow = check(state, store::flow_state::by_state(&mut work.tx, id).await?)?;
    let settled = match (flow.linking_target_id, announced) {
        (Some(target), _) => {
            link::to_account(&mut work, &flow.provider_type, &person, target).await?
        }
        (None, Some(announced)) => {
            link::sign_in(&mut work, &flow.provider_type, &person, announced).await?
        }
        (None, None) => return Err(ExternalAccountRefusal::BadOauthState.into()),
    };
    let LinkedAccount { user, unverified, notice, new_account } = settled;
    if let Some(unverified) = unverified {
        // The account is kept although the sign-in is refused: the mail lets its owner confirm the
        // address.
        work.commit().await?;
        account::notify_hooks(state, context, new_account).await?;
        outbox::send(state, unverified.mail).await?;
        return Err(ExternalAccountRefusal::ProviderEmailUnverified(flow.provider_type).into());
    }
    let outcome = finish(work, flow, (user, new_account), tokens).await?;
    outbox::send_notifications(state, [notice]).await;
    Ok(outcome)
}

async fn open(state: &State, id: Uuid) -> Result<ExternalFlow, AuthError> {
    let mut tx = state.begin().await?;
    check(state, store::flow_state::by_state(&mut tx, id).await?)
}

fn check(state: &State, flow: Option<ExternalFlow>) -> Result<ExternalFlow, AuthError> {
    let flow = flow.ok_or(ExternalAccountRefusal::BadOauthState)?;
    if flow.user_id.is_some() {
        return Err(ExternalAccountRefusal::FlowStateUsed("State has already been used").into());
    }
    let lifetime = state.config.flow_state_expiry;
    if flow.created_at.is_none_or(|from| state.now() > from + lifetime) {
        return Err(ExternalAccountRefusal::OauthStateExpired.into());
    }
    Ok(flow)
}

async fn ask_provider(
    state: &State,
    flow: &ExternalFlow,
    code: &str,
) -> Result<(Tokens, Person), AuthError> {
    let config = &enabled(state, &flow.provider_type).await?;
    let external = Client::new(&state.environment.outgoing, config);
    let failed = |task| {
        move |source| AuthError::ExternalAccount(ExternalAccountRefusal::Provider { task, source })
    };
    let endpoints =
        external.endpoints().await.map_err(failed("Unable to reach external provider"))?;
    let uri = callback_uri(state, config);
    let tokens = external
        .exchange(&endpoints, &uri, code, flow.code_verifier.as_deref())
        .await
        .map_err(failed("Unable to exchange external code"))?;
    let person = external
        .person(&endpoints, &tokens.access_token)
        .await
        .map_err(failed("Error getting user profile from external provider"))?;
    if person.email.is_none() && !config.email_optional {
        return Err(ExternalAccountRefusal::ProviderEmailMissing.into());
    }
    Ok((tokens, person))
}

async fn finish(
    mut work: UnitOfWork<'_>,
    flow: ExternalFlow,
    (user, new_account): (Uuid, Option<CreatedAccount>),
    tokens: Tokens,
) -> Result<CallbackOutcome, AuthError> {
    let (state, context) = (work.state, work.context);
    let (access, refresh) = (tokens.access_token, tokens.refresh_token);
    if flow.code_challenge.is_some() {
        let (refresh, now) = (refresh.as_deref(), work.now());
        store::flow_state::complete(&mut work.tx, flow.id, user, &access, refresh, now).await?;
        work.commit().await?;
        account::notify_hooks(state, context, new_account).await?;
        return Ok(CallbackOutcome::Code(flow.auth_code.unwrap_or_default()));
    }
    let opened = grant::open(&mut work, user, "oauth").await?;
    store::flow_state::delete(&mut work.tx, flow.id).await?;
    let grant = opened.issue_grant(work, new_account).await?;
    let grant = Grant { provider_token: Some(access), provider_refresh_token: refresh, ..grant };
    Ok(CallbackOutcome::Session(Box::new(grant)))
}
