//! `POST functions/v1/copy-picture`: `{address, use?}` in, `{success, data: {path}}` out, for
//! signed-in callers. `use` is `arcade` for a tile, whose picture may be animated. Equal pictures
//! have the same path.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::account::account;
use crate::flow::copy_picture::copy_for;
use crate::model::picture_copy::PictureUse;
use crate::pictures::Pictures;
use crate::{Refusal, State};

#[derive(Deserialize)]
struct Body {
    address: String,
    r#use: Option<String>,
}

const SHAPE: &str = "The body must be JSON with address and, for a tile, use (\"arcade\")";

pub(crate) async fn answer(
    (state, pictures): (State, Pictures),
    mut call: Invocation,
) -> Result<Response> {
    let body: Body = posted::<_, Refusal>(&mut call, SHAPE).await?;
    let usage = match body.r#use.as_deref() {
        None => PictureUse::Listing,
        Some("arcade") => PictureUse::Arcade,
        Some(_) => return Err(Refusal::BadRequest(SHAPE).into()),
    };
    account(&call)?.ok_or(Refusal::Unauthenticated)?;
    let caller = call.caller.as_ref().ok_or(Refusal::Unauthenticated)?;
    let path = copy_for(&state, &pictures, &body.address, usage, caller, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "success": true, "data": { "path": path } })))
}
