//! Sends a content to the store: with one request if it is short, else in pieces, each of which is
//! sent while the next one arrives.

use aws_sdk_s3::Client;
use aws_sdk_s3::primitives::ByteStream as Body;
use aws_sdk_s3::types::{CompletedMultipartUpload, CompletedPart};
use tokio::runtime::Handle;

use super::Remote;
use super::spool::{ContentSource, SpooledContent};
use crate::bytes::content_digest::ContentDigest;
use crate::bytes::{ByteStream, BytesError, StoredContent};

/// The bytes of the first pieces; a store accepts ten thousand pieces.
const PIECE: u64 = 16 * 1024 * 1024;
/// The number of pieces after which their length doubles, so that 5 TiB need less than ten
/// thousand.
const GROWTH: i32 = 1000;

impl Remote {
    /// Writes a key.
    pub(super) async fn send(
        &self,
        key: String,
        content: ByteStream,
        limit: u64,
    ) -> Result<StoredContent, BytesError> {
        match self.send_all(key, content, limit).await {
            // Nothing is read here, so the missing thing is the bucket.
            Err(BytesError::Missing) => {
                Err(BytesError::Failed("the store does not know the bucket".into()))
            }
            sent => sent,
        }
    }

    async fn send_all(
        &self,
        key: String,
        content: ByteStream,
        limit: u64,
    ) -> Result<StoredContent, BytesError> {
        let mut source = ContentSource { content, digest: ContentDigest::default(), limit };
        let first = self.take(&mut source, 1).await?;
        if first.is_last {
            self.put(key, first.length, first.body()).await?;
            return Ok(source.digest.stored());
        }
        // An error from here on drops the upload, which removes its pieces from the store.
        let mut upload = self.begin(key).await?;
        let mut piece = first;
        while !piece.is_last {
            let number = upload.next();
            let sending = upload.send(piece);
            let ((), next) = tokio::try_join!(sending, self.take(&mut source, number))?;
            piece = next;
        }
        // A content that ends at the end of a piece leaves an empty piece.
        if piece.length > 0 {
            upload.send(piece).await?;
        }
        upload.finish().await?;
        Ok(source.digest.stored())
    }

    async fn take(
        &self,
        source: &mut ContentSource,
        number: i32,
    ) -> Result<SpooledContent, BytesError> {
        let most = PIECE << (number / GROWTH).min(9);
        source.take(most, &self.spool, self.entropy.uuid()).await
    }

    /// Writes a key with one request.
    pub(super) async fn put(&self, key: String, length: u64, body: Body) -> Result<(), BytesError> {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let request = self.client.put_object().bucket(&self.bucket).key(key);
        request.content_length(length).body(body).send().await?;
        Ok(())
    }

    /// Begins to write a key in pieces.
    pub(super) async fn begin(&self, key: String) -> Result<MultipartUpload, BytesError> {
        let request = self.client.create_multipart_upload().bucket(&self.bucket).key(&key);
        let id = request.send().await?.upload_id.unwrap_or_default();
        let (client, bucket) = (self.client.clone(), self.bucket.clone());
        Ok(MultipartUpload { client, bucket, key, id: Some(id), pieces: Vec::new() })
    }
}

/// An upload in pieces; it is aborted if it is dropped before it is finished.
pub(super) struct MultipartUpload {
    pub client: Client,
    pub bucket: String,
    pub key: String,
    /// `None` once the upload is finished.
    id: Option<String>,
    pieces: Vec<CompletedPart>,
}

impl MultipartUpload {
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    /// The number of the next piece, from 1 on.
    fn next(&self) -> i32 {
        i32::try_from(self.pieces.len() + 1).unwrap_or(i32::MAX)
    }

    async fn send(&mut self, piece: SpooledContent) -> Result<(), BytesError> {
        let (number, length) = (self.next(), piece.length);
        let tag = self.send_as(number, length, piece.body()).await?;
        self.pieces.push(completed_part(number, tag));
        Ok(())
    }

    /// Sends a piece with a number; returns its tag.
    pub async fn send_as(
        &self,
        number: i32,
        length: u64,
        body: Body,
    ) -> Result<Option<String>, BytesError> {
        let request = self.client.upload_part().bucket(&self.bucket).key(&self.key);
        let request = request.upload_id(self.id()).part_number(number);
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        Ok(request.content_length(length).body(body).send().await?.e_tag)
    }

    /// Sets the tags of all pieces in their order, however they were sent.
    pub fn has(&mut self, tags: Vec<Option<String>>) {
        self.pieces = (1..).zip(tags).map(|(number, tag)| completed_part(number, tag)).collect();
    }

    pub async fn finish(mut self) -> Result<(), BytesError> {
        let pieces = std::mem::take(&mut self.pieces);
        let pieces = CompletedMultipartUpload::builder().set_parts(Some(pieces)).build();
        let request = self.client.complete_multipart_upload().bucket(&self.bucket).key(&self.key);
        request.upload_id(self.id()).multipart_upload(pieces).send().await?;
        self.id = None;
        Ok(())
    }
}

fn completed_part(number: i32, tag: Option<String>) -> CompletedPart {
    CompletedPart::builder().part_number(number).set_e_tag(tag).build()
}

impl Drop for MultipartUpload {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), Handle::try_current()) else { return };
        let request = self.client.abort_multipart_upload();
        let request = request.bucket(&self.bucket).key(&self.key).upload_id(id);
        runtime.spawn(async move {
            if let Err(error) = request.send().await {
                tracing::warn!(%error, "cannot abort an upload; its pieces stay in the store");
            }
        });
    }
}
