//! Buckets over the S3 protocol.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::content::read_document;
use super::extract::SignedRequest;
use super::{ResponseResult, document};
use crate::flow::bucket;
use crate::model::bucket::{BucketPage, NewBucket};
use crate::s3::signature::encode_path;
use crate::s3::xml::Writer;
use crate::state::State;

const REGION: HeaderName = HeaderName::from_static("x-amz-bucket-region");

pub async fn list(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "ListAllMyBucketsResult";
    let buckets = bucket::list(state, &request.context, &BucketPage::default()).await?;
    let mut writer = Writer::root(ROOT);
    writer.open("Owner").leaf("ID", request.context.subject().unwrap_or_default()).close("Owner");
    writer.open("Buckets");
    for bucket in buckets {
        writer.open("Bucket").leaf("Name", &bucket.name);
        writer.leaf_if("CreationDate", bucket.created_at.map(super::object::moment));
        writer.close("Bucket");
    }
    writer.close("Buckets");
    Ok(document(writer.finish(ROOT)))
}

/// Creates a bucket. `x-amz-acl: public-read` makes it public; other ACLs are ignored.
pub async fn create(state: &State, request: &SignedRequest, body: Body) -> ResponseResult {
    // The body names the region; it is verified and ignored, since there is only one.
    read_document(request.content(body)?).await?;
    let name = request.target.bucket().to_owned();
    let public = matches!(request.header("x-amz-acl"), Some("public-read" | "public-read-write"));
    let new = NewBucket { id: name.clone(), name, public, ..NewBucket::default() };
    bucket::create(state, &request.context, &new).await?;
    let mut response = StatusCode::OK.into_response();
    let location = format!("/{}", encode_path(new.name.as_bytes()));
    let location = HeaderValue::try_from(location);
    response.headers_mut().extend(location.map(|value| (header::LOCATION, value)));
    Ok(response)
}

pub async fn delete(state: &State, request: &SignedRequest) -> ResponseResult {
    bucket::delete(state, &request.context, request.target.bucket()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub async fn head(state: &State, request: &SignedRequest) -> ResponseResult {
    bucket::get(state, &request.context, request.target.bucket()).await?;
    let mut response = Response::new(Body::empty());
    let region = HeaderValue::from_str(region(state));
    response.headers_mut().extend(region.map(|region| (REGION, region)));
    Ok(response)
}

pub async fn location(state: &State, request: &SignedRequest) -> ResponseResult {
    bucket::get(state, &request.context, request.target.bucket()).await?;
    let mut writer = Writer::root("LocationConstraint");
    writer.text(region(state));
    Ok(document(writer.finish("LocationConstraint")))
}

/// Versioning is not supported, so the configuration is empty.
pub async fn versioning(state: &State, request: &SignedRequest) -> ResponseResult {
    const ROOT: &str = "VersioningConfiguration";
    bucket::get(state, &request.context, request.target.bucket()).await?;
    Ok(document(Writer::root(ROOT).finish(ROOT)))
}

/// The region of the settings, or the default of clients without a region.
fn region(state: &State) -> &str {
    state.config.s3_region.as_deref().unwrap_or("us-east-1")
}
