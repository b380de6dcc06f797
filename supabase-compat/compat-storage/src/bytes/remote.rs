//! Objects in a store that speaks S3: `<prefix>/<bucket>/<key>/<version>`, as the original has them.
//!
//! Contents are streamed both ways; what is sent to the store is buffered piece by piece in an
//! unnamed file, never in memory. The store must support GetObject, PutObject, CopyObject,
//! DeleteObject, ListObjectsV2 and multipart uploads with UploadPartCopy. Parts are objects below
//! `<prefix>/~parts/<version>/`. A multipart upload that a crashed process began has to be removed
//! by a lifecycle rule of the store.

mod assemble;
mod connect;
mod copy;
mod send;
mod spool;
mod store_error;

use std::ops::Range;
use std::path::PathBuf;

use aws_sdk_s3::Client;
use compat_http::{Entropy, Outgoing};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use secrecy::SecretString;
use uuid::Uuid;

use super::{
    ByteStream, BytesError, ObjectBytes, ObjectLocation, Part, ReadRange, StoreEntry, StoreFinding,
    StoredContent, content_digest, name, stream_of,
};
use store_error::{StoreError, length_of, moment};

/// The most bytes of a key in S3.
const LONGEST_KEY: usize = 1024;
/// The most requests of one call at the same time.
const AT_ONCE: usize = 8;

/// The address of the store and the credentials for it.
#[derive(Debug, Clone)]
pub struct RemoteConfig {
    /// `STORAGE_S3_BUCKET`: the bucket that contains everything.
    pub bucket: String,
    /// `TENANT_ID`: the prefix of all keys in the bucket.
    pub prefix: String,
    /// `STORAGE_S3_ENDPOINT`: the endpoint; by default Amazon's for the region.
    pub endpoint: Option<String>,
    /// `STORAGE_S3_REGION`.
    pub region: String,
    /// `STORAGE_S3_FORCE_PATH_STYLE`: whether the bucket is in the path instead of the host name.
    pub force_path_style: bool,
    /// `AWS_ACCESS_KEY_ID`.
    pub access_key_id: String,
    /// `AWS_SECRET_ACCESS_KEY`.
    pub secret_access_key: SecretString,
    /// `AWS_SESSION_TOKEN`.
    pub session_token: Option<SecretString>,
    /// A folder for contents that are being sent.
    pub spool: PathBuf,
}

/// A remote store of objects. Cheap to clone.
#[derive(Clone)]
pub struct Remote {
    client: Client,
    bucket: String,
    prefix: String,
    spool: PathBuf,
    entropy: Entropy,
}

impl Remote {
    /// A client of the store in these settings; sends no request yet.
    pub fn new(config: &RemoteConfig, outgoing: Outgoing, entropy: Entropy) -> Self {
        Self {
            client: connect::client(config, outgoing),
            bucket: config.bucket.clone(),
            prefix: config.prefix.clone(),
            spool: config.spool.clone(),
            entropy,
        }
    }

    fn key(&self, place: &ObjectLocation) -> Result<String, BytesError> {
        let longest = LONGEST_KEY - self.prefix.len().min(LONGEST_KEY) - 1;
        Ok(format!("{}/{}", self.prefix, name::flat(place, longest)?))
    }

    /// The prefix of the keys of a version's parts.
    fn parts(&self, version: Uuid) -> String {
        format!("{}/{}/{version}/", self.prefix, name::own("parts"))
    }

    fn part(&self, version: Uuid, number: u32) -> String {
        format!("{}{number}", self.parts(version))
    }

    async fn open(&self, key: &str, range: Option<Range<u64>>) -> Result<ReadRange, BytesError> {
        let range_requested = range.as_ref();
        if range_requested.is_some_and(|range| range.start >= range.end) {
            return self.open_nothing(key, range.unwrap_or_default()).await;
        }
        let range_header =
            range_requested.map(|range| format!("bytes={}-{}", range.start, range.end - 1));
        let request =
            self.client.get_object().bucket(&self.bucket).key(key).set_range(range_header);
        let answer = match request.send().await {
            Err(error) if StoreError::of(&error) == StoreError::OutOfRange => {
                return Err(BytesError::OutOfRange(self.size(key).await?));
            }
            answer => answer?,
        };
        let size = length_of(answer.content_range(), answer.content_length())?;
        if range_requested.is_some_and(|range| range.end > size) {
            return Err(BytesError::OutOfRange(size));
        }
        let pieces = stream::try_unfold(answer.body, async |mut body| {
            Ok(body.try_next().await?.map(|piece| (piece, body)))
        });
        Ok(ReadRange { size, content: pieces.boxed() })
    }

    /// Opens an empty range, which HTTP cannot request.
    async fn open_nothing(&self, key: &str, range: Range<u64>) -> Result<ReadRange, BytesError> {
        let size = self.size(key).await?;
        if range.start > range.end || range.end > size {
            return Err(BytesError::OutOfRange(size));
        }
        Ok(ReadRange { size, content: stream_of("") })
    }

    async fn size(&self, key: &str) -> Result<u64, BytesError> {
        let answer = self.client.head_object().bucket(&self.bucket).key(key).send().await?;
        length_of(None, answer.content_length())
    }

    /// Removes keys with one request each, several at a time: not every store can remove many keys
    /// with one request.
    async fn remove_keys(
        &self,
        keys: impl Iterator<Item = String> + Send,
    ) -> Result<(), BytesError> {
        let requests = keys.map(|key| async move {
            match self.client.delete_object().bucket(&self.bucket).key(key).send().await {
                Err(error) if StoreError::of(&error) != StoreError::Missing => Err(error.into()),
                _ => Ok(()),
            }
        });
        stream::iter(requests).buffer_unordered(AT_ONCE).try_collect().await
    }

    /// Keys below a prefix, with their lengths and times.
    fn list(
        &self,
        prefix: String,
    ) -> BoxStream<'static, Result<store_error::ListedKey, BytesError>> {
        let request = self.client.list_objects_v2().bucket(&self.bucket).prefix(prefix);
        let pages = stream::unfold(request.into_paginator().send(), async |mut pages| {
            Some((pages.next().await?, pages))
        });
        let listed = pages.map(|page| {
            let objects = page?.contents.unwrap_or_default();
            let listed = objects.into_iter().filter_map(store_error::listed).map(Ok);
            Ok::<_, BytesError>(stream::iter(listed))
        });
        listed.try_flatten().boxed()
    }
}

impl ObjectBytes for Remote {
    fn write<'a>(
        &'a self,
        place: &'a ObjectLocation,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>> {
        Box::pin(async move { self.send(self.key(place)?, content, limit).await })
    }

    fn read<'a>(
        &'a self,
        place: &'a ObjectLocation,
        range: Option<Range<u64>>,
    ) -> BoxFuture<'a, Result<ReadRange, BytesError>> {
        Box::pin(async move { self.open(&self.key(place)?, range).await })
    }

    fn copy<'a>(
        &'a self,
        from: &'a ObjectLocation,
        to: &'a ObjectLocation,
    ) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            let (from, to) = (self.key(from)?, self.key(to)?);
            let size = self.size(&from).await?;
            self.assemble(vec![(from, size)], to).await
        })
    }

    fn remove<'a>(&'a self, places: &'a [ObjectLocation]) -> BoxFuture<'a, Result<(), BytesError>> {
        let keys = places.iter().filter_map(|place| self.key(place).ok());
        Box::pin(self.remove_keys(keys))
    }

    fn write_part<'a>(
        &'a self,
        place: &'a ObjectLocation,
        number: u32,
        content: ByteStream,
        limit: u64,
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>> {
        Box::pin(self.send(self.part(place.version, number), content, limit))
    }

    fn finish_parts<'a>(
        &'a self,
        place: &'a ObjectLocation,
        parts: &'a [Part],
    ) -> BoxFuture<'a, Result<StoredContent, BytesError>> {
        Box::pin(async move {
            let (stored, key) = (content_digest::of_parts(parts)?, self.key(place)?);
            let existing: Vec<_> = self.list(self.parts(place.version)).try_collect().await?;
            let find_part = |part: &Part| {
                let (key, size) = (self.part(place.version, part.number), part.stored.size);
                let is_it =
                    |listed: &store_error::ListedKey| listed.key == key && listed.size == size;
                existing.iter().any(is_it).then_some((key, size)).ok_or(BytesError::Missing)
            };
            let parts = parts.iter().map(find_part).collect::<Result<_, _>>()?;
            self.assemble(parts, key).await.map(|()| stored)
        })
    }

    fn abandon_parts<'a>(&'a self, version: Uuid) -> BoxFuture<'a, Result<(), BytesError>> {
        Box::pin(async move {
            let parts: Vec<_> = self.list(self.parts(version)).try_collect().await?;
            self.remove_keys(parts.into_iter().map(|part| part.key)).await
        })
    }

    fn places(&self) -> BoxStream<'static, Result<StoreEntry, BytesError>> {
        let (prefix, parts) = (format!("{}/", self.prefix), format!("{}/", name::own("parts")));
        let listed = self.list(prefix.clone());
        let entries = listed.try_filter_map(move |listed| {
            let below = listed.key.strip_prefix(&prefix).unwrap_or_default();
            let finding = match below.strip_prefix(&parts) {
                Some(part) => part
                    .split('/')
                    .next()
                    .and_then(|part| part.parse().ok())
                    .map(StoreFinding::Part),
                None => name::flat_place(below).map(StoreFinding::Object),
            };
            std::future::ready(Ok(
                finding.map(|finding| StoreEntry { finding, since: moment(listed.since) })
            ))
        });
        entries.boxed()
    }
}
