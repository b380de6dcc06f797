//! The public vote API, for the plugins of game servers and the sites of their owners.
//!
//! It has one dialect of our own (`native`), and those of older sites at their exact paths, so that
//! an owner changes only a host name. All dialects read the same votes. Each dialect answers "no
//! vote" in its own format, never as an error of ours. Every response is open to every origin and
//! carries the caller's remaining rate limit. The description is generated from this code.

mod api_call;
mod description;
mod french_lists;
mod list_forge;
mod native;
mod parameters;
mod refusal;
mod serveur_prive;
mod top_serveurs;
mod webhook_schema;

use axum::Router;
use axum::routing::{MethodRouter, get};

use crate::State;

/// Every path of the vote API with its handler, in the order of the description.
pub(crate) fn routes() -> Vec<(&'static str, MethodRouter<State>)> {
    // The plugins of each list have its paths built in, so the paths cannot be unified.
    vec![
        ("/api/v1/servers/{server}/votes/{ip}", get(native::check)),
        ("/servers/{server}/votes/{ip}", get(native::check)),
        ("/api/v1/servers/{server}/statistics", get(native::statistics)),
        ("/api/vote/{server}/{ip}", get(serveur_prive::vote)),
        ("/api/vote/json/{server}/{ip}", get(serveur_prive::vote_json)),
        ("/api/stats/{server}/{figure}", get(serveur_prive::figure)),
        ("/api/stats/json/{server}/{figure}", get(serveur_prive::figure_json)),
        ("/v1/votes/check-ip", get(top_serveurs::check_ip)),
        ("/v1/votes/check", get(top_serveurs::check_player)),
        ("/v1/votes/claim-username", top_serveurs::claims(top_serveurs::claim_username)),
        ("/v1/votes/claim-steam", top_serveurs::claims(top_serveurs::claim_steam)),
        ("/v1/votes/last", get(top_serveurs::last)),
        ("/v1/servers/{server}", get(top_serveurs::server)),
        ("/v1/servers/{server}/players-ranking", get(top_serveurs::players_ranking)),
        ("/v1/servers/{server}/advices", get(top_serveurs::advices)),
        ("/api/", list_forge::methods()),
        ("/api/checkVote/{server}/{ip}", get(french_lists::check_vote_word)),
        ("/api/hasVoted/{server}/{ip}", get(french_lists::has_voted)),
        ("/api/hasVote/{server}/{ip}/{minutes}", get(french_lists::has_vote)),
        ("/api/v1/servers/{server}/vote/{ip}", get(french_lists::can_vote)),
        ("/api/openapi.json", get(description::show)),
    ]
}

/// The vote API, relative to the site's root.
pub(crate) fn router() -> Router<State> {
    routes().into_iter().fold(Router::new(), |router, (path, methods)| {
        router.route(path, methods.fallback(native::refuse_method))
    })
}
