//! `POST functions/v1/page-error`: `{release, page, name, frames}` in, `{stored}` out.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::flow::record_page_error::record_page_error;
use crate::model::page_error::PageError;
use crate::{Refusal, State};

const SHAPE: &str =
    "The body must be JSON with release, page, name and frames of this site's scripts";

#[derive(Deserialize)]
struct Body {
    release: String,
    page: String,
    name: String,
    frames: Vec<String>,
}

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let Body { release, page, name, frames } = posted::<_, Refusal>(&mut call, SHAPE).await?;
    let error = PageError::parse(release, page, name, frames).ok_or(Refusal::BadRequest(SHAPE))?;
    let stored = record_page_error(&state, error, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "stored": stored })))
}
