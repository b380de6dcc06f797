//! `POST /token?grant_type=…`

use axum::extract::{FromRequest as _, Request, State as Extract};
use axum::response::Response;
use serde::Deserialize;

use super::asking::query;
use super::body::Body;
use super::shape;
use crate::error::AuthError;
use crate::flow::Visit;
use crate::flow::exchange_code::exchange_code;
use crate::flow::refresh::refresh;
use crate::flow::sign_in::{SignIn, sign_in};
use crate::state::State;

#[derive(Debug, Deserialize)]
struct PasswordBody {
    email: Option<String>,
    phone: Option<String>,
    password: Option<String>,
}

#[derive(Debug, Deserialize)]
struct RefreshBody {
    refresh_token: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ExchangeBody {
    auth_code: Option<String>,
    code_verifier: Option<String>,
}

/// The grant decides which body is read.
pub async fn post(
    Extract(state): Extract<State>,
    visit: Visit,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, body) = request.into_parts();
    let grant_type = query(&parts, "grant_type").unwrap_or_default();
    let request = Request::from_parts(parts, body);
    let grant = match grant_type.as_str() {
        "password" => {
            let Body(body) = Body::<PasswordBody>::from_request(request, &()).await?;
            let asked = SignIn {
                email: body.email.as_deref().unwrap_or_default(),
                phone: body.phone.as_deref().unwrap_or_default(),
                password: body.password.as_deref().unwrap_or_default(),
            };
            sign_in(&state, &visit, asked).await?
        }
        "refresh_token" => {
            let Body(body) = Body::<RefreshBody>::from_request(request, &()).await?;
            refresh(&state, &visit, body.refresh_token.as_deref().unwrap_or_default()).await?
        }
        "pkce" => {
            let Body(body) = Body::<ExchangeBody>::from_request(request, &()).await?;
            let code = body.auth_code.as_deref().unwrap_or_default();
            let verifier = body.code_verifier.as_deref().unwrap_or_default();
            exchange_code(&state, &visit, code, verifier).await?
        }
        "web3" => return Err(AuthError::Web3Disabled),
        _ => return Err(AuthError::UnsupportedGrant),
    };
    Ok(shape::session(&grant))
}
