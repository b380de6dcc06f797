//! `POST /admin/generate_link` and `POST /invite`

use axum::extract::State as Extract;
use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::error::AuthError;
use crate::flow::admin::generate_link::{LinkKind, LinkRequest, generate_link};
use crate::flow::admin::invite::invite;
use crate::model::RequestContext;
use crate::model::metadata::Metadata;
use crate::model::user_body::UserBody;
use crate::state::State;
use crate::wire::body::Body;
use crate::wire::extract::Admin;
use crate::wire::shape;

#[derive(Debug, Deserialize)]
pub struct LinkFields {
    #[serde(rename = "type")]
    kind: Option<String>,
    email: Option<String>,
    new_email: Option<String>,
    password: Option<String>,
    data: Option<Metadata>,
    redirect_to: Option<String>,
}

#[derive(Serialize)]
struct LinkBody<'a> {
    #[serde(flatten)]
    user: UserBody<'a>,
    action_link: &'a str,
    email_otp: &'a str,
    hashed_token: &'a str,
    verification_type: &'static str,
    redirect_to: &'a str,
}

/// `POST /admin/generate_link`: the user, flattened, with the parts of the link beside its fields.
pub async fn post_link(
    Extract(state): Extract<State>,
    mut context: RequestContext,
    _: Admin,
    Body(body): Body<LinkFields>,
) -> Result<Response, AuthError> {
    if let Some(address) = body.redirect_to.as_deref().filter(|address| !address.is_empty()) {
        context.redirect_to = state.redirects.choose([address]).to_owned();
    }
    let request = LinkRequest {
        kind: LinkKind::parse(body.kind.as_deref().unwrap_or_default())?,
        email: body.email.as_deref().unwrap_or_default(),
        new_email: body.new_email.as_deref().unwrap_or_default(),
        password: body.password.as_deref().unwrap_or_default(),
        data: body.data.unwrap_or_default(),
    };
    let link = generate_link(&state, &context, request).await?;
    let answer = LinkBody {
        user: UserBody::from(&link.user),
        action_link: &link.action_link,
        email_otp: &link.email_otp,
        hashed_token: &link.hashed_token,
        verification_type: link.verification_type,
        redirect_to: &link.redirect_to,
    };
    Ok(compat_http::json(StatusCode::OK, &answer))
}

#[derive(Debug, Deserialize)]
pub struct InviteFields {
    email: Option<String>,
    data: Option<Metadata>,
}

/// `POST /invite`
pub async fn post_invite(
    Extract(state): Extract<State>,
    context: RequestContext,
    _: Admin,
    Body(body): Body<InviteFields>,
) -> Result<Response, AuthError> {
    let email = body.email.as_deref().unwrap_or_default();
    let user = invite(&state, &context, email, body.data.unwrap_or_default()).await?;
    Ok(shape::user(&user))
}
