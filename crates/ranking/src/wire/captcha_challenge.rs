//! `GET functions/v1/captcha-challenge?purpose=vote|notice&server=<uuid>`: an ALTCHA v2 challenge.

use axum::response::{Response, Result};
use compat_functions::Invocation;
use compat_proof_of_work::Challenge;
use http::{HeaderValue, Method, StatusCode, header};
use percent_encoding::percent_decode_str;
use uuid::Uuid;

use crate::captcha::{Captcha, Purpose};
use crate::{Refusal, State};

pub(crate) async fn answer(state: State, call: Invocation) -> Result<Response> {
    Ok(render(&challenge(&state, &call)?))
}

fn challenge(state: &State, call: &Invocation) -> Result<Challenge, Refusal> {
    if call.method != Method::GET {
        return Err(Refusal::MethodNotAllowed("GET"));
    }
    let Captcha::Altcha(altcha) = state.captcha() else {
        return Err(Refusal::BadRequest("Challenges are posed by the captcha's provider"));
    };
    let now = state.environment().clock.now();
    let limited = state.limits().challenges.take(&state.voter(call.client_ip), now);
    limited.map_err(|retry_after| Refusal::TooManyRequests { retry_after })?;
    let purpose = parameter(&call.query, "purpose").and_then(|word| Purpose::parse(&word));
    let purpose = purpose.ok_or(Refusal::BadRequest("purpose must be `vote` or `notice`"))?;
    let server = parameter(&call.query, "server").and_then(|text| Uuid::try_parse(&text).ok());
    let server = server.ok_or(Refusal::BadRequest("server must be a UUID"))?;
    Ok(altcha.issue(state.environment(), purpose, server)?)
}

/// The first value of a query parameter.
pub(super) fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(percent_decode_str(value).decode_utf8().ok()?.into_owned())
}

/// A challenge from a cache could be answered twice, and the second answer would be refused.
fn render(challenge: &Challenge) -> Response {
    let mut response = compat_http::json(StatusCode::OK, challenge);
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, no_store);
    response
}
