//! `POST functions/v1/server-copy`: `{serverId}` in, `{counted}` out.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::flow::record_copy::record_copy;
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body: Body =
        posted::<_, Refusal>(&mut call, "The body must be JSON with serverId (a UUID)").await?;
    let counted = record_copy(&state, body.server_id, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "counted": counted })))
}
