//! `POST functions/v1/server-copy`: `{serverId}` in, `{counted}` out.

use axum::response::{IntoResponse, Response, Result};
use compat_functions::{BoxFuture, Function, Invocation};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::posted::posted;
use crate::State;
use crate::flow::record_copy::record_copy;

/// The named function.
pub(crate) struct ServerCopy(pub State);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
}

impl Function for ServerCopy {
    fn name(&self) -> &str {
        "server-copy"
    }

    /// Whoever copies an address tells.
    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move { answer(&self.0, call).await.into_response() })
    }
}

async fn answer(state: &State, mut call: Invocation) -> Result<Response> {
    let body: Body = posted(&mut call, "The body must be JSON with serverId (a UUID)").await?;
    let counted = record_copy(state, body.server_id, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "counted": counted })))
}
