//! `/s3`: the S3 protocol. One handler authenticates every request and dispatches it to the
//! function of its operation.

mod bucket;
mod content;
mod extract;
mod form;
mod list;
mod multipart;
mod object;

use axum::body::Body;
use axum::extract::State as Shared;
use axum::response::{IntoResponse as _, Response};
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode, header};

use super::response;
use crate::error::{InvalidRequest, StorageError};
use crate::s3::S3Refusal;
use crate::s3::operation::Operation;
use crate::s3::xml::Writer;
use crate::state::State;
use extract::SignedRequest;

type ResponseResult = Result<Response, StorageError>;

/// Handles every request below `/s3`.
pub async fn any(Shared(state): Shared<State>, parts: Parts, body: Body) -> Response {
    let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
    match answer_to(&state, parts, body).await {
        Ok(response) => response,
        Err(error) => error_response(&error, &method, &path),
    }
}

async fn answer_to(state: &State, parts: Parts, body: Body) -> ResponseResult {
    let target = extract::target(&parts)?;
    if target.operation == Operation::PostObject {
        return form::post(state, target, parts, body).await;
    }
    let request = extract::ask(state, target, parts)?;
    answer_request(state, &request, body).await
}

async fn answer_request(state: &State, request: &SignedRequest, body: Body) -> ResponseResult {
    match request.target.operation {
        Operation::ListBuckets => bucket::list(state, request).await,
        Operation::CreateBucket => bucket::create(state, request, body).await,
        Operation::DeleteBucket => bucket::delete(state, request).await,
        Operation::HeadBucket => bucket::head(state, request).await,
        Operation::GetBucketLocation => bucket::location(state, request).await,
        Operation::GetBucketVersioning => bucket::versioning(state, request).await,
        Operation::ListObjects => list::objects(state, request).await,
        Operation::ListObjectsV2 => list::objects_v2(state, request).await,
        Operation::ListMultipartUploads => list::uploads(state, request).await,
        Operation::DeleteObjects => object::delete_many(state, request, body).await,
        Operation::GetObject | Operation::HeadObject => object::get(state, request).await,
        Operation::PutObject => object::put(state, request, body).await,
        Operation::CopyObject => object::copy(state, request).await,
        Operation::DeleteObject => object::delete(state, request).await,
        Operation::GetObjectTagging => object::tagging(state, request).await,
        Operation::CreateMultipartUpload => multipart::create(state, request).await,
        Operation::UploadPart => multipart::upload(state, request, body).await,
        Operation::UploadPartCopy => multipart::copy(state, request).await,
        Operation::CompleteMultipartUpload => multipart::complete(state, request, body).await,
        Operation::AbortMultipartUpload => multipart::abort(state, request).await,
        Operation::ListParts => list::parts(state, request).await,
        // A form is authenticated by its fields; see [`form`].
        Operation::PostObject => Err(S3Refusal::MethodNotAllowed.into()),
    }
}

/// An XML response.
fn document(text: String) -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/xml"))];
    (kind, text).into_response()
}

/// An error response in the protocol's format, with its real status.
fn error_response(error: &StorageError, method: &Method, path: &str) -> Response {
    response::log(error);
    let (status, code) = wire_error(error);
    let mut response = if *method == Method::HEAD {
        StatusCode::OK.into_response()
    } else {
        let mut writer = Writer::plain_root("Error");
        writer.leaf("Resource", path).leaf("Code", code).leaf("Message", error);
        document(writer.finish("Error"))
    };
    *response.status_mut() = status;
    response
}

/// The status and the code of an error, which differ from those of the other endpoints.
fn wire_error(error: &StorageError) -> (StatusCode, &'static str) {
    let facts = error.facts();
    let own = StatusCode::from_u16(facts.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    match error {
        StorageError::S3(refusal) => (refusal.status(), refusal.code()),
        StorageError::BucketNotEmpty => (own, "BucketNotEmpty"),
        // This error occurs only for `If-None-Match: *`.
        StorageError::KeyExists => (StatusCode::PRECONDITION_FAILED, "PreconditionFailed"),
        StorageError::Invalid(InvalidRequest::Range) => {
            (StatusCode::RANGE_NOT_SATISFIABLE, "InvalidRange")
        }
        StorageError::BrokenOff => (StatusCode::BAD_REQUEST, "IncompleteBody"),
        StorageError::DatabaseTimeout | StorageError::Crowded => {
            (StatusCode::SERVICE_UNAVAILABLE, "SlowDown")
        }
        _ => (own, facts.code),
    }
}
