//! `POST /payments/webhooks/stripe`: an event, whose raw body is signed in `Stripe-Signature`. The
//! answer is 200 when the event is done, 503 when Stripe has to send it again, and 400 when it is
//! not authentic or unreadable.

use axum::body::Bytes;
use axum::extract::State as Axum;
use axum::extract::rejection::BytesRejection;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use serde_json::json;

use crate::State;
use crate::flow::handle_webhook::{WebhookError, handle_webhook};

/// The longest event that is read, in bytes.
pub(crate) const MAX_BODY: usize = 256 << 10;

/// Receives an event.
pub(crate) async fn receive(
    Axum(state): Axum<State>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return rejection.into_response(),
    };
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let error = match handle_webhook(&state, signature.unwrap_or_default(), &body).await {
        Ok(()) => return compat_http::json(StatusCode::OK, &json!({ "received": true })),
        Err(error) => error,
    };
    // Any status but 2xx makes Stripe send the event again (https://docs.stripe.com/webhooks).
    let status = match &error {
        WebhookError::Signature(_) | WebhookError::Unreadable(_) => StatusCode::BAD_REQUEST,
        WebhookError::OutOfOrder | WebhookError::Database(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    match &error {
        WebhookError::Database(error) => {
            tracing::error!(%error, "stripe event failed: database error")
        }
        other => tracing::warn!(why = %other, "stripe event rejected"),
    }
    let mut response = compat_http::json(status, &json!({ "error": error.to_string() }));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, 5.into());
    }
    response
}
