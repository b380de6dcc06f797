//! Buckets that the settings create, and objects that the program itself puts.

use bytes::Bytes;
use compat_http::RequestFacts;
use compat_token::{Credentials, TokenRefusal};

use crate::bytes::stream_of;
use crate::config::BucketSeed;
use crate::error::StorageError;
use crate::flow::put::{PutRequest, put};
use crate::model::RequestContext;
use crate::model::bucket::{Limits, NewBucket};
use crate::model::key::check_bucket_name;
use crate::model::operation;
use crate::state::State;
use crate::store;

/// The `Cache-Control` of objects that the program puts, as in the official CLI.
const CACHE_CONTROL: &str = "max-age=3600";

/// Creates a bucket unless it exists; returns whether it was created.
///
/// # Errors
/// An invalid name, or an error of the database.
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
    let db = state.service_db(&context);
    let mut work = db.begin();
    let is_new = store::bucket::ensure(&mut work, &bucket).await?;
    work.commit().await?;
    Ok(is_new)
}

/// Puts an object without an owner; an existing object is not replaced.
///
/// # Errors
/// Those of any put under the service role, such as [`StorageError::KeyExists`].
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
    put(state, &context, request, stream_of(content)).await.map(drop)
}

/// The context of a request that the program itself makes.
///
/// # Errors
/// The rejection of the program's own key, which is valid unless the settings hold another.
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
