//! `POST /payments/webhooks/stripe`: a notice, its raw body signed in `Stripe-Signature`. 200 says
//! that it need not come again, 503 that it is to, 400 that it is not believed.

use axum::body::Bytes;
use axum::extract::State as Axum;
use axum::extract::rejection::BytesRejection;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use serde_json::json;

use crate::State;
use crate::flow::hear::{Unheard, hear};

/// The longest notice that is read.
pub(crate) const MAX_BODY: usize = 256 << 10;

/// Hears a notice.
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
    let unheard = match hear(&state, signature.unwrap_or_default(), &body).await {
        Ok(()) => return compat_http::json(StatusCode::OK, &json!({ "received": true })),
        Err(unheard) => unheard,
    };
    let status = match &unheard {
        Unheard::Disbelieved(_) | Unheard::Unreadable(_) => StatusCode::BAD_REQUEST,
        Unheard::TooEarly | Unheard::Database(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    match &unheard {
        Unheard::Database(error) => tracing::error!(%error, "the database failed a notice"),
        other => tracing::warn!(why = %other, "a notice was not taken"),
    }
    let mut response = compat_http::json(status, &json!({ "error": unheard.to_string() }));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, 5.into());
    }
    response
}
