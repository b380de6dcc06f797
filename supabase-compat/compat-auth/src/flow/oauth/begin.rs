//! Redirecting to the provider.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use url::Url;
use uuid::Uuid;

use crate::error::{AuthError, ExternalAccountRefusal, InvalidRequest};
use crate::flow::custom_provider;
use crate::model::{Challenge, RequestContext};
use crate::provider::{Client, ProviderConfig};
use crate::state::State;
use crate::store;

/// Parameters that this service sets itself and never passes through to the provider.
const OURS: [&str; 8] = [
    "client_id",
    "client_secret",
    "redirect_uri",
    "response_type",
    "state",
    "code_challenge",
    "code_challenge_method",
    "code_verifier",
];

/// Parameters for this service, which are not passed through.
const FOR_US: [&str; 5] =
    ["provider", "redirect_to", "scopes", "invite_token", "skip_http_redirect"];

/// The request to begin a flow.
pub struct BeginRequest<'a> {
    pub provider: &'a str,
    pub scopes: &'a str,
    pub challenge: Option<Challenge>,
    /// The account to which the external account is added.
    pub link_to: Option<Uuid>,
    /// The whole query; other parameters are passed through to the provider.
    pub query: &'a [(String, String)],
}

/// Stores the flow and returns the provider's address for the redirect.
///
/// # Errors
/// [`InvalidRequest::Provider`], or the provider cannot be reached.
#[tracing::instrument(name = "auth.authorize", skip_all)]
pub async fn begin(
    state: &State,
    context: &RequestContext,
    request: BeginRequest<'_>,
) -> Result<String, AuthError> {
    let config = &enabled(state, request.provider).await?;
    let external = Client::new(&state.environment.outgoing, config);
    let endpoints = external.endpoints().await.map_err(|source| {
        ExternalAccountRefusal::Provider { task: "Unable to reach external provider", source }
    })?;
    let mut url = Url::parse(&endpoints.authorize).map_err(AuthError::internal)?;
    // PKCE between this service and the provider. The client's challenge is stored with the flow.
    let verifier =
        config.uses_pkce().then(|| URL_SAFE_NO_PAD.encode(state.environment.entropy.bytes::<32>()));
    let flow = note(state, context, &request, verifier.as_deref()).await?;
    let mut pairs = url.query_pairs_mut();
    pairs
        .append_pair("client_id", config.client_id())
        .append_pair("redirect_uri", &callback_uri(state, config))
        .append_pair("response_type", "code")
        .append_pair(
            "scope",
            format!("{} {}", config.scopes(), request.scopes.replace(',', " ")).trim(),
        )
        .append_pair("state", &flow.to_string());
    if let Some(verifier) = &verifier {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        pairs
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
    }
    let own = config.custom.iter().flat_map(|custom| &custom.authorization_params);
    for (key, value) in own {
        if !OURS.contains(&key.as_str()) {
            pairs.append_pair(key, value);
        }
    }
    for (key, value) in request.query {
        if !OURS.contains(&key.as_str()) && !FOR_US.contains(&key.as_str()) && key != "scope" {
            pairs.append_pair(key, value);
        }
    }
    drop(pairs);
    Ok(url.into())
}

/// The settings of a provider that is switched on.
///
/// # Errors
/// [`InvalidRequest::Provider`].
pub async fn enabled(state: &State, name: &str) -> Result<ProviderConfig, AuthError> {
    let provider = custom_provider::by_name(state, name).await?;
    provider.ok_or_else(|| InvalidRequest::Provider("provider is not enabled".to_owned()).into())
}

/// The address to which the provider redirects the browser.
pub fn callback_uri(state: &State, config: &ProviderConfig) -> String {
    config.redirect_uri.clone().unwrap_or_else(|| format!("{}/callback", state.external_url()))
}

async fn note(
    state: &State,
    context: &RequestContext,
    request: &BeginRequest<'_>,
    verifier: Option<&str>,
) -> Result<Uuid, AuthError> {
    let (id, now) = (state.uuid(), state.now());
    let mut tx = state.begin().await?;
    let verifier_id = verifier.map(|verifier| (state.uuid(), verifier));
    if let Some((verifier_id, verifier)) = verifier_id {
        store::flow_state::insert_verifier(&mut tx, verifier_id, request.provider, verifier, now)
            .await?;
    }
    let row = store::flow_state::NewRow {
        id,
        user_id: None,
        auth_code: state.uuid(),
        challenge: request.challenge.as_ref(),
        provider_type: request.provider,
        authentication_method: "oauth",
        referrer: &context.redirect_to,
        linking_target_id: request.link_to,
        oauth_client_state_id: verifier_id.map(|(verifier_id, _)| verifier_id),
        now,
    };
    store::flow_state::insert(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(id)
}
