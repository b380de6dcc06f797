//! `POST functions/v1/server-click`: `{serverId}` in, `{counted}` out.

use axum::response::{IntoResponse, Response};
use compat_functions::{BoxFuture, Function, Invocation};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

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

    fn call(&self, invocation: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move {
            match answer(&self.0, &invocation).await {
                Ok(counted) => compat_http::json(StatusCode::OK, &json!({ "counted": counted })),
                Err(refusal) => refusal.into_response(),
            }
        })
    }
}

async fn answer(state: &State, call: &Invocation) -> Result<bool, Refusal> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST"));
    }
    let shape = |_| Refusal::BadRequest("The body must be JSON with serverId (a UUID)");
    let body: Body = serde_json::from_slice(&call.body).map_err(shape)?;
    record_click(state, body.server_id, call.client_ip).await
}
