//! Assembles a key from others, within the store where that is possible.

use aws_sdk_s3::primitives::{ByteStream as Body, SdkBody};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _, stream};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Remote;
use super::assemble::{AssemblyStep, PartRange, SHORTEST, plan};
use super::send::MultipartUpload;
use crate::bytes::BytesError;

/// The most pieces at the same time, each of which may use 5 MiB.
const AT_ONCE: usize = 4;

/// The characters that are not encoded in the address of a source.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

impl Remote {
    /// Writes a key from other whole keys of these lengths, in this order.
    pub(super) async fn assemble(
        &self,
        from: Vec<(String, u64)>,
        to: String,
    ) -> Result<(), BytesError> {
        let lengths: Vec<u64> = from.iter().map(|(_, length)| *length).collect();
        let pieces = plan(&lengths);
        match pieces.as_slice() {
            [] => self.put(to, 0, Body::from_static(b"")).await,
            [AssemblyStep::Sent(slices)] => {
                let body = self.read_all(&from, slices).await?;
                self.put(to, body.len() as u64, Body::from(SdkBody::from(body))).await
            }
            [AssemblyStep::Copied(PartRange { part, range })] if range.end == from[*part].1 => {
                let request = self.client.copy_object().bucket(&self.bucket).key(to);
                request.copy_source(self.source(&from[*part].0)).send().await?;
                Ok(())
            }
            _ => self.in_pieces(&from, pieces, to).await,
        }
    }

    async fn in_pieces(
        &self,
        from: &[(String, u64)],
        pieces: Vec<AssemblyStep>,
        to: String,
    ) -> Result<(), BytesError> {
        let mut upload = self.begin(to).await?;
        let sending = (1..).zip(&pieces).map(|(number, piece)| {
            let upload = &upload;
            async move {
                match piece {
                    AssemblyStep::Copied(slice) => {
                        self.copy_piece(upload, number, from, slice).await
                    }
                    AssemblyStep::Sent(slices) => {
                        let body = self.read_all(from, slices).await?;
                        let length = body.len() as u64;
                        upload.send_as(number, length, Body::from(SdkBody::from(body))).await
                    }
                }
            }
        });
        // Boxed, because the type would be too long for the compiler.
        let sending: Vec<_> = sending.map(|sending| sending.boxed()).collect();
        let tags = stream::iter(sending).buffered(AT_ONCE).try_collect().await?;
        upload.has(tags);
        upload.finish().await
    }

    async fn copy_piece(
        &self,
        upload: &MultipartUpload,
        number: i32,
        from: &[(String, u64)],
        PartRange { part, range }: &PartRange,
    ) -> Result<Option<String>, BytesError> {
        let (key, length) = &from[*part];
        let is_whole = range.start == 0 && range.end == *length;
        let bytes = (!is_whole).then(|| format!("bytes={}-{}", range.start, range.end - 1));
        let request = self.client.upload_part_copy().bucket(&self.bucket).key(&upload.key);
        let request = request.upload_id(upload.id()).part_number(number);
        let request = request.copy_source(self.source(key)).set_copy_source_range(bytes);
        Ok(request.send().await?.copy_part_result.and_then(|copied| copied.e_tag))
    }

    /// Reads slices one after another: at most 5 MiB.
    async fn read_all(
        &self,
        from: &[(String, u64)],
        slices: &[PartRange],
    ) -> Result<Vec<u8>, BytesError> {
        let mut all = Vec::new();
        for PartRange { part, range } in slices {
            let mut reading = self.open(&from[*part].0, Some(range.clone())).await?;
            while let Some(piece) = reading.content.try_next().await.map_err(BytesError::Failed)? {
                all.extend_from_slice(&piece);
            }
        }
        debug_assert!(all.len() as u64 <= SHORTEST);
        Ok(all)
    }

    fn source(&self, key: &str) -> String {
        format!("{}/{}", self.bucket, utf8_percent_encode(key, PLAIN))
    }
}
