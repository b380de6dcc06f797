//! `POST functions/v1/steam-server-status`: `{serverId}` in, `{server, known}` out.
//!
//! `known` says whether anyone has asked the game server. While nobody has, `server` is null and
//! the page shows that nothing is known; later it holds `is_online`, `online_players`,
//! `max_players`, `map` and `name`. Numbers are never made up.

use axum::response::{IntoResponse, Response, Result};
use compat_functions::{BoxFuture, Function, Invocation};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::posted::posted;

/// The named function.
pub(crate) struct SteamServerStatus;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    #[serde(rename = "serverId")]
    _server_id: Uuid,
}

impl Function for SteamServerStatus {
    fn name(&self) -> &str {
        "steam-server-status"
    }

    /// Every visitor of a page may ask.
    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move { answer(call).await.into_response() })
    }
}

async fn answer(mut call: Invocation) -> Result<Response> {
    posted::<Body>(&mut call, "The body must be JSON with serverId (a UUID)").await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "server": null, "known": false })))
}
