//! One call of the vote API from the request to the response: the server, the caller's remaining
//! rate limit, and the headers that every dialect shares.

use std::collections::HashMap;
use std::net::IpAddr;

use axum::extract::{FromRequestParts, Query};
use axum::response::Response;
use compat_http::{ClientIp, RateLimitStatus};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::refusal::ApiRefusal;
use crate::State;
use crate::flow::check_vote::Voter;
use crate::model::nickname::Nickname;
use crate::model::server_key::ServerKey;

/// The response headers that scripts of other origins may read.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, \
     X-RateLimit-Reset, X-Request-Id",
);

/// A request to the vote API.
pub(super) struct ApiCall {
    pub state: State,
    pub method: Method,
    client: IpAddr,
    query: HashMap<String, String>,
    bearer: Option<String>,
    if_none_match: Option<String>,
    quota: Option<RateLimitStatus>,
}

impl FromRequestParts<State> for ApiCall {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Self::Rejection> {
        let ClientIp(client) = ClientIp::from_request_parts(parts, state).await?;
        let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let text = |name: HeaderName| parts.headers.get(name)?.to_str().ok().map(str::to_owned);
        Ok(Self {
            state: state.clone(),
            method: parts.method.clone(),
            client,
            // Of a repeated parameter the first value counts.
            query: query.map(|Query(pairs)| pairs.into_iter().rev().collect()).unwrap_or_default(),
            bearer: text(header::AUTHORIZATION).and_then(|text| bearer(&text)),
            if_none_match: text(header::IF_NONE_MATCH),
            quota: None,
        })
    }
}

/// The token in an `Authorization: Bearer` header.
fn bearer(text: &str) -> Option<String> {
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

impl ApiCall {
    /// The server in the request. This takes one request from the caller's rate limit, which is
    /// lower by a public id, which anybody has, than by a token.
    pub fn server(&mut self, text: Option<&str>) -> Result<ServerKey, ApiRefusal> {
        let server = ServerKey::parse_with(text, self.bearer.as_deref());
        let limits = self.state.limits();
        let limit = match server {
            Some(ServerKey::Token(_) | ServerKey::TokenOf { .. }) => &limits.token_questions,
            Some(ServerKey::Id(_)) | None => &limits.questions,
        };
        let quota =
            limit.spend(&self.state.voter(self.client), self.state.environment().clock.now());
        self.quota = Some(quota);
        match quota.retry_after {
            Some(retry_after) => Err(ApiRefusal::TooMany { retry_after }),
            None => server.ok_or(ApiRefusal::Server),
        }
    }

    /// The server named by a parameter.
    pub fn server_in(&mut self, name: &'static str) -> Result<ServerKey, ApiRefusal> {
        let text = self.text(name).map(str::to_owned);
        if text.is_none() && self.bearer.is_none() {
            self.server(None).map_err(|refusal| match refusal {
                ApiRefusal::Server => ApiRefusal::Missing(name),
                refusal => refusal,
            })
        } else {
            self.server(text.as_deref())
        }
    }

    /// A parameter, unless it is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Adds the fields of a form, for parameters that are not in the URL.
    pub fn add(&mut self, form: Vec<(String, String)>) {
        for (name, value) in form {
            self.query.entry(name).or_insert(value);
        }
    }

    /// The player in the first of these parameters that is present.
    pub fn player(&self, names: &[&'static str]) -> Result<Nickname, ApiRefusal> {
        let text = names.iter().find_map(|name| self.text(name));
        let text = text.ok_or(ApiRefusal::Missing(names.first().copied().unwrap_or_default()))?;
        Nickname::parse(text).map_err(|_| ApiRefusal::Player)
    }

    /// The parameter `limit`, with a default and a maximum.
    pub fn limit(&self, usual: u32, most: u32) -> u32 {
        let requested = self.text("limit").and_then(|text| text.parse().ok());
        requested.unwrap_or(usual).clamp(1, most)
    }

    /// Builds the response, or the refusal in the dialect's format.
    pub fn respond(
        self,
        result: Result<DialectResponse, ApiRefusal>,
        render_refusal: fn(&ApiRefusal) -> DialectResponse,
    ) -> Response {
        let (result, retry_after) = match result {
            Ok(result) => (result, None),
            Err(refusal) => {
                let refusal = refusal.logged();
                (render_refusal(&refusal), refusal.retry_after())
            }
        };
        let mut response = result.into_response(self.if_none_match.as_deref());
        let headers = response.headers_mut();
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(quota) = self.quota {
            insert_quota(headers, quota);
        }
        response
    }
}

/// Adds the remaining rate limit, both as the IETF draft (draft-ietf-httpapi-ratelimit-headers)
/// specifies and in the headers that most clients read.
fn insert_quota(headers: &mut HeaderMap, quota: RateLimitStatus) {
    let RateLimitStatus { limit, left, full_in, .. } = quota;
    let texts = [
        ("ratelimit-policy", format!("\"questions\";q={limit}")),
        ("ratelimit", format!("\"questions\";r={left};t={full_in}")),
        ("x-ratelimit-limit", limit.to_string()),
        ("x-ratelimit-remaining", left.to_string()),
        ("x-ratelimit-reset", full_in.to_string()),
    ];
    for (name, text) in texts {
        if let Ok(text) = HeaderValue::try_from(text) {
            headers.insert(HeaderName::from_static(name), text);
        }
    }
}

/// The voter with this IP address.
pub(super) fn address(text: &str) -> Result<Voter, ApiRefusal> {
    text.parse().map(Voter::Address).map_err(|_| ApiRefusal::Address)
}

/// A response in the format of a dialect.
#[derive(Debug)]
pub(super) struct DialectResponse {
    status: StatusCode,
    content_type: &'static str,
    body: Vec<u8>,
    /// How many seconds the response may be cached; `None` when it changes with the next vote.
    max_age: Option<u32>,
}

impl DialectResponse {
    /// A JSON response.
    pub fn json(status: StatusCode, value: &impl Serialize) -> Self {
        // Serialising derived structures of texts and numbers cannot fail.
        let body = serde_json::to_vec(value).unwrap_or_default();
        Self { status, content_type: "application/json", body, max_age: None }
    }

    /// A successful JSON response.
    pub fn ok(value: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, value)
    }

    /// A plain text response.
    pub fn text(status: StatusCode, text: impl Into<String>) -> Self {
        let body = text.into().into_bytes();
        Self { status, content_type: "text/plain; charset=utf-8", body, max_age: None }
    }

    /// Allows caches to keep the response for this many seconds and then to revalidate it by its
    /// `ETag`.
    pub fn max_age(self, seconds: u32) -> Self {
        Self { max_age: Some(seconds), ..self }
    }

    fn into_response(self, if_none_match: Option<&str>) -> Response {
        let tag = self.max_age.map(|_| tag(&self.body));
        let is_known = tag.as_deref().is_some_and(|tag| is_among(tag, if_none_match));
        let mut response = match is_known {
            true => Response::default(),
            false => Response::new(self.body.into()),
        };
        *response.status_mut() = if is_known { StatusCode::NOT_MODIFIED } else { self.status };
        let headers = response.headers_mut();
        // A 304 has no content, so it names no type (RFC 9110, section 15.4.5).
        if !is_known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        }
        let cache_control = match self.max_age {
            Some(seconds) => HeaderValue::try_from(format!("private, max-age={seconds}")).ok(),
            None => None,
        };
        let cache_control = cache_control.unwrap_or(HeaderValue::from_static("no-store"));
        headers.insert(header::CACHE_CONTROL, cache_control);
        // With a token in `Authorization`, the same address may answer with the names of voters.
        headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Some(tag) = tag.and_then(|tag| HeaderValue::try_from(tag).ok()) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

fn tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let digits: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

/// Whether an `If-None-Match` contains the tag; weak tags match, as RFC 9110 (13.1.2) requires.
fn is_among(tag: &str, if_none_match: Option<&str>) -> bool {
    if_none_match.is_some_and(|if_none_match| {
        if_none_match
            .split(',')
            .map(str::trim)
            .any(|one| one == "*" || one.trim_start_matches("W/") == tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use compat_testkit::property_test;
    use proptest::prelude::*;

    #[test]
    fn a_bearer_is_read_whatever_its_case() {
        assert_eq!(bearer("Bearer abc"), Some("abc".to_owned()));
        assert_eq!(bearer("bearer  abc "), Some("abc".to_owned()));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("Bearer"), None);
    }

    #[test]
    fn cacheable_answers_carry_an_etag() {
        let result = || DialectResponse::text(StatusCode::OK, "1").max_age(60);
        let first = result().into_response(None);
        let tag = first.headers()[header::ETAG].to_str().expect("text").to_owned();
        for if_none_match in
            [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()]
        {
            let again = result().into_response(Some(&if_none_match));
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{if_none_match}");
            assert_eq!(again.headers()[header::ETAG], *tag);
        }
        assert_eq!(result().into_response(Some("\"x\"")).status(), StatusCode::OK);
        let uncached = DialectResponse::text(StatusCode::OK, "1").into_response(Some("*"));
        assert_eq!(
            (uncached.status(), uncached.headers().get(header::ETAG)),
            (StatusCode::OK, None)
        );
    }

    #[test]
    fn random_headers_parse_as_credentials_or_none() {
        property_test("vote api headers", any::<String>(), |text| {
            let _ = (bearer(&text), is_among("\"tag\"", Some(&text)));
        });
    }
}
