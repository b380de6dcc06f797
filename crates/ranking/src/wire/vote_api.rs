//! The public vote API: what the plugins of game servers and the sites of their owners ask.
//!
//! One way of our own (`native`), and the dialects of older sites at their very paths, so that an
//! owner changes a host name and nothing else. All of them ask the same votes. "No" is said as each
//! dialect says it, never as an error of ours; every answer is open to every origin and carries what
//! is left of the asker's allowance. The description is generated from this code.

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

/// Every path of the vote API with what answers it, in the order they are described.
pub(crate) fn routes() -> Vec<(&'static str, MethodRouter<State>)> {
    // The plugins of each list have its paths built in, so the paths cannot be made alike.
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
