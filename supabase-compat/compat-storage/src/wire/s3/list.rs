//! Pages of objects, active uploads and parts over the S3 protocol.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::extract::SignedRequest;
use super::multipart::upload_target;
use super::object::moment;
use super::{ResponseResult, document};
use crate::error::StorageError;
use crate::flow::keys::{self, Entry, Page};
use crate::flow::multipart::{self, Page as UploadPage};
use crate::s3::S3Refusal;
use crate::s3::operation::Query;
use crate::s3::signature::encode_path;
use crate::s3::xml::Writer;
use crate::state::State;

const MOST: u32 = 1000;

/// The parameters that the list operations share.
struct ListScope<'a> {
    prefix: &'a str,
    delimiter: &'a str,
    most: u32,
    is_encoded: bool,
}

impl<'a> ListScope<'a> {
    fn read(query: &'a Query, most: &str) -> Result<Self, S3Refusal> {
        let is_encoded = match query.filled("encoding-type") {
            None => false,
            Some("url") => true,
            Some(_) => return Err(S3Refusal::InvalidArgument("Invalid Encoding Method")),
        };
        let message = "the most there may be in an answer is not a number";
        Ok(Self {
            prefix: query.get("prefix").unwrap_or_default(),
            delimiter: query.get("delimiter").unwrap_or_default(),
            most: query.number(most, MOST, message)?.min(MOST),
            is_encoded,
        })
    }

    /// A name in the requested encoding.
    fn name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.is_encoded { encode_path(name.as_bytes()).into() } else { name.into() }
    }

    fn head(&self, writer: &mut Writer, bucket: &str) {
        writer.leaf("Name", bucket).leaf("Prefix", self.name(self.prefix));
        if !self.delimiter.is_empty() {
            writer.leaf("Delimiter", self.name(self.delimiter));
        }
        writer.leaf_if("EncodingType", self.is_encoded.then_some("url"));
    }

    fn entries(&self, writer: &mut Writer, entries: &[Entry]) {
        for entry in entries {
            let name = self.name(&entry.name);
            if entry.id.is_none() {
                writer.open("CommonPrefixes").leaf("Prefix", name).close("CommonPrefixes");
                continue;
            }
            let known = entry.known();
            writer.open("Contents").leaf("Key", name);
            let changed = known.last_modified.or(entry.updated_at);
            writer.leaf_if("LastModified", changed.map(moment));
            writer.leaf_if("ETag", known.e_tag);
            writer.leaf("Size", known.size.unwrap_or_default());
            writer.leaf("StorageClass", "STANDARD").close("Contents");
        }
    }
}

/// Version 1: pages begin after a name.
pub async fn objects(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "ListBucketResult";
    let query = &request.target.query;
    let scope = ListScope::read(query, "max-keys")?;
    let marker = query.get("marker").unwrap_or_default();
    let list_result = page(state, request, &scope, marker).await?;
    let mut writer = Writer::root(ROOT);
    scope.head(&mut writer, request.target.bucket());
    writer.leaf("Marker", scope.name(marker)).leaf("MaxKeys", scope.most);
    writer.leaf("IsTruncated", list_result.has_more);
    let next = list_result.entries.last().filter(|_| list_result.has_more);
    writer.leaf_if("NextMarker", next.map(|last| scope.name(&last.name)));
    scope.entries(&mut writer, &list_result.entries);
    Ok(document(writer.finish(ROOT)))
}

/// Version 2: pages begin after a continuation token.
pub async fn objects_v2(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "ListBucketResult";
    let query = &request.target.query;
    let scope = ListScope::read(query, "max-keys")?;
    let (token, start) = (query.filled("continuation-token"), query.filled("start-after"));
    let after = token.map(name_of).transpose()?;
    let after = after.as_deref().or(start).unwrap_or_default();
    let list_result = page(state, request, &scope, after).await?;
    let mut writer = Writer::root(ROOT);
    scope.head(&mut writer, request.target.bucket());
    writer.leaf("MaxKeys", scope.most).leaf("KeyCount", list_result.entries.len());
    writer.leaf("IsTruncated", list_result.has_more);
    writer.leaf_if("ContinuationToken", token);
    writer.leaf_if("StartAfter", start.map(|start| scope.name(start)));
    let next = list_result.entries.last().filter(|_| list_result.has_more);
    writer.leaf_if("NextContinuationToken", next.map(|last| token_of(&last.name)));
    scope.entries(&mut writer, &list_result.entries);
    Ok(document(writer.finish(ROOT)))
}

async fn page(
    state: &State,
    request: &SignedRequest,
    scope: &ListScope<'_>,
    after: &str,
) -> Result<keys::KeyPage, StorageError> {
    let ListScope { prefix, delimiter, most, .. } = *scope;
    let page = Page { prefix, delimiter, after, most };
    keys::page(state, &request.context, request.target.bucket(), &page).await
}

/// Encodes a name as an opaque token.
fn token_of(name: &str) -> String {
    URL_SAFE_NO_PAD.encode(name)
}

fn name_of(token: &str) -> Result<String, S3Refusal> {
    let name = URL_SAFE_NO_PAD.decode(token).ok().and_then(|name| String::from_utf8(name).ok());
    name.ok_or(S3Refusal::InvalidArgument("The continuation token provided is incorrect"))
}

pub async fn uploads(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "ListMultipartUploadsResult";
    let query = &request.target.query;
    let scope = ListScope::read(query, "max-uploads")?;
    let (after_key, after_id) = (
        query.get("key-marker").unwrap_or_default(),
        query.get("upload-id-marker").unwrap_or_default(),
    );
    let ListScope { prefix, delimiter, most, .. } = scope;
    // One upload more than requested shows whether there is another page.
    let page = UploadPage { prefix, delimiter, after_key, after_id, most: most + 1 };
    let mut list_result =
        multipart::list(state, &request.context, request.target.bucket(), &page).await?;
    let has_more = list_result.len() > most as usize;
    list_result.truncate(most as usize);
    let mut writer = Writer::root(ROOT);
    writer.leaf("Bucket", request.target.bucket()).leaf("KeyMarker", scope.name(after_key));
    writer.leaf("UploadIdMarker", after_id).leaf("Prefix", scope.name(prefix));
    writer.leaf("Delimiter", scope.name(delimiter)).leaf("MaxUploads", most);
    writer.leaf_if("EncodingType", scope.is_encoded.then_some("url"));
    writer.leaf("IsTruncated", has_more);
    if let Some(last) = list_result.last().filter(|_| has_more) {
        writer.leaf("NextKeyMarker", scope.name(&last.key));
        writer.leaf_if("NextUploadIdMarker", last.id.as_ref());
    }
    for upload in &list_result {
        let key = scope.name(&upload.key);
        let Some(id) = &upload.id else {
            writer.open("CommonPrefixes").leaf("Prefix", key).close("CommonPrefixes");
            continue;
        };
        writer.open("Upload").leaf("Key", key).leaf("UploadId", id);
        writer.leaf_if("Initiated", upload.created_at.map(moment)).close("Upload");
    }
    Ok(document(writer.finish(ROOT)))
}

pub async fn parts(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "ListPartsResult";
    let (query, upload_target) = (&request.target.query, upload_target(request));
    let message = "the most there may be in an answer is not a number";
    let most = query.number("max-parts", MOST, message)?.min(MOST);
    let after = query.number("part-number-marker", 0, "the marker is not a number")?;
    let mut list_result =
        multipart::parts(state, &request.context, upload_target, after, most).await?;
    let has_more = list_result.len() > most as usize;
    list_result.truncate(most as usize);
    let mut writer = Writer::root(ROOT);
    writer
        .leaf("Bucket", upload_target.bucket)
        .leaf("Key", upload_target.key)
        .leaf("UploadId", upload_target.id);
    writer.leaf("PartNumberMarker", after).leaf("MaxParts", most);
    writer.leaf("IsTruncated", has_more);
    let next = list_result.last().filter(|_| has_more);
    writer.leaf_if("NextPartNumberMarker", next.map(|last| last.part_number));
    for part in &list_result {
        writer.open("Part").leaf("PartNumber", part.part_number);
        writer.leaf("LastModified", moment(part.created_at)).leaf("ETag", &part.etag);
        writer.leaf("Size", part.size).close("Part");
    }
    Ok(document(writer.finish(ROOT)))
}
