//! `POST /token?grant_type=…`

use axum::extract::{FromRequest as _, FromRequestParts as _, Request, State as Extract};
use axum::response::Response;
use serde::Deserialize;

use super::body::Body;
use super::extract::{SignedInUser, pairs, query};
use super::shape;
use crate::error::{AuthError, DisabledFeature, SignInRefusal};
use crate::flow::exchange_code::exchange_code;
use crate::flow::oauth::id_token::{self, IdToken};
use crate::flow::refresh::refresh;
use crate::flow::sign_in::{SignIn, sign_in};
use crate::model::RequestContext;
use crate::state::State;

#[derive(Debug, Deserialize)]
struct PasswordBody {
    email: Option<String>,
    phone: Option<String>,
    password: Option<String>,
}

#[derive(Debug, Deserialize)]
struct RefreshBody {
    refresh_token: Option<String>,
}

#[derive(Debug, Deserialize)]
struct IdTokenBody {
    provider: Option<String>,
    client_id: Option<String>,
    issuer: Option<String>,
    id_token: Option<String>,
    access_token: Option<String>,
    nonce: Option<String>,
    link_identity: Option<bool>,
}

/// Whether the request has a password, so that a captcha is required.
pub fn carries_password(uri: &http::Uri) -> bool {
    pairs(uri).iter().any(|(key, value)| key == "grant_type" && value == "password")
}

impl IdTokenBody {
    async fn sign_in(
        &self,
        state: &State,
        context: &RequestContext,
        link_to: Option<uuid::Uuid>,
    ) -> Result<crate::flow::grant::Grant, AuthError> {
        let text_of = |text: &'_ Option<String>| text.clone().unwrap_or_default();
        let request = IdToken {
            provider: &text_of(&self.provider),
            client_id: &text_of(&self.client_id),
            issuer: &text_of(&self.issuer),
            id_token: &text_of(&self.id_token),
            access_token: self.access_token.as_deref(),
            nonce: &text_of(&self.nonce),
            link_to,
        };
        id_token::sign_in(state, context, request).await
    }
}

#[derive(Debug, Deserialize)]
struct ExchangeBody {
    auth_code: Option<String>,
    code_verifier: Option<String>,
}

/// Handles every grant type; each has a body of its own.
pub async fn post(
    Extract(state): Extract<State>,
    context: RequestContext,
    request: Request,
) -> Result<Response, AuthError> {
    let (mut parts, body) = request.into_parts();
    let grant_type = query(&parts, "grant_type").unwrap_or_default();
    // A copy of the head is kept, because linking an ID token needs the signed-in person.
    let request = Request::from_parts(parts.clone(), body);
    let grant = match grant_type.as_str() {
        "password" => {
            let Body(body) = Body::<PasswordBody>::from_request(request, &()).await?;
            let sign_in_request = SignIn {
                email: body.email.as_deref().unwrap_or_default(),
                phone: body.phone.as_deref().unwrap_or_default(),
                password: body.password.as_deref().unwrap_or_default(),
            };
            sign_in(&state, &context, sign_in_request).await?
        }
        "refresh_token" => {
            let Body(body) = Body::<RefreshBody>::from_request(request, &()).await?;
            refresh(&state, &context, body.refresh_token.as_deref().unwrap_or_default()).await?
        }
        "pkce" => {
            let Body(body) = Body::<ExchangeBody>::from_request(request, &()).await?;
            let code = body.auth_code.as_deref().unwrap_or_default();
            let verifier = body.code_verifier.as_deref().unwrap_or_default();
            exchange_code(&state, &context, code, verifier).await?
        }
        "id_token" => {
            let Body(body) = Body::<IdTokenBody>::from_request(request, &()).await?;
            let link_to = if body.link_identity.unwrap_or_default() {
                let SignedInUser(caller) =
                    SignedInUser::from_request_parts(&mut parts, &state).await?;
                if !state.config.manual_linking_enabled {
                    return Err(DisabledFeature::ManualLinking.into());
                }
                Some(caller.user.id)
            } else {
                None
            };
            body.sign_in(&state, &context, link_to).await?
        }
        "web3" => return Err(DisabledFeature::Web3.into()),
        _ => return Err(SignInRefusal::UnsupportedGrant.into()),
    };
    Ok(shape::session(&grant))
}
