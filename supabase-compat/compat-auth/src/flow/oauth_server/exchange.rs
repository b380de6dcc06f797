//! The token endpoint: codes and refresh tokens of clients.

use serde_json::{Value, json};
use uuid::Uuid;

use super::check_enabled;
use crate::error::{AuthError, ClientRefusal, Fault};
use crate::flow::grant::{self, Grant};
use crate::flow::refresh::refresh_of;
use crate::model::client::Client;
use crate::model::metadata::Metadata;
use crate::model::{Challenge, ChallengeMethod, RequestContext, User};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The authentication method of sessions that a client's code opens.
const METHOD: &str = "oauth_provider/authorization_code";

/// The client's request to the token endpoint.
#[derive(Debug, Default)]
pub struct ExchangeRequest<'a> {
    pub grant_type: &'a str,
    pub client_id: &'a str,
    pub client_secret: &'a str,
    pub code: &'a str,
    pub redirect_uri: &'a str,
    pub code_verifier: &'a str,
    pub refresh_token: &'a str,
}

/// The tokens for the client.
pub struct ExchangeResponse {
    pub grant: Grant,
    pub scope: String,
    pub id_token: Option<String>,
}

const fn refusal(error: &'static str, description: &'static str) -> AuthError {
    AuthError::Client(ClientRefusal::Oauth { error, description })
}

/// Exchanges a code or a refresh token.
///
/// # Errors
/// [`ClientRefusal::Oauth`] with the error codes of RFC 6749.
#[tracing::instrument(name = "auth.oauth_token", skip_all)]
pub async fn exchange(
    state: &State,
    context: &RequestContext,
    request: ExchangeRequest<'_>,
) -> Result<ExchangeResponse, AuthError> {
    check_enabled(state)?;
    let client = client(state, &request).await?;
    if !client.grant_types().contains(&request.grant_type) {
        return Err(refusal("unsupported_grant_type", "The grant type is not supported"));
    }
    match request.grant_type {
        "authorization_code" => by_code(state, context, &client, &request).await,
        _ => {
            let grant = refresh_of(state, context, request.refresh_token, Some(client.id)).await;
            // RFC 6749 section 5.2 has one error for every invalid refresh token. Our own faults
            // stay server errors.
            let grant = grant.map_err(|error| match error {
                AuthError::Ours(Fault::Database { .. } | Fault::Internal(_)) => error,
                _ => refusal("invalid_grant", "The refresh token is invalid or has expired"),
            })?;
            Ok(ExchangeResponse {
                scope: grant.scope.clone().unwrap_or_default(),
                grant,
                id_token: None,
            })
        }
    }
}

async fn client(state: &State, request: &ExchangeRequest<'_>) -> Result<Client, AuthError> {
    const UNKNOWN: AuthError = refusal("invalid_client", "Invalid client credentials");
    let id: Uuid = request.client_id.parse().map_err(|_| UNKNOWN)?;
    let mut tx = state.begin().await?;
    let client = store::client::load(&mut tx, id).await?.ok_or(UNKNOWN)?;
    if client.accepts(request.client_secret) { Ok(client) } else { Err(UNKNOWN) }
}

async fn by_code(
    state: &State,
    context: &RequestContext,
    client: &Client,
    request: &ExchangeRequest<'_>,
) -> Result<ExchangeResponse, AuthError> {
    const INVALID: AuthError = refusal("invalid_grant", "Invalid authorization code");
    let mut work = UnitOfWork::begin(state, context).await?;
    // Locked here and deleted below: a code works once (RFC 6749 section 4.1.2).
    let row = store::authorization::load(&mut work.tx, request.code, true).await?;
    let row = row.ok_or(INVALID)?;
    // In OAuth 2.1 clients no longer repeat the redirect address; if one does, it must match
    // exactly.
    let fits = row.client_id == client.id
        && row.status == "approved"
        && state.now() <= row.expires_at
        && (request.redirect_uri.is_empty() || request.redirect_uri == row.redirect_uri);
    let user = row.user_id.filter(|_| fits).ok_or(INVALID)?;
    let method = row.code_challenge_method.as_deref().unwrap_or("plain");
    let challenge = Challenge {
        value: row.code_challenge.clone().unwrap_or_default(),
        method: ChallengeMethod::parse(method)?,
    };
    let proven = challenge.verify(request.code_verifier);
    proven.map_err(|_| refusal("invalid_grant", "PKCE verification failed"))?;
    let person = store::user::load(&mut work.tx, user).await?.ok_or(INVALID)?;
    if person.is_banned(state.now()) {
        return Err(INVALID);
    }
    store::authorization::delete(&mut work.tx, row.id).await?;
    let scope = row.scope.clone();
    let opened = grant::open_for(&mut work, user, METHOD, Some((client.id, &scope))).await?;
    let grant = opened.issue_grant(work, None).await?;
    let nonce = row.nonce.as_deref();
    let id_token = id_token(state, &grant.user, client.id, &scope, nonce)?;
    Ok(ExchangeResponse { grant, scope, id_token })
}

/// The ID token, if the client requested one and our keys are public, so that it can verify the
/// token.
fn id_token(
    state: &State,
    user: &User,
    client: Uuid,
    scope: &str,
    nonce: Option<&str>,
) -> Result<Option<String>, AuthError> {
    let symmetric = state.keys.signing_algorithm().is_none_or(|name| name.starts_with("HS"));
    if symmetric || !scope.split(' ').any(|one| one == "openid") {
        return Ok(None);
    }
    let now = state.environment.clock.unix();
    let mut claims = about(user, scope);
    claims.insert("iss".to_owned(), json!(state.issuer()));
    claims.insert("aud".to_owned(), json!(client));
    claims.insert("iat".to_owned(), json!(now));
    claims.insert("exp".to_owned(), json!(now + state.config.jwt_exp));
    claims.insert("auth_time".to_owned(), json!(now));
    if let Some(nonce) = nonce {
        claims.insert("nonce".to_owned(), json!(nonce));
    }
    state.keys.sign(&claims).map(Some).map_err(AuthError::internal)
}

/// The person's claims that the scopes allow, under OpenID Connect's names.
pub fn about(user: &User, scope: &str) -> Metadata {
    let has = |name: &str| scope.split(' ').any(|one| one == name);
    let metadata = user.user_metadata();
    let mut claims = Metadata::new();
    claims.insert("sub".to_owned(), json!(user.id));
    if has("email") {
        claims.insert("email".to_owned(), json!(user.email()));
        claims.insert("email_verified".to_owned(), json!(user.is_confirmed()));
    }
    if has("phone") {
        claims.insert("phone_number".to_owned(), json!(user.phone()));
        claims.insert("phone_number_verified".to_owned(), json!(user.phone_confirmed_at.is_some()));
    }
    if has("profile") {
        let first = |names: &[&str]| -> Option<Value> {
            names.iter().find_map(|name| metadata.get(*name)).cloned()
        };
        let named = [
            ("name", first(&["name", "full_name"])),
            ("preferred_username", first(&["preferred_username", "user_name"])),
            ("picture", first(&["picture", "avatar_url"])),
            ("updated_at", user.updated_at.map(|at| json!(at.timestamp()))),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                claims.insert(name.to_owned(), value);
            }
        }
    }
    claims
}
