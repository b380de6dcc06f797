//! Settings of storage/v1, as plain values.

use std::time::Duration;

use secrecy::SecretString;

use crate::images::Limits;

/// Everything storage/v1 can be told.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the service is mounted.
    pub mount: String,
    /// `UPLOAD_FILE_SIZE_LIMIT` (`FILE_SIZE_LIMIT`): bytes of the largest object. A bucket may ask
    /// for less, never for more.
    pub file_size_limit: u64,
    /// `UPLOAD_SIGNED_URL_EXPIRATION_TIME`: how long an address to upload to is good.
    pub signed_upload_life: Duration,
    /// `RESPONSE_S_MAXAGE`: seconds a shared cache may keep an object; nought says nothing of it.
    pub shared_max_age: u64,
    /// `STORAGE_CACHE_SIZE`: bytes of memory for small public objects; nought keeps none.
    pub cache_size: usize,
    /// `STORAGE_EMPTY_BUCKET_MAX`: objects a bucket may hold to be emptied by one request.
    pub empty_bucket_max: u64,
    /// `DATABASE_STATEMENT_TIMEOUT`: how long one statement may take.
    pub statement_timeout: Duration,
    /// `ENABLE_IMAGE_TRANSFORMATION`: what rendering pictures may cost; none where it is off.
    pub images: Option<Limits>,
    /// `TUS_URL_EXPIRY_MS`: how long an upload may be resumed, from when it began.
    pub tus_life: Duration,
    /// `TENANT_ID`: the access key of S3 sessions, which act for a user.
    pub tenant_id: String,
    /// `S3_PROTOCOL_ACCESS_KEY_ID` and `S3_PROTOCOL_ACCESS_KEY_SECRET`: an access key of the S3
    /// protocol that acts as the service, and its secret.
    pub s3_key: Option<(String, SecretString)>,
    /// `S3_PROTOCOL_ENFORCE_REGION` with `STORAGE_S3_REGION`: the one region signatures are taken
    /// for; none takes any.
    pub s3_region: Option<String>,
    /// `[storage.buckets.*]`: buckets made at the start where they are missing.
    pub buckets: Vec<BucketSeed>,
}

/// A bucket that is to exist; one that does is left as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BucketSeed {
    /// Its id, which is its name.
    pub name: String,
    /// Whether everybody may read what lies in it.
    pub public: bool,
    /// Bytes of its largest object; none is the service's own limit.
    pub file_size_limit: Option<u64>,
    /// Types it takes, such as `image/png` or `image/*`; none is any.
    pub allowed_mime_types: Option<Vec<String>>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            mount: "/storage/v1".to_owned(),
            file_size_limit: 52_428_800,
            signed_upload_life: Duration::from_secs(60),
            shared_max_age: 0,
            cache_size: 16 * 1024 * 1024,
            empty_bucket_max: 200_000,
            statement_timeout: Duration::from_secs(30),
            images: Some(Limits::default()),
            tus_life: Duration::from_secs(60 * 60),
            tenant_id: "stub".to_owned(),
            s3_key: None,
            s3_region: None,
            buckets: Vec::new(),
        }
    }
}
