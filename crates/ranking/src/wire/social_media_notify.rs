//! `POST functions/v1/social-media-notify`: `{serverId, userLanguage}` in, `{success, sent}` out.
//!
//! Pages call this after a server was added. `sent` is false when there was nothing to announce,
//! when no channel is configured, and when the announcement failed, because the page does not
//! depend on it.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use page_registry::Language;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::account::account;
use crate::flow::announce_server::announce_server;
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
    user_language: Option<String>,
}

const SHAPE: &str = "The body must be JSON with serverId (a UUID) and userLanguage";

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body: Body = posted::<_, Refusal>(&mut call, SHAPE).await?;
    let owner = account(&call)?.ok_or(Refusal::Unauthenticated)?;
    let language = Language::of_tag(&language(&body, &call));
    let is_sent = announce_server(&state, body.server_id, owner, language, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "success": true, "sent": is_sent })))
}

/// The person's language; otherwise the language of the page, by either of its headers.
fn language(body: &Body, call: &Invocation) -> String {
    let header = |name: &str| call.headers.get(name)?.to_str().ok().map(str::to_owned);
    let named = body.user_language.clone();
    named
        .or_else(|| header("x-rs-language"))
        .or_else(|| header("x-rs-route-lang"))
        .unwrap_or_default()
}
