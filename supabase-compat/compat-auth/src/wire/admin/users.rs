//! `/admin/users` and one user below it

use axum::extract::{Path, Request, State as Extract};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::page::Page;
use crate::error::{AuthError, InvalidRequest};
use crate::flow::admin::change_user::{change_user, find};
use crate::flow::admin::create_user::{UserAttributes, create_user};
use crate::flow::admin::delete_user::delete_user;
use crate::flow::admin::list_users;
use crate::model::RequestContext;
use crate::model::metadata::Metadata;
use crate::model::user_body::UserBody;
use crate::state::State;
use crate::wire::body::{Body, OptionalBody};
use crate::wire::extract::{Admin, query};
use crate::wire::shape;

/// Parses an id in the path.
///
/// # Errors
/// [`InvalidRequest::NotUuid`].
pub fn id(name: &'static str, text: &str) -> Result<Uuid, InvalidRequest> {
    text.parse().map_err(|_| InvalidRequest::NotUuid(name))
}

/// `GET /admin/users`
pub async fn list(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, _) = request.into_parts();
    let page = Page::requested(&parts)?;
    let filter = query(&parts, "filter").unwrap_or_default();
    let ascending = query(&parts, "sort").is_some_and(|sort| sort.trim().ends_with(" asc"));
    let (users, total) =
        list_users::page(&state, &context.aud, &filter, ascending, page.size, page.offset())
            .await?;
    let users: Vec<UserBody<'_>> =
        users.iter().map(|user| UserBody::from(user).without_relations()).collect();
    let answer = compat_http::json(StatusCode::OK, &json!({"users": users, "aud": context.aud}));
    Ok(page.describe(answer, "/admin/users", total))
}

#[derive(Debug, Deserialize)]
pub struct UserFields {
    id: Option<Uuid>,
    aud: Option<String>,
    role: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    password: Option<String>,
    password_hash: Option<String>,
    email_confirm: Option<bool>,
    phone_confirm: Option<bool>,
    user_metadata: Option<Metadata>,
    app_metadata: Option<Metadata>,
    ban_duration: Option<String>,
}

impl UserFields {
    fn as_fields(&self) -> UserAttributes<'_> {
        UserAttributes {
            id: self.id,
            aud: self.aud.as_deref(),
            role: self.role.as_deref(),
            email: self.email.as_deref(),
            phone: self.phone.as_deref(),
            password: self.password.as_deref(),
            password_hash: self.password_hash.as_deref(),
            email_confirm: self.email_confirm.unwrap_or_default(),
            phone_confirm: self.phone_confirm.unwrap_or_default(),
            user_metadata: self.user_metadata.clone(),
            app_metadata: self.app_metadata.clone(),
            ban_duration: self.ban_duration.as_deref(),
        }
    }
}

/// `POST /admin/users`
pub async fn create(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    Body(body): Body<UserFields>,
) -> Result<Response, AuthError> {
    let user = create_user(&state, &context, body.as_fields()).await?;
    Ok(shape::user(&user))
}

/// `GET /admin/users/{id}`
pub async fn get(
    Extract(state): Extract<State>,
    _: Admin,
    Path(user_id): Path<String>,
) -> Result<Response, AuthError> {
    let user = find(&state, id("user_id", &user_id)?).await?;
    Ok(shape::user(&user))
}

/// `PUT /admin/users/{id}`
pub async fn put(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    Path(user_id): Path<String>,
    Body(body): Body<UserFields>,
) -> Result<Response, AuthError> {
    let id = id("user_id", &user_id)?;
    let user = change_user(&state, &context, id, body.as_fields()).await?;
    Ok(shape::user(&user))
}

#[derive(Debug, Default, Deserialize)]
pub struct DeleteFields {
    should_soft_delete: Option<bool>,
}

/// `DELETE /admin/users/{id}`
pub async fn delete(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    Path(user_id): Path<String>,
    OptionalBody(body): OptionalBody<DeleteFields>,
) -> Result<Response, AuthError> {
    let id = id("user_id", &user_id)?;
    delete_user(&state, &context, id, body.should_soft_delete.unwrap_or_default()).await?;
    Ok(shape::nothing())
}
