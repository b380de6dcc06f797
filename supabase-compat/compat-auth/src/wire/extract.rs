//! Extractors of the caller and the request context from the head of a request.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use compat_http::ClientIp;
use compat_token::Claims;
use http::request::Parts;
use http::{HeaderMap, header};
use url::form_urlencoded;

use crate::error::AuthError;
use crate::guard::authenticate::{self, AuthenticatedUser};
use crate::model::RequestContext;
use crate::state::State;

/// One parameter of the query string.
pub fn query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// All parameters of the query string, in their order.
pub fn pairs(uri: &http::Uri) -> Vec<(String, String)> {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect()
}

/// The client's address; a request without one, as in tests, counts as local.
pub fn client(extensions: &http::Extensions) -> IpAddr {
    extensions.get().map_or(IpAddr::from(Ipv4Addr::LOCALHOST), |ClientIp(ip)| *ip)
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The bearer token. An opaque key stands for its token; a legacy key in `apikey` alone is no
/// bearer token.
pub fn bearer<'a>(state: &'a State, headers: &'a HeaderMap) -> Option<&'a str> {
    let authorization = text(headers, header::AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let key = match authorization {
        Some(token) if !token.starts_with("sb_") => {
            // One of the official CLI's local keys, if those are accepted.
            let token = state.environment.authenticator.token_of(token).unwrap_or(token);
            return Some(token).filter(|token| !token.is_empty());
        }
        Some(key) => Some(key),
        None => text(headers, "apikey").filter(|key| key.starts_with("sb_")),
    }?;
    let own =
        state.api_keys.token_of(key).or_else(|| state.environment.authenticator.token_of(key));
    Some(own.unwrap_or(key))
}

impl FromRequestParts<State> for RequestContext {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Self::Rejection> {
        let ip = client(&parts.extensions);
        let headers = &parts.headers;
        let target = query(parts, "redirect_to");
        let candidates =
            [text(headers, "redirect_to"), target.as_deref(), text(headers, "referer")];
        let redirect_to = state
            .redirects
            .choose(candidates.into_iter().flatten().filter(|candidate| !candidate.is_empty()));
        let aud = text(headers, "x-jwt-aud").filter(|aud| !aud.is_empty());
        Ok(Self {
            ip,
            user_agent: text(headers, header::USER_AGENT.as_str()).unwrap_or_default().to_owned(),
            aud: aud.unwrap_or(&state.config.jwt_aud).to_owned(),
            redirect_to: redirect_to.to_owned(),
            mail_base: mail_base(state, headers),
        })
    }
}

/// The host from which the request was forwarded, for links, if the settings list it. Anybody can
/// write these headers, so they can select only known hosts, and plain HTTP only for `localhost`.
fn mail_base(state: &State, headers: &HeaderMap) -> Option<String> {
    let host = text(headers, "x-forwarded-host")?;
    let is_known = state.config.email.external_hosts.iter().any(|known| known == host);
    let is_plain = host == "localhost" && text(headers, "x-forwarded-proto") == Some("http");
    let scheme = if is_plain { "http" } else { "https" };
    let mount = &state.config.mount;
    is_known.then(|| format!("{scheme}://{host}{mount}"))
}

/// A verified token, whose account is not loaded.
pub struct Bearer(pub Arc<Claims>);

impl FromRequestParts<State> for Bearer {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, AuthError> {
        authenticate::claims(state, bearer(state, &parts.headers)).map(Self)
    }
}

/// A person whose token, account and session were checked.
pub struct SignedInUser(pub AuthenticatedUser);

impl FromRequestParts<State> for SignedInUser {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, AuthError> {
        let Bearer(claims) = Bearer::from_request_parts(parts, state).await?;
        authenticate::user(state, claims).await.map(Self)
    }
}

/// A caller with the service role, or with another role that the settings list.
pub struct Admin;

impl FromRequestParts<State> for Admin {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, AuthError> {
        let Bearer(claims) = Bearer::from_request_parts(parts, state).await?;
        authenticate::admin(state, &claims).await.map(|()| Self)
    }
}
