//! Paths and names to handlers.

use std::{net::IpAddr, sync::Arc};

use axum::{Router, routing::get};
use compat_functions::Function;
use compat_http::Edge;
use compat_pg::OwnerDb;

use crate::{
    Config, ConfigError,
    captcha::Altcha,
    limit::RateLimit,
    model::voter::IpHash,
    secret::Key,
    wire::{
        captcha_challenge::CaptchaChallenge, steam_server_status::SteamServerStatus, vote::Vote,
        vote_api,
    },
};

/// What the ranking runs with; cheap to clone.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    edge: Edge,
    owner: OwnerDb,
    config: Config,
    addresses: Key,
    captcha: Altcha,
    votes: RateLimit,
    challenges: RateLimit,
}

impl State {
    /// Puts the ranking together.
    ///
    /// # Errors
    /// The settings it cannot run with, all of them.
    pub fn new(edge: Edge, owner: OwnerDb, config: Config) -> Result<Self, Vec<ConfigError>> {
        let errors = config.errors();
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self(Arc::new(Inner {
            edge,
            owner,
            addresses: Key::derive(&config.site_secret, "votes/addresses"),
            captcha: Altcha::new(&config.site_secret, config.captcha.clone()),
            votes: RateLimit::new(config.vote_rate),
            challenges: RateLimit::new(config.challenge_rate),
            config,
        })))
    }

    pub(crate) fn edge(&self) -> &Edge {
        &self.0.edge
    }

    pub(crate) fn owner(&self) -> &OwnerDb {
        &self.0.owner
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn captcha(&self) -> &Altcha {
        &self.0.captcha
    }

    pub(crate) fn vote_limit(&self) -> &RateLimit {
        &self.0.votes
    }

    pub(crate) fn challenge_limit(&self) -> &RateLimit {
        &self.0.challenges
    }

    /// The keyed hash that stands for a client's address, as votes and bans are stored under.
    pub fn voter(&self, ip: IpAddr) -> IpHash {
        IpHash::of(&self.0.addresses, ip)
    }
}

/// The named functions, for `functions/v1`.
pub fn functions(state: State) -> Vec<Arc<dyn Function>> {
    vec![
        Arc::new(Vote(state.clone())),
        Arc::new(CaptchaChallenge(state)),
        Arc::new(SteamServerStatus),
    ]
}

/// The public vote API, relative to the site's root.
pub fn router(state: State) -> Router {
    let votes = get(vote_api::show).fallback(vote_api::refuse_method);
    Router::new()
        .route("/servers/{server}/votes/{ip}", votes.clone())
        .route("/api/v1/servers/{server}/votes/{ip}", votes)
        .with_state(state)
}
