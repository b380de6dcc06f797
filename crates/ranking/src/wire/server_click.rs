//! `POST functions/v1/server-click`: `{serverId}` in, `{counted}` out.

use axum::response::{IntoResponse, Response};
use compat_functions::{BoxFuture, Function, Invocation};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::MAX_BODY;
use crate::flow::record_click::record_click;
use crate::{Refusal, State};

/// The named function.
pub(crate) struct ServerClick(pub State);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
}

impl Function for ServerClick {
    fn name(&self) -> &str {
        "server-click"
    }

    /// Every visitor of a page tells.
    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, mut invocation: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move {
            let body = match invocation.whole(MAX_BODY).await {
                Ok(body) => body,
                Err(refusal) => return refusal.into_response(),
            };
            match answer(&self.0, invocation, &body).await {
                Ok(counted) => compat_http::json(StatusCode::OK, &json!({ "counted": counted })),
                Err(refusal) => refusal.into_response(),
            }
        })
    }
}

async fn answer(state: &State, call: Invocation, body: &[u8]) -> Result<bool, Refusal> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST"));
    }
    let shape = |_| Refusal::BadRequest("The body must be JSON with serverId (a UUID)");
    let body: Body = serde_json::from_slice(body).map_err(shape)?;
    record_click(state, body.server_id, call.client_ip).await
}
