//! `POST functions/v1/content-notice`: `{serverId, reviewId?, reason, explanation, name, email,
//! language, captcha}` in, `{filed: true}` out, also when the same person has already reported the
//! same item.

use axum::response::{Response, Result};
use compat_functions::{Invocation, posted};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::flow::file_notice::file_notice;
use crate::model::content_notice::{ContentNotice, NoticeInput};
use crate::{Refusal, State};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    server_id: Uuid,
    #[serde(default)]
    review_id: Option<Uuid>,
    reason: String,
    explanation: String,
    name: String,
    email: String,
    language: String,
    captcha: String,
}

const SHAPE: &str = "The body must be JSON with serverId (a UUID), reason (as in reports), explanation \
    (20 to 2000 characters), name, email, language (fr, en or es) and captcha";

pub(crate) async fn answer(state: State, mut call: Invocation) -> Result<Response> {
    let body: Body = posted::<_, Refusal>(&mut call, SHAPE).await?;
    let Body { reason, explanation, name, email, language, .. } = &body;
    let typed = NoticeInput { reason, explanation, name, email, language };
    let notice = ContentNotice::parse(body.server_id, body.review_id, typed);
    let notice = notice.ok_or(Refusal::BadRequest(SHAPE))?;
    file_notice(&state, &notice, &body.captcha, call.client_ip).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "filed": true })))
}
