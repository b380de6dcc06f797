//! Rendered pictures: `GET` and `HEAD /render/image/…`.

use axum::body::Body;
use axum::extract::State as Shared;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use url::form_urlencoded;

use super::conditions::{self, ConditionOutcome};
use super::content::{self, ResponseOptions};
use super::extract::{self, Target, query, text};
use crate::error::StorageError;
use crate::flow::get::Access;
use crate::flow::render::{RenderRequest, RenderedObject, render};
use crate::flow::sign;
use crate::images::Transform;
use crate::images::transform::Format;
use crate::model::{ObjectRow, RequestContext, operation};
use crate::state::State;

type ResponseResult = Result<Response, StorageError>;

/// `/render/image/public/{bucket}/{key}`.
pub async fn public(Shared(state): Shared<State>, target: Target, parts: Parts) -> ResponseResult {
    let context = extract::anonymous(&state, &parts, operation::RENDER_PUBLIC)?;
    let transform = transform(&parts)?;
    answer(&state, &context, Access::Public, &target, &parts, (transform, None)).await
}

/// `/render/image/authenticated/{bucket}/{key}`.
pub async fn authenticated(
    Shared(state): Shared<State>,
    target: Target,
    parts: Parts,
) -> ResponseResult {
    let context = extract::context(&state, &parts, operation::RENDER_AUTHENTICATED)?;
    let transform = transform(&parts)?;
    answer(&state, &context, Access::Caller, &target, &parts, (transform, None)).await
}

/// `/render/image/sign/{bucket}/{key}?token=…`: applies the signed transformation and ignores that
/// of the query.
pub async fn signed(Shared(state): Shared<State>, target: Target, parts: Parts) -> ResponseResult {
    let context = extract::anonymous(&state, &parts, operation::RENDER_SIGNED)?;
    let token = query(&parts, "token");
    let claims = sign::check_read(&state, token.as_deref(), &target.bucket, &target.key)?;
    let claim = |name: &str| claims.get(name).and_then(|value| value.as_str());
    let transform =
        Transform::from_claims(claim("transformations").unwrap_or_default(), claim("format"));
    answer(&state, &context, Access::Signed, &target, &parts, (transform, claims.exp())).await
}

fn transform(parts: &Parts) -> Result<Transform, StorageError> {
    let query = parts.uri.query().unwrap_or_default();
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let pairs = pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref()));
    Ok(Transform::from_query(pairs)?)
}

async fn answer(
    state: &State,
    context: &RequestContext,
    access: Access,
    target: &Target,
    parts: &Parts,
    (transform, until): (Transform, Option<i64>),
) -> ResponseResult {
    let webp = match transform.format {
        Format::Accepted => accepts_webp(&parts.headers),
        Format::Origin => false,
        Format::Webp => true,
    };
    let names = (target.bucket.as_str(), target.key.as_str());
    // `Range` is ignored: a part of a picture is of no use.
    let mut conditions = parts.headers.clone();
    conditions.remove(header::RANGE);
    let outcome =
        |row: &ObjectRow| conditions::evaluate(&conditions, row).unwrap_or(ConditionOutcome::Whole);
    let is_wanted = |row: &ObjectRow| outcome(row) == ConditionOutcome::Whole;
    let rendered =
        render(state, context, access, names, RenderRequest { transform, webp }, is_wanted).await?;
    let answering = ResponseOptions {
        download: query(parts, "download"),
        shared_max_age: state.config.shared_max_age,
        until,
        revalidates: parts.headers.contains_key(header::IF_NONE_MATCH),
    };
    let outcome = outcome(&rendered.row);
    Ok(respond(rendered, &outcome, &transform, &answering))
}

/// Whether `Accept` names WebP; a client that accepts any type gets the format of the source.
fn accepts_webp(headers: &HeaderMap) -> bool {
    let Some(accepted) = text(headers, header::ACCEPT.as_str()) else { return false };
    accepted.split(',').any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("image/webp"));
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        is_named && weight.is_none_or(|weight| weight.parse().is_ok_and(|weight: f32| weight > 0.0))
    })
}

fn respond(
    rendered: RenderedObject,
    outcome: &ConditionOutcome,
    transform: &Transform,
    answering: &ResponseOptions,
) -> Response {
    let mut headers = content::headers(&rendered.row, answering);
    // The source's type, ranges and policy do not apply to the rendered picture.
    for name in [header::CONTENT_TYPE, header::ACCEPT_RANGES, header::CONTENT_SECURITY_POLICY] {
        headers.remove(name);
    }
    if transform.format == Format::Accepted {
        headers.insert(header::VARY, HeaderValue::from_static("accept"));
    }
    let value = HeaderValue::try_from(transform.header()).ok().filter(|value| !value.is_empty());
    headers.extend(value.map(|value| (HeaderName::from_static("x-transformations"), value)));
    let (status, body) = match rendered.picture {
        Some(picture) => {
            let kind = HeaderValue::from_static(picture.kind.media_type());
            headers.insert(header::CONTENT_TYPE, kind);
            headers.insert(header::CONTENT_LENGTH, picture.bytes.len().into());
            (StatusCode::OK, Body::from(picture.bytes))
        }
        None if *outcome == ConditionOutcome::Unchanged => {
            (StatusCode::NOT_MODIFIED, Body::empty())
        }
        None => (StatusCode::PRECONDITION_FAILED, Body::empty()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webp_is_for_those_who_name_it() {
        for (accepted, webp) in [
            ("image/avif,image/webp,*/*;q=0.8", true),
            ("image/png, IMAGE/WEBP;q=0.1", true),
            ("image/webp;q=0", false),
            ("image/*,*/*", false),
            ("image/webp2", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accepted));
            assert_eq!(accepts_webp(&headers), webp, "{accepted}");
        }
        assert!(!accepts_webp(&HeaderMap::new()));
    }
}
