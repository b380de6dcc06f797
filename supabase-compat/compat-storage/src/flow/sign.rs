//! Signed URLs: the right to read or put one object for a limited time, held by anybody who has the
//! URL.
//!
//! The right is checked when the URL is signed, and not again. A token is valid for one operation
//! only.

use std::sync::Arc;

use compat_token::{Claims, TokenRefusal};
use serde::Serialize;
use serde_json::json;

use crate::error::{InvalidRequest, StorageError};
use crate::flow::get::{Access, may_get};
use crate::flow::put::{AdmittedPut, PutRequest, bucket_of, limit_of, try_write};
use crate::model::RequestContext;
use crate::model::key::check_key;
use crate::state::State;
use crate::store;

const DOWNLOAD: &str = "download";
const UPLOAD: &str = "upload";

/// The claims of a token to read an object.
#[derive(Serialize)]
struct ReadClaims<'a> {
    url: String,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    transformations: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a str>,
    iat: i64,
    exp: i64,
}

/// How a picture is rendered for the holder of a signed URL.
#[derive(Debug, Clone, Default)]
pub struct Transformation {
    /// The options in the syntax of the render endpoint.
    pub options: String,
    /// `origin`, `webp` or `avif`.
    pub format: Option<String>,
}

/// Signs a token to read an object that the caller can see, valid for `seconds`.
///
/// # Errors
/// [`StorageError::NoSuchKey`].
pub async fn sign_read(
    state: &State,
    context: &RequestContext,
    (bucket, key): (&str, &str),
    seconds: i64,
    transformation: Option<&Transformation>,
) -> Result<String, StorageError> {
    may_get(state, context, Access::Caller, bucket, key).await?;
    read_token(state, (bucket, key), seconds, transformation)
}

/// Like [`sign_read`] for several keys; none for an object that the caller cannot see.
pub async fn sign_reads(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    keys: &[String],
    seconds: i64,
) -> Result<Vec<Option<String>>, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let readable_names = store::object::find_names(&mut work, bucket, keys).await?;
    work.commit().await?;
    let sign = |key: &String| match readable_names.contains(key) {
        true => read_token(state, (bucket, key), seconds, None).map(Some),
        false => Ok(None),
    };
    keys.iter().map(sign).collect()
}

fn read_token(
    state: &State,
    (bucket, key): (&str, &str),
    seconds: i64,
    transformation: Option<&Transformation>,
) -> Result<String, StorageError> {
    let now = state.environment.clock.unix();
    let claims = ReadClaims {
        url: format!("{bucket}/{key}"),
        scope: DOWNLOAD,
        transformations: transformation.map(|transformation| transformation.options.as_str()),
        format: transformation.and_then(|transformation| transformation.format.as_deref()),
        iat: now,
        exp: now.saturating_add(seconds),
    };
    sign(state, &claims)
}

/// Verifies a token to read this object; returns its claims: the expiry and the transformation.
///
/// # Errors
/// [`InvalidRequest::Missing`], [`StorageError::SignedToken`], [`StorageError::Signature`].
pub fn check_read(
    state: &State,
    token: Option<&str>,
    bucket: &str,
    key: &str,
) -> Result<Arc<Claims>, StorageError> {
    check(state, token, DOWNLOAD, bucket, key)
}

/// Signs a token to put an object that the caller may put.
///
/// # Errors
/// Those of [`crate::flow::put::may_put`].
pub async fn sign_put(
    state: &State,
    context: &RequestContext,
    (bucket, key): (&str, &str),
    upsert: bool,
) -> Result<String, StorageError> {
    let put = PutRequest {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
        upsert,
        owner: context.subject().map(str::to_owned),
        ..PutRequest::default()
    };
    // The content's type and length are unknown until the upload, which checks them.
    let owner = put.owner.clone();
    may_put_anything(state, context, put).await?;
    let now = state.environment.clock.unix();
    let lifetime = i64::try_from(state.config.signed_upload_life.as_secs()).unwrap_or(i64::MAX);
    let claims = json!({
        "owner": owner,
        "url": format!("{bucket}/{key}"),
        "upsert": upsert,
        "scope": UPLOAD,
        "iat": now,
        "exp": now.saturating_add(lifetime),
    });
    sign(state, &claims)
}

async fn may_put_anything(
    state: &State,
    context: &RequestContext,
    put: PutRequest,
) -> Result<(), StorageError> {
    check_key(&put.key)?;
    bucket_of(state, context, &put.bucket).await?;
    try_write(state, context, &put).await
}

/// The put that a token permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPut {
    /// The owner of the object.
    pub owner: Option<String>,
    pub upsert: bool,
}

/// Verifies a token to put this object.
///
/// # Errors
/// Those of [`check_read`].
pub fn check_put(
    state: &State,
    token: Option<&str>,
    bucket: &str,
    key: &str,
) -> Result<SignedPut, StorageError> {
    let claims = check(state, token, UPLOAD, bucket, key)?;
    let owner = claims.get("owner").and_then(|owner| owner.as_str()).map(str::to_owned);
    let upsert = claims.get("upsert").and_then(serde_json::Value::as_bool).unwrap_or_default();
    Ok(SignedPut { owner, upsert })
}

/// Checks a put with a token against the bucket's limits. Row security was checked when the token
/// was signed.
///
/// # Errors
/// [`StorageError::KeyExists`] if the object exists, and the bucket's limits.
pub async fn admit_signed(
    state: &State,
    context: &RequestContext,
    put: PutRequest,
) -> Result<AdmittedPut, StorageError> {
    check_key(&put.key)?;
    let limit = limit_of(state, context, &put).await?;
    if put.length.is_some_and(|length| length > limit) {
        return Err(StorageError::TooLarge);
    }
    let db = state.service_db(context);
    let mut work = db.begin();
    let known = store::object::find(&mut work, &put.bucket, &put.key).await?;
    work.commit().await?;
    match known {
        Some(_) if !put.upsert => Err(StorageError::KeyExists),
        _ => Ok(AdmittedPut { put, limit }),
    }
}

fn check(
    state: &State,
    token: Option<&str>,
    scope: &str,
    bucket: &str,
    key: &str,
) -> Result<Arc<Claims>, StorageError> {
    let token = token.ok_or(InvalidRequest::Missing("querystring", "token"))?;
    let now = state.environment.clock.unix();
    let claims = state
        .environment
        .authenticator
        .keys()
        .verify(token, now)
        .map_err(StorageError::SignedToken)?;
    // Signed URLs get no clock skew, unlike other tokens: a URL ends exactly at its expiry.
    if claims.exp().is_none_or(|exp| exp <= now) {
        return Err(StorageError::SignedToken(TokenRefusal::Expired));
    }
    let claim_is = |name: &str, expected: &str| {
        claims.get(name).and_then(|value| value.as_str()).is_some_and(|claim| claim == expected)
    };
    if claim_is("scope", scope) && claim_is("url", &format!("{bucket}/{key}")) {
        Ok(claims)
    } else {
        Err(StorageError::Signature)
    }
}

fn sign(state: &State, claims: &impl Serialize) -> Result<String, StorageError> {
    state.environment.authenticator.keys().sign(claims).map_err(StorageError::internal)
}
