//! The routes: which handler answers each path and each named function.

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use compat_functions::Access::{Public, Token};
use compat_functions::{Function, function};

use crate::wire::{
    appeal, captcha_challenge, content_notice, copy_picture, page_error, receipts, server_click,
    server_copy, social_media_notify, steam_server_status, try_receiver, vote, vote_api,
    vote_reminder, vote_ticket, weekly_mail,
};
use crate::{Pictures, State};

/// The named functions, for `functions/v1`. Those that visitors without an account use are public:
/// to vote, visit pages, report, appeal, and manage reminders and mails.
pub fn functions(state: &State) -> Vec<Arc<dyn Function>> {
    vec![
        function("vote", Public, state, vote::answer),
        function("server-click", Public, state, server_click::answer),
        function("server-copy", Public, state, server_copy::answer),
        function("page-error", Public, state, page_error::answer),
        function("captcha-challenge", Public, state, captcha_challenge::answer),
        function("content-notice", Public, state, content_notice::answer),
        function("appeal", Public, state, appeal::answer),
        function("social-media-notify", Token, state, social_media_notify::answer),
        function("vote-reminder", Public, state, vote_reminder::answer),
        function("votifier-test", Token, state, try_receiver::votifier),
        function("webhook-test", Token, state, try_receiver::webhook),
        function("weekly-mail", Public, state, weekly_mail::answer),
        function("steam-server-status", Public, state, steam_server_status::answer),
    ]
}

/// The named function that also needs storage/v1: it stores a copy of a picture.
pub fn picture_function(state: State, pictures: Pictures) -> Arc<dyn Function> {
    function("copy-picture", Token, &(state, pictures), copy_picture::answer)
}

/// The public vote API, relative to the site's root.
pub fn router(state: State) -> Router {
    vote_api::router()
        .route("/api/v1/servers/{server}/tickets", post(vote_ticket::issue))
        .route("/api/v1/servers/{server}/tickets/{ticket}", get(vote_ticket::show))
        .route("/api/v1/receipts/jwks.json", get(receipts::jwks))
        .with_state(state)
}
