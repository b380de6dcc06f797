//! The captured mailbox, for development: readable from this machine only.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use compat_auth::{Mailbox, mailbox_router};
use compat_http::ClientIp;
use http::StatusCode;

/// `/mailbox` and what lies below it.
pub fn router(mailbox: Mailbox) -> Router {
    mailbox_router(mailbox).layer(from_fn(this_machine_only))
}

async fn this_machine_only(ClientIp(ip): ClientIp, request: Request, next: Next) -> Response {
    if ip.is_loopback() {
        next.run(request).await
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}
