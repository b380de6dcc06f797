//! Buckets that exist from the start, and objects put by the program itself.

use bytes::Bytes;
use compat_http::RequestFacts;
use compat_token::{Credentials, TokenRefusal};

use crate::bytes::whole;
use crate::config::BucketSeed;
use crate::error::StorageError;
use crate::flow::put::{PutRequest, put};
use crate::model::RequestContext;
use crate::model::bucket::{Limits, NewBucket};
use crate::model::key::check_bucket_name;
use crate::model::operation;
use crate::state::State;
use crate::store;

/// How long what the program puts may be kept, as the official CLI has it.
const CACHE_CONTROL: &str = "max-age=3600";

/// Makes a bucket unless it is there; whether it did.
///
/// # Errors
/// A name that cannot be one, or what the database refuses.
pub async fn ensure_bucket(state: &State, seed: &BucketSeed) -> Result<bool, StorageError> {
    check_bucket_name(&seed.name)?;
    let bucket = NewBucket {
        id: seed.name.clone(),
        name: seed.name.clone(),
        public: seed.public,
        limits: Limits {
            file_size_limit: seed.file_size_limit,
            allowed_mime_types: seed.allowed_mime_types.clone(),
        },
    };
    let context = own_context(state, operation::BUCKET_CREATE)?;
    let db = state.own_turn(&context);
    let mut work = db.begin();
    let made = store::bucket::ensure(&mut work, &bucket).await?;
    work.commit().await?;
    Ok(made)
}

/// Puts an object that belongs to nobody, unless there is one of its name.
///
/// # Errors
/// Those of any upload by the service.
pub async fn put_object(
    state: &State,
    (bucket, key): (&str, &str),
    content_type: &str,
    content: Bytes,
) -> Result<(), StorageError> {
    let context = own_context(state, operation::OBJECT_UPLOAD)?;
    let request = PutRequest {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
        content_type: content_type.to_owned(),
        cache_control: CACHE_CONTROL.to_owned(),
        length: Some(content.len() as u64),
        ..PutRequest::default()
    };
    put(state, &context, request, whole(content)).await.map(drop)
}

/// A visit of the program itself.
///
/// # Errors
/// The refusal of our own key, which is good unless the settings hold another.
pub(crate) fn own_context(
    state: &State,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    let authenticator = &state.environment.authenticator;
    let key = authenticator.api_keys().service_role.clone();
    let credentials = Credentials { apikey: Some(&key), authorization: None };
    let caller = authenticator.caller(credentials, state.environment.clock.unix());
    let caller = caller.map_err(|refusal: TokenRefusal| StorageError::Token(refusal))?;
    let facts = RequestFacts {
        method: String::new(),
        path: String::new(),
        headers_json: "{}".to_owned(),
        cookies_json: "{}".to_owned(),
        application_name: String::new(),
    };
    Ok(RequestContext { caller, token: None, facts, client: None, operation })
}
