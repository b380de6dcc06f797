//! Coming back from the provider.

use uuid::Uuid;

use super::begin::{callback_uri, enabled};
use super::link::{self, Settled};
use crate::account::{self, Made};
use crate::error::{AuthError, OutsideRefusal};
use crate::flow::grant::{self, Grant};
use crate::model::Visit;
use crate::outbox;
use crate::provider::{Client, Person, Tokens};
use crate::state::State;
use crate::store;
use crate::store::flow_state::Outside;
use crate::turn::Turn;

/// What the browser brought.
#[derive(Debug, Default)]
pub struct Brought<'a> {
    pub code: &'a str,
    pub error: &'a str,
    pub error_description: &'a str,
}

/// What comes of it.
pub enum Arrived {
    Session(Box<Grant>),
    Code(String),
}

/// Where the flow wanted to end; known before anything else is tried, so that refusals end there
/// too.
///
/// # Errors
/// [`OutsideRefusal::BadOauthState`] or [`OutsideRefusal::BadOauthCallback`].
pub async fn destination(state: &State, asked: &str) -> Result<(Uuid, String), AuthError> {
    if asked.is_empty() {
        return Err(OutsideRefusal::BadOauthCallback.into());
    }
    let id: Uuid = asked.parse().map_err(|_| OutsideRefusal::BadOauthState)?;
    let mut tx = state.begin().await?;
    let flow =
        store::flow_state::by_state(&mut tx, id).await?.ok_or(OutsideRefusal::BadOauthState)?;
    let to = flow.referrer.unwrap_or_default();
    Ok((id, state.redirects.choose([to.as_str()]).to_owned()))
}

/// Exchanges the provider's code and lets the person in. The provider is asked while no connection
/// is held.
///
/// # Errors
/// Everything that can be wrong with flow, provider or account.
#[tracing::instrument(name = "auth.callback", skip_all)]
pub async fn callback(
    state: &State,
    visit: &Visit,
    id: Uuid,
    brought: Brought<'_>,
) -> Result<Arrived, AuthError> {
    let flow = open(state, id).await?;
    if !brought.error.is_empty() {
        return Err(OutsideRefusal::ProviderRefused {
            error: brought.error.to_owned(),
            description: brought.error_description.to_owned(),
        }
        .into());
    }
    let (tokens, person) = ask_provider(state, &flow, brought.code).await?;
    let announced = match flow.linking_target_id {
        Some(_) => None,
        None => Some(link::announce(state, visit, &flow.provider_type, &person).await?),
    };
    let mut turn = Turn::begin(state, visit).await?;
    let flow = check(state, store::flow_state::by_state(&mut turn.tx, id).await?)?;
    let settled = match (flow.linking_target_id, announced) {
        (Some(target), _) => {
            link::to_account(&mut turn, &flow.provider_type, &person, target).await?
        }
        (None, Some(announced)) => {
            link::sign_in(&mut turn, &flow.provider_type, &person, announced).await?
        }
        (None, None) => return Err(OutsideRefusal::BadOauthState.into()),
    };
    let Settled { user, unverified, notice, made } = settled;
    if let Some(unverified) = unverified {
        turn.commit().await?;
        account::tell(state, visit, made).await?;
        outbox::send(state, unverified.mail).await?;
        return Err(OutsideRefusal::ProviderEmailUnverified(flow.provider_type).into());
    }
    let arrived = finish(turn, flow, (user, made), tokens).await?;
    outbox::send_notifications(state, [notice]).await;
    Ok(arrived)
}

async fn open(state: &State, id: Uuid) -> Result<Outside, AuthError> {
    let mut tx = state.begin().await?;
    check(state, store::flow_state::by_state(&mut tx, id).await?)
}

fn check(state: &State, flow: Option<Outside>) -> Result<Outside, AuthError> {
    let flow = flow.ok_or(OutsideRefusal::BadOauthState)?;
    if flow.user_id.is_some() {
        return Err(OutsideRefusal::FlowStateUsed("State has already been used").into());
    }
    let life = state.config.flow_state_expiry;
    if flow.created_at.is_none_or(|from| state.now() > from + life) {
        return Err(OutsideRefusal::OauthStateExpired.into());
    }
    Ok(flow)
}

async fn ask_provider(
    state: &State,
    flow: &Outside,
    code: &str,
) -> Result<(Tokens, Person), AuthError> {
    let config = &enabled(state, &flow.provider_type).await?;
    let outside = Client::new(&state.edge.outgoing, config);
    let failed = |task| move |source| AuthError::Outside(OutsideRefusal::Provider { task, source });
    let endpoints =
        outside.endpoints().await.map_err(failed("Unable to reach external provider"))?;
    let uri = callback_uri(state, config);
    let tokens = outside
        .exchange(&endpoints, &uri, code, flow.code_verifier.as_deref())
        .await
        .map_err(failed("Unable to exchange external code"))?;
    let person = outside
        .person(&endpoints, &tokens.access_token)
        .await
        .map_err(failed("Error getting user profile from external provider"))?;
    if person.email.is_none() && !config.email_optional {
        return Err(OutsideRefusal::ProviderEmailMissing.into());
    }
    Ok((tokens, person))
}

async fn finish(
    mut turn: Turn<'_>,
    flow: Outside,
    (user, made): (Uuid, Option<Made>),
    tokens: Tokens,
) -> Result<Arrived, AuthError> {
    let (state, visit) = (turn.state, turn.visit);
    let (access, refresh) = (tokens.access_token, tokens.refresh_token);
    if flow.code_challenge.is_some() {
        let (refresh, now) = (refresh.as_deref(), turn.now());
        store::flow_state::complete(&mut turn.tx, flow.id, user, &access, refresh, now).await?;
        turn.commit().await?;
        account::tell(state, visit, made).await?;
        return Ok(Arrived::Code(flow.auth_code.unwrap_or_default()));
    }
    let opened = grant::open(&mut turn, user, "oauth").await?;
    store::flow_state::delete(&mut turn.tx, flow.id).await?;
    let grant = opened.hand_out(turn, made).await?;
    let grant = Grant { provider_token: Some(access), provider_refresh_token: refresh, ..grant };
    Ok(Arrived::Session(Box::new(grant)))
}
