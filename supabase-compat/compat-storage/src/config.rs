//! Settings of storage/v1.

use std::time::Duration;

use secrecy::SecretString;

use crate::images::Limits;

/// The settings of storage/v1.
#[derive(Debug, Clone)]
pub struct Config {
    /// The path at which the service is mounted.
    pub mount: String,
    /// `UPLOAD_FILE_SIZE_LIMIT` (`FILE_SIZE_LIMIT`): bytes of the largest object. A bucket may have
    /// a lower limit, never a higher one.
    pub file_size_limit: u64,
    /// `UPLOAD_SIGNED_URL_EXPIRATION_TIME`: how long a signed address for an upload is valid.
    pub signed_upload_life: Duration,
    /// `RESPONSE_S_MAXAGE`: seconds for which a shared cache may keep an object; 0 omits
    /// `s-maxage`.
    pub shared_max_age: u64,
    /// `STORAGE_CACHE_SIZE`: bytes of memory for small public objects; 0 turns the cache off.
    pub cache_size: usize,
    /// `STORAGE_EMPTY_BUCKET_MAX`: the most objects of a bucket that one request may empty.
    pub empty_bucket_max: u64,
    /// `DATABASE_STATEMENT_TIMEOUT`: how long one statement may take.
    pub statement_timeout: Duration,
    /// `ENABLE_IMAGE_TRANSFORMATION`: the limits of rendering pictures; `None` if it is turned off.
    pub images: Option<Limits>,
    /// `TUS_URL_EXPIRY_MS`: how long after its beginning an upload may be resumed.
    pub tus_life: Duration,
    /// `TENANT_ID`: the access key of S3 sessions, which act for a user.
    pub tenant_id: String,
    /// `S3_PROTOCOL_ACCESS_KEY_ID` and `S3_PROTOCOL_ACCESS_KEY_SECRET`: an access key of the S3
    /// protocol that acts as the service, and its secret.
    pub s3_key: Option<(String, SecretString)>,
    /// `S3_PROTOCOL_ENFORCE_REGION` with `STORAGE_S3_REGION`: the only region that signatures may
    /// name; `None` accepts any.
    pub s3_region: Option<String>,
    /// `[storage.buckets.*]`: buckets that are created at the start if they are missing.
    pub buckets: Vec<BucketSeed>,
}

/// A bucket that has to exist; an existing one is not changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BucketSeed {
    /// The bucket's id, which is also its name.
    pub name: String,
    /// Whether everyone may read its objects.
    pub public: bool,
    /// Bytes of the largest object; `None` for the service's own limit.
    pub file_size_limit: Option<u64>,
    /// The media types that the bucket accepts, such as `image/png` or `image/*`; `None` for any.
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
