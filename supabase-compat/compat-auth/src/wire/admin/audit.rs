//! `GET /admin/audit`

use axum::extract::{Request, State as Extract};
use axum::response::Response;
use http::StatusCode;

use super::page::Page;
use crate::error::AuthError;
use crate::flow::admin::audit_log;
use crate::state::State;
use crate::wire::extract::{Admin, query};

/// `query` is `author:…`, `action:…` or `type:…`.
pub async fn list(
    Extract(state): Extract<State>,
    _: Admin,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, _) = request.into_parts();
    let page = Page::requested(&parts)?;
    let filter = query(&parts, "query").unwrap_or_default();
    let (column, value) = filter.split_once(':').unwrap_or_default();
    let (entries, total) = audit_log::page(&state, column, value, page.size, page.offset()).await?;
    let answer = compat_http::json(StatusCode::OK, &entries);
    Ok(page.describe(answer, "/admin/audit", total))
}
