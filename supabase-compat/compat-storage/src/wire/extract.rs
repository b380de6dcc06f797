//! Extracts the caller, parameters and targets from a request.

use axum::body::Body;
use axum::extract::{FromRequestParts, Path};
use compat_http::{ClientIp, RequestFacts, credentials};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use url::form_urlencoded;

use super::body;
use crate::error::{InvalidRequest, StorageError};
use crate::model::RequestContext;
use crate::state::State;

/// The maximum size of a JSON body in bytes, as in the original.
const LONGEST_BODY: usize = 1024 * 1024;

/// The context of a request that must have a key or a token.
///
/// # Errors
/// The token's rejection; a missing token counts as malformed.
pub fn context(
    state: &State,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let presented_token = credentials(&parts.headers);
    if presented_token.apikey.is_none() && presented_token.bearer().is_none() {
        return Err(StorageError::Token(compat_token::TokenRefusal::Empty));
    }
    with_optional_token(state, parts, operation)
}

/// The context of a request that needs no token.
///
/// # Errors
/// The rejection of a token that is sent nevertheless.
pub fn with_optional_token(
    state: &State,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let presented_token = credentials(&parts.headers);
    let token = state.environment.authenticator.deciding_token(presented_token).map(Into::into);
    let caller = state.environment.caller(&parts.headers).map_err(StorageError::Token)?;
    Ok(RequestContext {
        caller,
        token,
        facts: RequestFacts::from(parts),
        client: client(parts),
        operation,
    })
}

/// The context of an anonymous request: its URL grants access, and its credentials are ignored.
///
/// # Errors
/// None in practice: a request without a token is not rejected.
pub fn anonymous(
    state: &State,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let caller = state.environment.caller(&HeaderMap::new()).map_err(StorageError::Token)?;
    let facts = RequestFacts::from(parts);
    Ok(RequestContext { caller, token: None, facts, client: client(parts), operation })
}

fn client(parts: &Parts) -> Option<std::net::IpAddr> {
    parts.extensions.get().map(|ClientIp(ip)| *ip)
}

/// One parameter of the query string.
pub fn query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// The text of a header.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a put may replace an existing object.
pub fn upsert(headers: &HeaderMap) -> bool {
    text(headers, "x-upsert").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The bucket and the key in the path.
pub struct Target {
    pub bucket: String,
    pub key: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Target {
    type Rejection = StorageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, StorageError> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        match path {
            Ok(Path((bucket, key))) => Ok(Self { bucket, key }),
            // A path that is not UTF-8 names no object.
            Err(_) => Err(StorageError::InvalidKey(parts.uri.path().to_owned())),
        }
    }
}

/// The bucket in the path.
pub struct BucketTarget(pub String);

impl<S: Send + Sync> FromRequestParts<S> for BucketTarget {
    type Rejection = StorageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, StorageError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(bucket)| Self(bucket)).map_err(|_| StorageError::NoSuchBucket)
    }
}

/// Reads a JSON body. Errors have the text of the original.
///
/// # Errors
/// [`InvalidRequest`].
pub async fn json<T: DeserializeOwned>(headers: &HeaderMap, body: Body) -> Result<T, StorageError> {
    let is_json = text(headers, header::CONTENT_TYPE.as_str())
        .is_none_or(|kind| kind.to_ascii_lowercase().contains("json"));
    if !is_json {
        return Err(InvalidRequest::BodyType.into());
    }
    let bytes =
        axum::body::to_bytes(body, LONGEST_BODY).await.map_err(|_| InvalidRequest::LongBody)?;
    if bytes.is_empty() {
        return Err(InvalidRequest::Field("body must be object".to_owned()).into());
    }
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|_| InvalidRequest::Json)?;
    let serde_json::Value::Object(fields) = value else {
        return Err(InvalidRequest::Field("body must be object".to_owned()).into());
    };
    Ok(body::read(fields)?)
}

/// Responds with 200 and an empty body.
pub async fn nothing() -> StatusCode {
    StatusCode::OK
}
