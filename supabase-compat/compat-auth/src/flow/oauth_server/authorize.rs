//! Authorization requests of clients, and the decisions of persons about them.

use compat_pg::Owner;
use url::Url;
use uuid::Uuid;

use super::check_enabled;
use crate::error::{AuthError, ClientRefusal, InvalidRequest};
use crate::guard::authenticate::AuthenticatedUser;
use crate::model::Challenge;
use crate::model::client::Client;
use crate::state::State;
use crate::store;
use crate::store::authorization::Authorization;

/// The supported scopes.
const SCOPES: [&str; 5] = ["openid", "profile", "email", "phone", "offline_access"];

/// The parameters with which a client redirected the browser.
#[derive(Debug, Default)]
pub struct AuthorizationRequest<'a> {
    pub client_id: &'a str,
    pub redirect_uri: &'a str,
    pub response_type: &'a str,
    pub scope: &'a str,
    pub state: &'a str,
    pub code_challenge: &'a str,
    pub code_challenge_method: &'a str,
    pub nonce: &'a str,
    pub resource: &'a str,
}

/// Stores the request and returns where to redirect the browser: to the consent page, or back to
/// the client with a refusal.
///
/// # Errors
/// A refusal before client and redirect address are known to match; after that, refusals are
/// redirects.
#[tracing::instrument(name = "auth.oauth_authorize", skip_all)]
pub async fn ask(state: &State, request: AuthorizationRequest<'_>) -> Result<String, AuthError> {
    check_enabled(state)?;
    let id: Uuid = request.client_id.parse().map_err(|_| InvalidRequest::ClientId)?;
    let mut tx = state.begin().await?;
    let client = store::client::load(&mut tx, id).await?;
    let client = client.ok_or(ClientRefusal::NotFound)?;
    // RFC 6749 section 4.1.2.1: never redirect to an address that is not the client's.
    if !client.redirect_uris().contains(&request.redirect_uri) {
        return Err(InvalidRequest::RedirectUri.into());
    }
    let scope = match requested_scopes(state, &request) {
        Ok(scope) => scope,
        Err((error, description)) => {
            let facts = [("error", error), ("error_description", description)];
            return Ok(back(request.redirect_uri, &facts, Some(request.state)));
        }
    };
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let row = Authorization {
        id: state.uuid(),
        authorization_id: state.environment.entropy.alphanumeric_lower(32),
        client_id: client.id,
        user_id: None,
        redirect_uri: request.redirect_uri.to_owned(),
        scope,
        state: some(request.state),
        code_challenge: some(request.code_challenge),
        code_challenge_method: some(&request.code_challenge_method.to_lowercase()),
        status: "pending".to_owned(),
        expires_at: state.now() + state.config.oauth_server.authorization_ttl,
        nonce: some(request.nonce),
        resource: some(request.resource),
    };
    store::authorization::insert(&mut tx, &row, state.now()).await?;
    tx.commit().await?;
    let site = state.redirects.site().trim_end_matches('/');
    let path = &state.config.oauth_server.authorization_path;
    Ok(back(&format!("{site}{path}"), &[("authorization_id", &row.authorization_id)], None))
}

/// Checks the other parameters and returns the scopes.
fn requested_scopes(
    state: &State,
    request: &AuthorizationRequest<'_>,
) -> Result<String, (&'static str, &'static str)> {
    if request.response_type != "code" {
        return Err(("unsupported_response_type", "Only response_type=code is supported"));
    }
    let (value, method) = (request.code_challenge, request.code_challenge_method);
    // OAuth 2.1 requires PKCE of confidential clients too.
    match Challenge::parse(Some(value), Some(method)) {
        Ok(Some(_)) => {}
        _ => {
            return Err((
                "invalid_request",
                "PKCE flow requires both code_challenge and code_challenge_method",
            ));
        }
    }
    // The table has the same limits; beyond them the insert would fail.
    if request.state.len() > 4096 || request.nonce.len() > 255 || request.resource.len() > 2048 {
        return Err(("invalid_request", "a parameter is too long"));
    }
    let scope = if request.scope.trim().is_empty() {
        state.config.oauth_server.default_scope.clone()
    } else {
        request.scope.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    if scope.split(' ').all(|one| SCOPES.contains(&one)) {
        Ok(scope)
    } else {
        Err(("invalid_scope", "Unsupported scope"))
    }
}

/// Adds parameters to an address, and the client's state if it sent one.
fn back(to: &str, pairs: &[(&str, &str)], state: Option<&str>) -> String {
    let Ok(mut url) = Url::parse(to) else { return to.to_owned() };
    url.query_pairs_mut().extend_pairs(pairs);
    if let Some(state) = state.filter(|state| !state.is_empty()) {
        url.query_pairs_mut().append_pair("state", state);
    }
    url.into()
}

/// The response to the consent page.
pub enum ConsentView {
    Details {
        authorization: Box<Authorization>,
        client: Box<Client>,
    },
    /// The person gave this consent before.
    Redirect(String),
}

/// Returns a request for the consent page. The request belongs to the first person that views it.
///
/// # Errors
/// [`ClientRefusal::AuthorizationNotFound`] for requests that are unknown, expired or another
/// person's.
pub async fn view(
    state: &State,
    caller: &AuthenticatedUser,
    id: &str,
) -> Result<ConsentView, AuthError> {
    check_enabled(state)?;
    let mut tx = state.begin().await?;
    let authorization = pending(state, &mut tx, caller, id).await?;
    let client = store::client::load(&mut tx, authorization.client_id).await?;
    let client = client.ok_or(ClientRefusal::AuthorizationNotFound)?;
    let allowed = store::consent::scopes(&mut tx, caller.user.id, client.id).await?;
    let covers = |allowed: &String| {
        authorization.scope.split(' ').all(|one| allowed.split(' ').any(|a| a == one))
    };
    let consent_view = if allowed.as_ref().is_some_and(covers) {
        ConsentView::Redirect(approve(state, &mut tx, caller, &authorization).await?)
    } else {
        ConsentView::Details { authorization: Box::new(authorization), client: Box::new(client) }
    };
    tx.commit().await?;
    Ok(consent_view)
}

/// Records the person's decision and returns where to redirect the browser.
///
/// # Errors
/// [`ClientRefusal::AuthorizationNotFound`] or [`InvalidRequest::ConsentAction`].
pub async fn decide(
    state: &State,
    caller: &AuthenticatedUser,
    id: &str,
    action: &str,
) -> Result<String, AuthError> {
    check_enabled(state)?;
    let mut tx = state.begin().await?;
    let authorization = pending(state, &mut tx, caller, id).await?;
    let to = match action {
        "approve" => approve(state, &mut tx, caller, &authorization).await?,
        "deny" => {
            store::authorization::deny(&mut tx, authorization.id).await?;
            let facts =
                [("error", "access_denied"), ("error_description", "User denied the request")];
            back(&authorization.redirect_uri, &facts, authorization.state.as_deref())
        }
        _ => return Err(InvalidRequest::ConsentAction.into()),
    };
    tx.commit().await?;
    Ok(to)
}

async fn pending(
    state: &State,
    tx: &mut Owner,
    caller: &AuthenticatedUser,
    id: &str,
) -> Result<Authorization, AuthError> {
    let row = store::authorization::load(tx, id, false).await?;
    let authorization = row.ok_or(ClientRefusal::AuthorizationNotFound)?;
    let is_open = authorization.status == "pending" && state.now() <= authorization.expires_at;
    let is_theirs = authorization.user_id.is_none_or(|user| user == caller.user.id);
    if !is_open || !is_theirs {
        return Err(ClientRefusal::AuthorizationNotFound.into());
    }
    store::authorization::claim(tx, authorization.id, caller.user.id).await?;
    Ok(authorization)
}

async fn approve(
    state: &State,
    tx: &mut Owner,
    caller: &AuthenticatedUser,
    authorization: &Authorization,
) -> Result<String, AuthError> {
    let (code, now) = (state.environment.entropy.alphanumeric_lower(40), state.now());
    store::authorization::approve(tx, authorization.id, &code, now).await?;
    let (user, client) = (caller.user.id, authorization.client_id);
    store::consent::put(tx, state.uuid(), user, client, &authorization.scope, now).await?;
    Ok(back(&authorization.redirect_uri, &[("code", &code)], authorization.state.as_deref()))
}
