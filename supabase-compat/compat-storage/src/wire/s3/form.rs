//! Form uploads with a signed policy ("POST Object").

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use multer::{Constraints, Multipart, SizeLimit};
use url::Url;

use super::content::{cause, user_metadata};
use super::extract::{Target, ask_form};
use super::object::{checked, tagged};
use super::{ResponseResult, document};
use crate::bytes::{ByteStream, Cause};
use crate::error::StorageError;
use crate::flow::put::{PutRequest, put};
use crate::model::ObjectRow;
use crate::s3::S3Refusal;
use crate::s3::policy::Policy;
use crate::s3::signature::{SignatureParts, encode_path};
use crate::s3::xml::Writer;
use crate::state::State;
use crate::wire::extract::text;
use crate::wire::form::{FileStartFlag, FormChunks};

/// The maximum size of all fields before the file in bytes, as at AWS.
const LONGEST_FIELDS: usize = 20 * 1024;
const MOST_FIELDS: usize = 100;
/// The maximum number of bytes before the file: the fields and their part headers.
const LONGEST_START: usize = 256 * 1024;
const BINARY: &str = "application/octet-stream";

/// The fields before the file; their names in lower case.
struct Fields(Vec<(String, String)>);

impl Fields {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

pub async fn post(state: &State, target: Target, parts: Parts, body: Body) -> ResponseResult {
    let kind = text(&parts.headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let boundary = multer::parse_boundary(kind).map_err(|_| S3Refusal::MalformedPostRequest)?;
    // The bucket and the policy limit the file, `LONGEST_START` limits the bytes before it.
    let limits = SizeLimit::new().whole_stream(u64::MAX).per_field(u64::MAX);
    let constraints = Constraints::new().size_limit(limits);
    let (pieces, start_flag) = FormChunks::of(body, LONGEST_START);
    let form = Multipart::with_constraints(pieces, boundary, constraints);
    let (fields, content) = read(form, &start_flag, target.bucket()).await?;
    let signature = SignatureParts::of_form(|name| fields.get(name))?;
    let encoded = fields.get("policy").ok_or(S3Refusal::AccessDenied("Access Denied"))?;
    let context = ask_form(state, &signature, encoded, &parts)?;
    let policy = Policy::read(encoded)?;
    policy.allows(&fields.0, state.now())?;
    let key = fields.get("key").ok_or(S3Refusal::InvalidArgument(
        "Bucket POST must contain a field \
         named 'key'.",
    ))?;
    let field = |name: &str| fields.get(name).filter(|field| !field.is_empty());
    let put_of = PutRequest {
        bucket: target.bucket().to_owned(),
        key: key.to_owned(),
        upsert: true,
        content_type: checked(field("content-type").unwrap_or(BINARY).to_owned())?,
        cache_control: field("cache-control").unwrap_or("no-cache").to_owned(),
        user_metadata: user_metadata(
            fields.0.iter().map(|(name, value)| (name.as_str(), value.as_str())),
        ),
        owner: context.subject().map(str::to_owned),
        ..PutRequest::default()
    };
    let content = match policy.length {
        Some(bounds) => within(content, bounds),
        None => content,
    };
    let row = put(state, &context, put_of, content).await?;
    answer(state, &fields, &row)
}

/// Reads the fields, replaces `${filename}` in them by the file's name, and returns them with the
/// file.
async fn read(
    mut form: Multipart<'static>,
    start_flag: &FileStartFlag,
    bucket: &str,
) -> Result<(Fields, ByteStream), StorageError> {
    let malformed = |_| S3Refusal::MalformedPostRequest;
    let mut fields = Fields(vec![("bucket".to_owned(), bucket.to_owned())]);
    let mut length = 0;
    for _ in 0..MOST_FIELDS {
        let field = form.next_field().await.map_err(malformed)?;
        let Some(mut field) = field else { break };
        let name = field.name().unwrap_or_default().to_ascii_lowercase();
        if name == "file" {
            start_flag.set();
            let file = field.file_name().unwrap_or_default();
            for (_, value) in &mut fields.0 {
                *value = value.replace("${filename}", file);
            }
            return Ok((fields, field.map_err(Cause::from).boxed()));
        }
        let mut value = Vec::new();
        while let Some(piece) = field.chunk().await.map_err(malformed)? {
            length += piece.len();
            if length > LONGEST_FIELDS {
                return Err(S3Refusal::MalformedPostRequest.into());
            }
            value.extend_from_slice(&piece);
        }
        let value = String::from_utf8(value).map_err(|_| S3Refusal::MalformedPostRequest)?;
        // The bucket in the URL counts, not the form field.
        if name == "bucket" {
            continue;
        }
        // The policy checks one value per field, which must be the one that is stored.
        if fields.get(&name).is_some() {
            return Err(S3Refusal::InvalidArgument("The form has a field twice.").into());
        }
        fields.0.push((name, value));
    }
    Err(S3Refusal::InvalidArgument("POST requires exactly one file upload per request.").into())
}

/// Ends the content with an error if its size is outside the policy's range.
fn within(content: ByteStream, (fewest, most): (u64, u64)) -> ByteStream {
    let start = (content, 0_u64);
    futures_util::stream::try_unfold(start, move |(mut content, read)| async move {
        let Some(piece) = content.try_next().await? else {
            let message = "Your proposed upload is smaller than the minimum allowed size";
            return if read < fewest {
                Err(cause(S3Refusal::PolicyFailed(message)))
            } else {
                Ok(None)
            };
        };
        let read = read + piece.len() as u64;
        if read > most {
            return Err(cause(S3Refusal::PolicyFailed("the file is too long")));
        }
        Ok(Some((piece, (content, read))))
    })
    .boxed()
}

/// Responds as the form requests: with a redirect or a status.
fn answer(state: &State, fields: &Fields, row: &ObjectRow) -> ResponseResult {
    const ROOT: &str = "PostResponse";
    let (bucket, key) = (&row.bucket_id, &row.name);
    let tag = row.known().e_tag.as_deref().unwrap_or_default();
    // As at AWS, an invalid redirect URL counts as absent.
    if let Some(redirect) = fields.get("success_action_redirect")
        && let Ok(mut address) = Url::parse(redirect)
        && matches!(address.scheme(), "http" | "https")
    {
        address.query_pairs_mut().extend_pairs([
            ("bucket", bucket.as_str()),
            ("key", key),
            ("etag", tag),
        ]);
        let mut response = StatusCode::SEE_OTHER.into_response();
        let address = HeaderValue::try_from(address.as_str()).map_err(StorageError::internal)?;
        response.headers_mut().insert(header::LOCATION, address);
        return Ok(response);
    }
    let mut response: Response = match fields.get("success_action_status") {
        Some("200") => tagged(row),
        Some("201") => {
            let place = encode_path(format!("{bucket}/{key}").as_bytes());
            let mut writer = Writer::root(ROOT);
            writer.leaf("Location", format!("{}/s3/{place}", state.external_url()));
            writer.leaf("Bucket", bucket).leaf("Key", key).leaf("ETag", tag);
            let mut response = document(writer.finish(ROOT));
            *response.status_mut() = StatusCode::CREATED;
            return Ok(response);
        }
        _ => tagged(row),
    };
    if fields.get("success_action_status") != Some("200") {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    Ok(response)
}
