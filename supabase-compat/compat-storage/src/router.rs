//! The routes and their handlers.

use axum::Router;
use axum::routing::{any, delete, get, post};

use crate::state::State;
use crate::wire::{
    bucket, copy, download, extract, health, info, list, move_object, remove, render, response, s3,
    sign, signed_upload, tus, upload,
};

/// The service's routes, relative to its mount path.
pub fn router(state: State) -> Router {
    let pictures = if state.images.is_some() { pictures() } else { Router::new() };
    info_routes()
        .merge(pictures)
        .merge(buckets())
        .merge(objects())
        .merge(signed())
        .merge(resumable())
        .merge(s3())
        .fallback(response::no_route)
        .method_not_allowed_fallback(response::no_route)
        .with_state(state)
}

/// Routes about the service itself, open to anybody.
fn info_routes() -> Router<State> {
    Router::new()
        .route("/status", get(extract::nothing))
        .route("/health", get(health::get))
        .route("/version", get(health::version))
}

/// Buckets.
fn buckets() -> Router<State> {
    let one = get(bucket::get).put(bucket::put).delete(bucket::delete);
    Router::new()
        .route("/bucket", get(bucket::list).post(bucket::post))
        .route("/bucket/", get(bucket::list).post(bucket::post))
        .route("/bucket/{bucket}", one)
        .route("/bucket/{bucket}/empty", post(bucket::empty))
        .route("/bucket/{bucket}/lifecycle", any(bucket::lifecycle))
}

/// Objects, read and written with a token or, in public buckets, without one.
fn objects() -> Router<State> {
    let one = get(download::either)
        .head(download::either)
        .post(upload::post)
        .put(upload::put)
        .delete(remove::one);
    Router::new()
        .route("/object/copy", post(copy::post))
        .route("/object/move", post(move_object::post))
        .route("/object/list/{bucket}", post(list::post))
        .route("/object/list-v2/{bucket}", post(list::post_v2))
        .route("/object/public/{bucket}/{*key}", get(download::public))
        .route("/object/authenticated/{bucket}/{*key}", get(download::authenticated))
        .route("/object/info/public/{bucket}/{*key}", get(info::public))
        .route("/object/info/authenticated/{bucket}/{*key}", get(info::authenticated))
        .route("/object/info/{bucket}/{*key}", get(info::either))
        .route("/object/{bucket}", delete(remove::many))
        .route("/object/{bucket}/{*key}", one)
        .route("/cdn/{bucket}", delete(remove::purge))
        .route("/cdn/{bucket}/{*key}", delete(remove::purge))
}

/// Pictures rendered at a size; these routes exist only where rendering is turned on.
fn pictures() -> Router<State> {
    Router::new()
        .route("/render/image/public/{bucket}/{*key}", get(render::public))
        .route("/render/image/authenticated/{bucket}/{*key}", get(render::authenticated))
        .route("/render/image/sign/{bucket}/{*key}", get(render::signed))
}

/// Objects by a signed URL, and the routes that sign URLs.
fn signed() -> Router<State> {
    Router::new()
        .route("/object/sign/{bucket}", post(sign::many))
        .route("/object/sign/{bucket}/{*key}", post(sign::one).get(download::signed))
        .route(
            "/object/upload/sign/{bucket}/{*key}",
            post(signed_upload::sign).put(signed_upload::put),
        )
}

/// Resumable uploads (tus).
fn resumable() -> Router<State> {
    Router::new()
        .route("/upload/resumable", any(tus::any))
        .route("/upload/resumable/", any(tus::any))
        .route("/upload/resumable/{id}", any(tus::any))
        .route("/upload/resumable/sign", any(tus::any_signed))
        .route("/upload/resumable/sign/", any(tus::any_signed))
        .route("/upload/resumable/sign/{id}", any(tus::any_signed))
}

/// The S3 protocol.
fn s3() -> Router<State> {
    let any = any(s3::any);
    Router::new().route("/s3", any.clone()).route("/s3/", any.clone()).route("/s3/{*place}", any)
}
