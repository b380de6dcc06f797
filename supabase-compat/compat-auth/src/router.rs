//! Paths to handlers; nothing else.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, patch, post, put};

use crate::error::{AuthError, Closed};
use crate::state::State;
use crate::wire::{
    admin, answer, captcha, factor, general, limit, mail_request, oauth, oauth_server, passkey,
    sign_out, sign_up, token, user, verify,
};

/// The service, relative to where it is mounted (`/auth/v1`).
pub fn router(state: State) -> Router {
    Router::new()
        .route("/health", get(general::health))
        .route("/settings", get(general::settings))
        .route("/.well-known/jwks.json", get(general::jwks))
        .route("/.well-known/openid-configuration", get(general::openid_configuration))
        .route("/captcha", get(captcha::get_challenge))
        .route("/signup", post(sign_up::post))
        .route("/token", post(token::post))
        .route("/logout", post(sign_out::post))
        .route("/user", get(user::get).put(user::put))
        .route("/reauthenticate", get(user::get_reauthenticate))
        .route("/verify", get(verify::get).post(verify::post))
        .route("/recover", post(mail_request::post_recover))
        .route("/resend", post(mail_request::post_resend))
        .route("/otp", post(mail_request::post_otp))
        .route("/magiclink", post(mail_request::post_magiclink))
        .route("/invite", post(admin::links::post_invite))
        .route("/admin/generate_link", post(admin::links::post_link))
        .route("/admin/users", get(admin::users::list).post(admin::users::create))
        .route(
            "/admin/users/{id}",
            get(admin::users::get).put(admin::users::put).delete(admin::users::delete),
        )
        .route("/admin/users/{id}/factors", get(factor::list_of_user))
        .route(
            "/admin/users/{id}/factors/{factor_id}",
            put(factor::put_of_user).delete(factor::delete_of_user),
        )
        .route("/factors", post(factor::post))
        .route("/factors/{id}", delete(factor::delete))
        .route("/factors/{id}/challenge", post(factor::post_challenge))
        .route("/factors/{id}/verify", post(factor::post_verify))
        .route("/admin/audit", get(admin::audit::list))
        .route(
            "/admin/custom-providers",
            get(admin::custom_providers::list).post(admin::custom_providers::create),
        )
        .route(
            "/admin/custom-providers/{identifier}",
            get(admin::custom_providers::get)
                .put(admin::custom_providers::put)
                .delete(admin::custom_providers::delete),
        )
        .route("/admin/sso/providers", get(admin::enterprise::list).post(admin::enterprise::post))
        .route(
            "/admin/sso/providers/{id}",
            get(admin::enterprise::one).put(admin::enterprise::one).delete(admin::enterprise::one),
        )
        .route("/authorize", get(oauth::get_authorize))
        .route("/callback", get(oauth::callback_either).post(oauth::callback_either))
        .route("/user/identities/authorize", get(oauth::get_link))
        .route("/user/identities/{identity_id}", delete(oauth::delete_identity))
        .route("/oauth/authorize", get(oauth_server::authorize::get_authorize))
        .route("/oauth/authorizations/{id}", get(oauth_server::authorize::get))
        .route("/oauth/authorizations/{id}/consent", post(oauth_server::authorize::post_consent))
        .route("/oauth/token", post(oauth_server::token::post))
        .route("/oauth/userinfo", get(oauth_server::token::userinfo))
        .route("/oauth/clients/register", post(oauth_server::clients::register))
        .route(
            "/user/oauth/grants",
            get(oauth_server::grants::list).delete(oauth_server::grants::delete),
        )
        .route(
            "/admin/oauth/clients",
            get(oauth_server::clients::list).post(oauth_server::clients::create),
        )
        .route(
            "/admin/oauth/clients/{id}",
            get(oauth_server::clients::get)
                .put(oauth_server::clients::put)
                .delete(oauth_server::clients::delete),
        )
        .route(
            "/admin/oauth/clients/{id}/regenerate_secret",
            post(oauth_server::clients::regenerate_secret),
        )
        .route("/.well-known/oauth-authorization-server", get(general::authorization_server))
        .route("/passkeys", get(passkey::list))
        .route("/passkeys/{id}", patch(passkey::rename).delete(passkey::delete))
        .route("/passkeys/registration/options", post(passkey::begin_registration))
        .route("/passkeys/registration/verify", post(passkey::finish_registration))
        .route("/passkeys/authentication/options", post(passkey::begin_sign_in))
        .route("/passkeys/authentication/verify", post(passkey::finish_sign_in))
        .route("/admin/users/{id}/passkeys", get(passkey::list_of_user))
        .route("/admin/users/{id}/passkeys/{passkey_id}", delete(passkey::delete_of_user))
        .route("/sso", post(saml_disabled))
        .route("/sso/saml/metadata", get(saml_disabled))
        .route("/sso/saml/acs", post(saml_disabled))
        .layer(from_fn_with_state(state.clone(), captcha::ask))
        .layer(from_fn_with_state(state.clone(), limit::count))
        .layer(from_fn(answer::complete))
        .with_state(state)
}

async fn saml_disabled() -> AuthError {
    AuthError::Closed(Closed::Saml)
}
