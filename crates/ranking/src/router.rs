//! Paths and names to handlers.

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use compat_functions::Function;

use crate::State;
use crate::wire::appeal::Appeal;
use crate::wire::captcha_challenge::CaptchaChallenge;
use crate::wire::content_notice::Notice;
use crate::wire::receipts;
use crate::wire::server_click::ServerClick;
use crate::wire::server_copy::ServerCopy;
use crate::wire::social_media_notify::SocialMediaNotify;
use crate::wire::steam_server_status::SteamServerStatus;
use crate::wire::try_receiver::TryReceiver;
use crate::wire::vote::Vote;
use crate::wire::vote_api;
use crate::wire::vote_reminder::VoteReminder;
use crate::wire::vote_ticket;
use crate::wire::weekly_mail::WeeklyMail;

/// The named functions, for `functions/v1`.
pub fn functions(state: State) -> Vec<Arc<dyn Function>> {
    vec![
        Arc::new(Vote(state.clone())),
        Arc::new(ServerClick(state.clone())),
        Arc::new(ServerCopy(state.clone())),
        Arc::new(CaptchaChallenge(state.clone())),
        Arc::new(Notice(state.clone())),
        Arc::new(Appeal(state.clone())),
        Arc::new(SocialMediaNotify(state.clone())),
        Arc::new(VoteReminder(state.clone())),
        Arc::new(TryReceiver::votifier(state.clone())),
        Arc::new(TryReceiver::webhook(state.clone())),
        Arc::new(WeeklyMail(state.clone())),
        Arc::new(SteamServerStatus(state)),
    ]
}

/// The public vote API, relative to the site's root.
pub fn router(state: State) -> Router {
    vote_api::router()
        .route("/api/v1/servers/{server}/tickets", post(vote_ticket::hand_out))
        .route("/api/v1/servers/{server}/tickets/{ticket}", get(vote_ticket::show))
        .route("/api/v1/receipts/jwks.json", get(receipts::jwks))
        .with_state(state)
}
