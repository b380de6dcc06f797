//! `POST functions/v1/steam-server-status`: `{serverId}` in, `{server, known}` out.
//!
//! `known` says whether anyone has asked the game server. While nobody has, `server` is null and
//! the page shows that nothing is known; later it holds `is_online`, `online_players`,
//! `max_players`, `map` and `name`. Numbers are never made up.

use axum::response::{IntoResponse, Response};
use compat_functions::{BoxFuture, Function, Invocation};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::MAX_BODY;
use crate::Refusal;

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

    fn call(&self, mut invocation: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move {
            let body = match invocation.whole(MAX_BODY).await {
                Ok(body) => body,
                Err(refusal) => return refusal.into_response(),
            };
            match check(&invocation, &body) {
                Ok(()) => {
                    let nothing = json!({ "server": null, "known": false });
                    compat_http::json(StatusCode::OK, &nothing)
                }
                Err(refusal) => refusal.into_response(),
            }
        })
    }
}

fn check(call: &Invocation, body: &[u8]) -> Result<(), Refusal> {
    if call.method != Method::POST {
        return Err(Refusal::MethodNotAllowed("POST"));
    }
    let body = serde_json::from_slice::<Body>(body);
    body.map(drop).map_err(|_| Refusal::BadRequest("The body must be JSON with serverId (a UUID)"))
}
