//! Reading an object's bytes: `GET` and `HEAD /object/…`.

use axum::body::Body;
use axum::extract::State as Shared;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::conditions::{self, ConditionOutcome};
use super::content::{self, ResponseOptions};
use super::extract::{self, Target, query};
use crate::error::StorageError;
use crate::flow::get::{Access, Download, ReadSpec, get};
use crate::flow::sign;
use crate::model::{ObjectRow, RequestContext, operation};
use crate::state::State;

type ResponseResult = Result<Response, StorageError>;

/// `/object/public/{bucket}/{key}`.
pub async fn public(Shared(state): Shared<State>, target: Target, parts: Parts) -> ResponseResult {
    let context = extract::anonymous(&state, &parts, operation::OBJECT_GET_PUBLIC)?;
    answer(&state, &context, Access::Public, &target, &parts, None).await
}

/// `/object/authenticated/{bucket}/{key}`.
pub async fn authenticated(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
) -> ResponseResult {
    let context = extract::context(&state, &parts, operation::OBJECT_GET_AUTHENTICATED)?;
    answer(&state, &context, Access::Caller, &target, &parts, None).await
}

/// `/object/{bucket}/{key}`: open to anybody in a public bucket, otherwise subject to row security.
pub async fn either(Shared(state): Shared<State>, target: Target, parts: Parts) -> ResponseResult {
    let context =
        extract::with_optional_token(&state, &parts, operation::OBJECT_GET_AUTHENTICATED)?;
    answer(&state, &context, Access::Either, &target, &parts, None).await
}

/// `/object/sign/{bucket}/{key}?token=…`.
pub async fn signed(Shared(state): Shared<State>, target: Target, parts: Parts) -> ResponseResult {
    let context = extract::anonymous(&state, &parts, operation::OBJECT_GET_SIGNED)?;
    let token = query(&parts, "token");
    let claims = sign::check_read(&state, token.as_deref(), &target.bucket, &target.key)?;
    answer(&state, &context, Access::Signed, &target, &parts, claims.exp()).await
}

async fn answer(
    state: &State,
    context: &RequestContext,
    access: Access,
    target: &Target,
    parts: &Parts,
    until: Option<i64>,
) -> ResponseResult {
    let names = (target.bucket.as_str(), target.key.as_str());
    let want = |row: &ObjectRow| read_spec(parts, row);
    let object = get(state, context, access, names, want).await?;
    let answering = ResponseOptions {
        download: query(parts, "download"),
        shared_max_age: state.config.shared_max_age,
        until,
        revalidates: parts.headers.contains_key(header::IF_NONE_MATCH),
    };
    Ok(respond(&parts.headers, object, &answering))
}

/// The part of the content to read, by the conditions of the request.
pub(super) fn read_spec(parts: &Parts, row: &ObjectRow) -> Result<ReadSpec, StorageError> {
    if parts.method == Method::HEAD {
        return Ok(ReadSpec::Nothing);
    }
    match conditions::evaluate(&parts.headers, row)? {
        ConditionOutcome::Unchanged | ConditionOutcome::Failed => Ok(ReadSpec::Nothing),
        ConditionOutcome::Whole => Ok(ReadSpec::Whole),
        ConditionOutcome::Part(range) => Ok(ReadSpec::Part(range)),
    }
}

pub(super) fn respond(
    request_headers: &HeaderMap,
    object: Download,
    answering: &ResponseOptions,
) -> Response {
    // Only a HEAD request can have an unsatisfiable range here: RFC 9110 section 14.2 defines
    // ranges for GET, and `read_spec` checks them.
    let outcome =
        conditions::evaluate(request_headers, &object.row).unwrap_or(ConditionOutcome::Whole);
    let mut headers = content::headers(&object.row, answering);
    let size = object.reading.as_ref().map(|reading| reading.size).or(object.row.known().size);
    let (status, length) = match (&object.want, outcome) {
        (_, ConditionOutcome::Unchanged) => (StatusCode::NOT_MODIFIED, None),
        (_, ConditionOutcome::Failed) => (StatusCode::PRECONDITION_FAILED, Some(0)),
        (ReadSpec::Part(range), _) => {
            let total = size.map_or_else(|| "*".to_owned(), |size| size.to_string());
            let text = format!("bytes {}-{}/{total}", range.start, range.end.saturating_sub(1));
            headers.extend(HeaderValue::try_from(text).map(|text| (header::CONTENT_RANGE, text)));
            (StatusCode::PARTIAL_CONTENT, Some(range.end - range.start))
        }
        _ => (StatusCode::OK, size),
    };
    if let Some(length) = length {
        headers.insert(header::CONTENT_LENGTH, length.into());
    }
    let body = match object.reading {
        Some(reading) => Body::from_stream(reading.content),
        None => Body::empty(),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
