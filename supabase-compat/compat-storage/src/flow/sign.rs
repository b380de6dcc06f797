//! Signed addresses: a right to read or to put one object, for a while, carried by whoever has the
//! address.
//!
//! The right is checked when it is signed and not again: that is what the address is for. A token
//! for one thing is good for nothing else.

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

/// What a signed address to read says.
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

/// How a picture is to be changed for whoever reads it.
#[derive(Debug, Clone, Default)]
pub struct Transformation {
    /// The options in the words of the address that renders.
    pub options: String,
    /// `origin`, `webp` or `avif`.
    pub format: Option<String>,
}

/// A token to read an object the caller sees, for so many seconds.
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

/// The same for many; none for those the caller does not see.
pub async fn sign_reads(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    keys: &[String],
    seconds: i64,
) -> Result<Vec<Option<String>>, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let seen = store::object::find_names(&mut work, bucket, keys).await?;
    work.commit().await?;
    let sign = |key: &String| match seen.contains(key) {
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

/// Whether a token is one to read this object. Gives what it says: when it ends, how a picture is
/// changed.
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

/// A token to put an object that the caller may put.
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
    // What it will hold is known when it comes: its type and length are judged then.
    let owner = put.owner.clone();
    may_put_anything(state, context, put).await?;
    let now = state.environment.clock.unix();
    let life = i64::try_from(state.config.signed_upload_life.as_secs()).unwrap_or(i64::MAX);
    let claims = json!({
        "owner": owner,
        "url": format!("{bucket}/{key}"),
        "upsert": upsert,
        "scope": UPLOAD,
        "iat": now,
        "exp": now.saturating_add(life),
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

/// What a token lets its bearer put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPut {
    /// Whose the object will be.
    pub owner: Option<String>,
    pub upsert: bool,
}

/// Whether a token is one to put this object.
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

/// Admits what a token lets its bearer put, within the bucket's limits. Row security was asked when
/// it was signed.
///
/// # Errors
/// [`StorageError::KeyExists`] once it was put, and the bucket's limits.
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
    let db = state.own_turn(context);
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
    // The skew that other tokens are allowed is not for addresses: one ends when it says so.
    if claims.exp().is_none_or(|exp| exp <= now) {
        return Err(StorageError::SignedToken(TokenRefusal::Expired));
    }
    let claim_is = |name: &str, wanted: &str| {
        claims.get(name).and_then(|value| value.as_str()).is_some_and(|claim| claim == wanted)
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
