//! Who asks and for what, read from the head of a request.

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

/// Bytes of the longest body that is read as JSON, as the original's.
const LONGEST_BODY: usize = 1024 * 1024;

/// Whoever shows a key or a token.
///
/// # Errors
/// The token's refusal; none at all counts as one that is garbled.
pub fn context(
    state: &State,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let sent = credentials(&parts.headers);
    if sent.apikey.is_none() && sent.bearer().is_none() {
        return Err(StorageError::Token(compat_token::TokenRefusal::Empty));
    }
    anybody(state, parts, operation)
}

/// The same for what needs no token.
///
/// # Errors
/// The refusal of a token that is shown all the same.
pub fn anybody(
    state: &State,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let sent = credentials(&parts.headers);
    let token = state.environment.authenticator.deciding_token(sent).map(Into::into);
    let caller = state.environment.caller(&parts.headers).map_err(StorageError::Token)?;
    Ok(RequestContext {
        caller,
        token,
        facts: RequestFacts::from(parts),
        client: client(parts),
        operation,
    })
}

/// Somebody whose right is in the address, whatever else they show.
///
/// # Errors
/// None: nobody is refused without a token.
pub fn stranger(
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

/// A header's text.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a put may take another's place.
pub fn upsert(headers: &HeaderMap) -> bool {
    text(headers, "x-upsert").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The bucket and the key an address names.
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
            // What is no text in UTF-8 names nothing.
            Err(_) => Err(StorageError::InvalidKey(parts.uri.path().to_owned())),
        }
    }
}

/// The bucket an address names.
pub struct BucketTarget(pub String);

impl<S: Send + Sync> FromRequestParts<S> for BucketTarget {
    type Rejection = StorageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, StorageError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(bucket)| Self(bucket)).map_err(|_| StorageError::NoSuchBucket)
    }
}

/// A body as JSON. What is no JSON, or another type, is told as the original tells it.
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

/// Nothing, with 200.
pub async fn nothing() -> StatusCode {
    StatusCode::OK
}
