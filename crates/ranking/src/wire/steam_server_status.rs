//! `POST functions/v1/steam-server-status`: `{serverId}` in, `{server, known, checked_at}` out.
//!
//! `server` holds `is_online`, `online_players`, `max_players`, `map` and `name` from the game
//! server, at most five minutes old if it can be queried at all. `known` is false, and `server`
//! null, while it was never queried. Numbers are never made up.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::flow::show_status::show_status;
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body: Body =
        posted::<_, Refusal>(&mut call, "The body must be JSON with serverId (a UUID)").await?;
    let status = show_status(&state, body.server_id, call.client_ip).await?;
    let checked_at = status.as_ref().and_then(|status| status.status_checked_at);
    let server = status.filter(|status| status.status_checked_at.is_some()).map(|status| {
        json!({
            "is_online": status.is_online,
            "online_players": status.online_players,
            "max_players": status.max_players,
            "map": status.map.filter(|_| status.is_online),
            "name": status.told_name,
        })
    });
    let status = server.is_some();
    let answer = json!({
        "server": server.unwrap_or(Value::Null),
        "known": status,
        "checked_at": checked_at,
    });
    Ok(compat_http::json(StatusCode::OK, &answer))
}
