//! `/authorize`, `/callback` and `/user/identities`

use axum::extract::{FromRequestParts as _, Path, Request, State as Extract};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use url::form_urlencoded;
use uuid::Uuid;

use super::body::read;
use super::extract::{SignedInUser, pairs};
use super::shape;
use super::verify::{error_url, see_other, session_pairs, with_fragment, with_query};
use crate::error::{AuthError, DisabledFeature};
use crate::flow::oauth::begin::{BeginRequest, begin};
use crate::flow::oauth::callback::{CallbackOutcome, CallbackQuery, callback, destination};
use crate::flow::oauth::unlink::unlink;
use crate::model::{Challenge, RequestContext};
use crate::state::State;
use crate::wire::admin::users::id;

/// `GET /authorize`: sends the browser to the provider.
pub async fn get_authorize(
    Extract(state): Extract<State>,
    context: RequestContext,
    request: Request,
) -> Result<Response, AuthError> {
    let url = leave(&state, &context, &pairs(request.uri()), None).await?;
    Ok(redirect(&url))
}

/// `GET /user/identities/authorize`: the same for linking to a signed-in account; with
/// `skip_http_redirect` the response contains the address.
pub async fn get_link(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    request: Request,
) -> Result<Response, AuthError> {
    if !state.config.manual_linking_enabled {
        return Err(DisabledFeature::ManualLinking.into());
    }
    let pairs = pairs(request.uri());
    let url = leave(&state, &context, &pairs, Some(caller.user.id)).await?;
    if value(&pairs, "skip_http_redirect") == "true" {
        return Ok(compat_http::json(StatusCode::OK, &json!({"url": url})));
    }
    Ok(redirect(&url))
}

async fn leave(
    state: &State,
    context: &RequestContext,
    pairs: &[(String, String)],
    link_to: Option<Uuid>,
) -> Result<String, AuthError> {
    let filled = |name: &str| Some(value(pairs, name)).filter(|text| !text.is_empty());
    let challenge = Challenge::parse(filled("code_challenge"), filled("code_challenge_method"))?;
    let request = BeginRequest {
        provider: value(pairs, "provider"),
        scopes: value(pairs, "scopes"),
        challenge,
        link_to,
        query: pairs,
    };
    begin(state, context, request).await
}

/// A parameter, or the empty text.
pub fn value<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

/// A redirect with 302, as is usual for authorization endpoints.
pub fn redirect(url: &str) -> Response {
    let mut response = StatusCode::FOUND.into_response();
    if let Ok(url) = HeaderValue::try_from(url) {
        response.headers_mut().insert(header::LOCATION, url);
    }
    response
}

/// `GET` and `POST /callback`: whatever the result, the browser is redirected to the address of the
/// flow.
pub async fn callback_either(
    Extract(state): Extract<State>,
    request: Request,
) -> Result<Response, AuthError> {
    let (mut parts, body) = request.into_parts();
    let mut pairs_sent = pairs(&parts.uri);
    // With `response_mode=form_post`, which Apple uses, the fields are in a form.
    if parts.method == http::Method::POST {
        let body = read(body).await?;
        pairs_sent.extend(form_urlencoded::parse(&body).into_owned());
    }
    let Ok(context) = RequestContext::from_request_parts(&mut parts, &state).await;
    let (id, to) = match destination(&state, value(&pairs_sent, "state")).await {
        Ok(known) => known,
        Err(error) => return Ok(see_other(&error_url(state.redirects.site(), &error, true))),
    };
    let facts = CallbackQuery {
        code: value(&pairs_sent, "code"),
        error: value(&pairs_sent, "error"),
        error_description: value(&pairs_sent, "error_description"),
    };
    Ok(match callback(&state, &context, id, facts).await {
        Ok(CallbackOutcome::Code(code)) => redirect(&with_query(&to, &[("code", &code)])),
        Ok(CallbackOutcome::Session(grant)) => {
            redirect(&with_fragment(&to, &session_pairs(&grant, None)))
        }
        Err(error) => redirect(&error_url(&to, &error, true)),
    })
}

/// `DELETE /user/identities/{identity_id}`
pub async fn delete_identity(
    Extract(state): Extract<State>,
    context: RequestContext,
    SignedInUser(caller): SignedInUser,
    Path(identity_id): Path<String>,
) -> Result<Response, AuthError> {
    if !state.config.manual_linking_enabled {
        return Err(DisabledFeature::ManualLinking.into());
    }
    unlink(&state, &context, &caller, id("identity_id", &identity_id)?).await?;
    Ok(shape::nothing())
}
