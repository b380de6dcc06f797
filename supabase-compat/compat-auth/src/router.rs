//! Maps paths to handlers and guards.
//!
//! A rate limit comes before a captcha, so that captcha attempts are counted.

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{delete, get, patch, post, put};

use crate::guard::limit::LimitKind;
use crate::state::State;
use crate::wire::guard::captcha::{self, require_captcha, require_captcha_when};
use crate::wire::guard::limit::limited;
use crate::wire::{
    admin, discovery, enterprise, factor, mail_request, oauth, oauth_server, passkey, response,
    sign_out, sign_up, token, user, verify,
};

/// The service, relative to where it is mounted.
pub fn router(state: State) -> Router {
    info_routes()
        .merge(people(&state))
        .merge(factors(&state))
        .merge(passkeys(&state))
        .merge(external_providers(&state))
        .merge(applications(&state))
        .merge(administrators())
        .layer(from_fn(response::complete))
        .with_state(state)
}

/// Public information about the service.
fn info_routes() -> Router<State> {
    Router::new()
        .route("/health", get(discovery::health))
        .route("/settings", get(discovery::settings))
        .route("/.well-known/jwks.json", get(discovery::jwks))
        .route("/.well-known/openid-configuration", get(discovery::openid_configuration))
        .route("/.well-known/oauth-authorization-server", get(discovery::authorization_server))
        .route("/captcha", get(captcha::get_challenge))
}

/// Signing up, in and out, and one's own account.
fn people(state: &State) -> Router<State> {
    let mailed = |bucket, methods| limited(state, bucket, require_captcha(state, methods));
    let token = require_captcha_when(state, token::carries_password, post(token::post));
    let verify = get(verify::get).post(verify::post);
    let change = limited(state, LimitKind::UpdateUser, put(user::put));
    Router::new()
        .route("/signup", mailed(LimitKind::Signup, post(sign_up::post)))
        .route("/token", limited(state, LimitKind::Token, token))
        .route("/verify", limited(state, LimitKind::Verify, verify))
        .route("/recover", mailed(LimitKind::Recover, post(mail_request::post_recover)))
        .route("/resend", mailed(LimitKind::Resend, post(mail_request::post_resend)))
        .route("/otp", mailed(LimitKind::Otp, post(mail_request::post_otp)))
        .route("/magiclink", mailed(LimitKind::MagicLink, post(mail_request::post_magiclink)))
        .route("/user", change.get(user::get))
        .route("/reauthenticate", get(user::get_reauthenticate))
        .route("/logout", post(sign_out::post))
}

/// Second factors.
fn factors(state: &State) -> Router<State> {
    let counted = |methods| limited(state, LimitKind::Factor, methods);
    Router::new()
        .route("/factors", post(factor::post))
        .route("/factors/{id}", delete(factor::delete))
        .route("/factors/{id}/challenge", counted(post(factor::post_challenge)))
        .route("/factors/{id}/verify", counted(post(factor::post_verify)))
}

/// Passkeys: enrolling them, and signing in by them.
fn passkeys(state: &State) -> Router<State> {
    let counted = |methods| limited(state, LimitKind::Passkey, methods);
    let sign_in = require_captcha(state, post(passkey::begin_sign_in));
    Router::new()
        .route("/passkeys", get(passkey::list))
        .route("/passkeys/{id}", patch(passkey::rename).delete(passkey::delete))
        .route("/passkeys/registration/options", counted(post(passkey::begin_registration)))
        .route("/passkeys/registration/verify", counted(post(passkey::finish_registration)))
        .route("/passkeys/authentication/options", counted(sign_in))
        .route("/passkeys/authentication/verify", counted(post(passkey::finish_sign_in)))
}

/// External accounts: signing in with them, and linking them.
fn external_providers(state: &State) -> Router<State> {
    let sso = limited(state, LimitKind::Sso, require_captcha(state, post(enterprise::sign_in)));
    Router::new()
        .route("/authorize", get(oauth::get_authorize))
        .route("/callback", get(oauth::callback_either).post(oauth::callback_either))
        .route("/user/identities/authorize", get(oauth::get_link))
        .route("/user/identities/{identity_id}", delete(oauth::delete_identity))
        .route("/sso", sso)
        .route("/sso/saml/metadata", get(enterprise::sign_in))
        .route("/sso/saml/acs", post(enterprise::sign_in))
}

/// Applications that sign people in through this service.
fn applications(state: &State) -> Router<State> {
    use oauth_server::{authorize, clients, grants, token};
    Router::new()
        .route("/oauth/authorize", get(authorize::get_authorize))
        .route("/oauth/authorizations/{id}", get(authorize::get))
        .route("/oauth/authorizations/{id}/consent", post(authorize::post_consent))
        .route("/oauth/token", limited(state, LimitKind::Token, post(token::post)))
        .route("/oauth/userinfo", get(token::userinfo))
        .route("/oauth/clients/register", post(clients::register))
        .route("/user/oauth/grants", get(grants::list).delete(grants::delete))
        .route("/admin/oauth/clients", get(clients::list).post(clients::create))
        .route(
            "/admin/oauth/clients/{id}",
            get(clients::get).put(clients::put).delete(clients::delete),
        )
        .route("/admin/oauth/clients/{id}/regenerate_secret", post(clients::regenerate_secret))
}

/// Routes for administrators.
fn administrators() -> Router<State> {
    use admin::{audit, custom_providers, links, users};
    Router::new()
        .route("/invite", post(links::post_invite))
        .route("/admin/generate_link", post(links::post_link))
        .route("/admin/users", get(users::list).post(users::create))
        .route("/admin/users/{id}", get(users::get).put(users::put).delete(users::delete))
        .route("/admin/users/{id}/factors", get(factor::list_of_user))
        .route(
            "/admin/users/{id}/factors/{factor_id}",
            put(factor::put_of_user).delete(factor::delete_of_user),
        )
        .route("/admin/users/{id}/passkeys", get(passkey::list_of_user))
        .route("/admin/users/{id}/passkeys/{passkey_id}", delete(passkey::delete_of_user))
        .route("/admin/audit", get(audit::list))
        .route(
            "/admin/custom-providers",
            get(custom_providers::list).post(custom_providers::create),
        )
        .route(
            "/admin/custom-providers/{identifier}",
            get(custom_providers::get).put(custom_providers::put).delete(custom_providers::delete),
        )
        .route("/admin/sso/providers", get(enterprise::list).post(enterprise::post))
        .route(
            "/admin/sso/providers/{id}",
            get(enterprise::one).put(enterprise::one).delete(enterprise::one),
        )
}
