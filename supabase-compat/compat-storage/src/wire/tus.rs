//! `/upload/resumable`: the tus protocol.

use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use tracing::Instrument as _;

use super::content::http_date;
use super::extract::{self, text};
use super::response;
use crate::error::StorageError;
use crate::flow::tus::append::{AppendRequest, append};
use crate::flow::tus::create::{CreateRequest, create};
use crate::flow::tus::status::status;
use crate::flow::tus::terminate::terminate;
use crate::flow::tus::{UploadAuthorization, UploadStatus};
use crate::model::{RequestContext, operation};
use crate::state::State;
use crate::tus::{EXTENSIONS, TusRefusal, UploadId, VERSION, headers};

/// The path of uploads.
const AT: &str = "/upload/resumable";
/// The path of uploads that are authorized by a signed token.
const SIGNED_AT: &str = "/upload/resumable/sign";

/// `/upload/resumable` and `/upload/resumable/{id}`, authorized by the caller's token.
pub async fn any(
    Shared(state): Shared<State>,
    id: Option<Path<String>>,
    parts: Parts,
    body: Body,
) -> Response {
    answered(state, UploadAccess::Token, id.map(|Path(id)| id), parts, body).await
}

/// The same below `/sign`, authorized by the token of a signed upload URL.
pub async fn any_signed(
    Shared(state): Shared<State>,
    id: Option<Path<String>>,
    parts: Parts,
    body: Body,
) -> Response {
    answered(state, UploadAccess::Signature, id.map(|Path(id)| id), parts, body).await
}

/// The kind of authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UploadAccess {
    Token,
    Signature,
}

/// Handles a request; every response names the protocol version.
async fn answered(
    state: State,
    access: UploadAccess,
    id: Option<String>,
    parts: Parts,
    body: Body,
) -> Response {
    let outcome = answer_to(&state, access, id.as_deref(), parts, body).await;
    let mut response = outcome.unwrap_or_else(|error| error_response(&error));
    let headers = response.headers_mut();
    headers.insert("tus-resumable", HeaderValue::from_static(VERSION));
    // The headers that a page of another origin may read.
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response
}

const EXPOSED: HeaderValue = HeaderValue::from_static(
    "Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, \
     Upload-Defer-Length, Tus-Version, Tus-Resumable, Tus-Max-Size, Tus-Extension, Tus-Complete, \
     X-Request-Id",
);

async fn answer_to(
    state: &State,
    access: UploadAccess,
    id: Option<&str>,
    parts: Parts,
    body: Body,
) -> Result<Response, StorageError> {
    let method = headers::method(&parts.method, &parts.headers);
    if method == Method::OPTIONS {
        return Ok(options(state));
    }
    headers::check_version(&parts.headers)?;
    match (method, id) {
        (Method::POST, None) => post(state, access, &parts, body).await,
        (Method::PATCH, Some(id)) => patch(state, access, id, &parts, body).await,
        (Method::HEAD, Some(id)) => head(state, access, id, &parts).await,
        (Method::DELETE, Some(id)) => delete(state, access, id, &parts).await,
        _ => Err(TusRefusal::Method.into()),
    }
}

/// The capabilities of the server.
fn options(state: &State) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert("tus-version", HeaderValue::from_static(VERSION));
    headers.insert("tus-extension", HeaderValue::from_static(EXTENSIONS));
    headers.insert("tus-max-size", state.config.file_size_limit.into());
    response
}

async fn post(
    state: &State,
    access: UploadAccess,
    parts: &Parts,
    body: Body,
) -> Result<Response, StorageError> {
    let (length, has_content) =
        (headers::length(&parts.headers)?, headers::has_content(&parts.headers));
    let context = context(state, access, parts, operation::TUS_CREATE)?;
    let authorization = authorization(access, parts);
    let metadata = text(&parts.headers, "upload-metadata");
    let begin = CreateRequest {
        length,
        metadata: metadata.ok_or(TusRefusal::NoMetadata("bucketName"))?,
        upsert: extract::upsert(&parts.headers),
    };
    let mut standing = create(state, &context, authorization, begin).await?;
    // Extension "Creation With Upload": the first bytes may come with the POST itself.
    if has_content && !standing.upload.is_done {
        standing = continued(state, access, &context, parts, standing.id, 0, body).await?;
    }
    let mut response = StatusCode::CREATED.into_response();
    let path = if access == UploadAccess::Token { AT } else { SIGNED_AT };
    let location = format!("{}{path}/{}", state.external_url(), standing.id);
    put(&mut response, header::LOCATION, location);
    set_upload_headers(&mut response, &standing);
    Ok(response)
}

async fn patch(
    state: &State,
    access: UploadAccess,
    id: &str,
    parts: &Parts,
    body: Body,
) -> Result<Response, StorageError> {
    let id = UploadId::read(id)?;
    if !headers::has_content(&parts.headers) {
        return Err(TusRefusal::NoContentType.into());
    }
    let offset = headers::offset(&parts.headers)?;
    let context = context(state, access, parts, operation::TUS_PART)?;
    let standing = continued(state, access, &context, parts, id, offset, body).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_upload_headers(&mut response, &standing);
    if standing.upload.is_done {
        response.headers_mut().insert("tus-complete", HeaderValue::from_static("1"));
    }
    Ok(response)
}

/// Appends to an upload in a task of its own: when the connection breaks, the handler is dropped,
/// but the bytes that arrived must still be recorded.
async fn continued(
    state: &State,
    access: UploadAccess,
    context: &RequestContext,
    parts: &Parts,
    id: UploadId,
    offset: u64,
    body: Body,
) -> Result<UploadStatus, StorageError> {
    let coming = text(&parts.headers, header::CONTENT_LENGTH.as_str());
    let request = AppendRequest {
        offset,
        length: headers::known_length(&parts.headers)?,
        coming: coming.and_then(|length| length.parse().ok()),
    };
    let content = body.into_data_stream().map_err(Into::into).boxed();
    let (state, context) = (state.clone(), context.clone());
    let token = text(&parts.headers, SIGNATURE).map(str::to_owned);
    let work = async move {
        let authorization = match access {
            UploadAccess::Token => UploadAuthorization::Caller,
            UploadAccess::Signature => UploadAuthorization::Signed(token.as_deref()),
        };
        append(&state, &context, authorization, &id, request, content).await
    };
    let task = tokio::spawn(work.in_current_span());
    task.await.map_err(StorageError::internal)?
}

async fn head(
    state: &State,
    access: UploadAccess,
    id: &str,
    parts: &Parts,
) -> Result<Response, StorageError> {
    let id = UploadId::read(id)?;
    let context = context(state, access, parts, operation::TUS_GET)?;
    let standing = status(state, &context, authorization(access, parts), &id).await?;
    let mut response = StatusCode::OK.into_response();
    set_upload_headers(&mut response, &standing);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    match standing.upload.length {
        Some(length) => headers.insert("upload-length", length.into()),
        None => headers.insert("upload-defer-length", HeaderValue::from_static("1")),
    };
    let name = HeaderName::from_static("upload-metadata");
    put(&mut response, name, standing.upload.metadata);
    Ok(response)
}

async fn delete(
    state: &State,
    access: UploadAccess,
    id: &str,
    parts: &Parts,
) -> Result<Response, StorageError> {
    let id = UploadId::read(id)?;
    let context = context(state, access, parts, operation::TUS_DELETE)?;
    terminate(state, &context, authorization(access, parts), &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The header of the signed token.
const SIGNATURE: &str = "x-signature";

fn authorization(access: UploadAccess, parts: &Parts) -> UploadAuthorization<'_> {
    match access {
        UploadAccess::Token => UploadAuthorization::Caller,
        UploadAccess::Signature => UploadAuthorization::Signed(text(&parts.headers, SIGNATURE)),
    }
}

fn context(
    state: &State,
    access: UploadAccess,
    parts: &Parts,
    operation: &'static str,
) -> Result<RequestContext, StorageError> {
    match access {
        UploadAccess::Token => extract::context(state, parts, operation),
        UploadAccess::Signature => extract::anonymous(state, parts, operation),
    }
}

/// Sets the offset of an upload, and the time until which it can be continued.
fn set_upload_headers(response: &mut Response, standing: &UploadStatus) {
    response.headers_mut().insert("upload-offset", standing.upload.received.into());
    if !standing.upload.is_done {
        let name = HeaderName::from_static("upload-expires");
        put(response, name, http_date(standing.upload.expires_at));
    }
}

fn put(response: &mut Response, name: HeaderName, value: String) {
    response.headers_mut().extend(HeaderValue::try_from(value).map(|value| (name, value)));
}

/// An error response in the protocol's format: plain text with its real status.
fn error_response(error: &StorageError) -> Response {
    response::log(error);
    let (status, message) = match error {
        StorageError::TooLarge => {
            (TusRefusal::MaximumExceeded.status(), "Maximum size exceeded".to_owned())
        }
        error => (own_status(error), error.to_string()),
    };
    let mut response = (status, message).into_response();
    // Otherwise some clients would continue with a cached response.
    let never = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, never);
    response
}

/// The status of an error, which the other endpoints put into their bodies.
fn own_status(error: &StorageError) -> StatusCode {
    StatusCode::from_u16(error.facts().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
