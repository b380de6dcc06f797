//! The dialect of top-serveurs.net (top-games.net). "No vote" is a 404 with a body, because its
//! plugins read the status; a claim is always 200 with `claimed` 0, 1 or 2.
//!
//! A SteamID is compared with the nickname of votes, where players typed it.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use http::{Method, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use super::api_call::{ApiCall, DialectResponse, address};
use super::refusal::ApiRefusal;
use crate::State;
use crate::flow::check_vote::{Voter, check_vote};
use crate::flow::claim_vote::claim_vote;
use crate::flow::list_votes::{last_votes, reviews_of, server_figures, voters_of};
use crate::leaderboard_cache::KEPT_SECONDS;
use crate::model::server_figures::Month;
use crate::model::server_key::ServerKey;
use crate::model::vote::RewardClaim;

/// A vote that was found.
#[derive(Serialize, ToSchema)]
pub(super) struct TopVote {
    #[schema(example = 200)]
    code: u16,
    success: bool,
    /// Minutes until the next vote, rounded up.
    #[schema(example = 90)]
    duration: i64,
    #[schema(example = "Next vote possible in 90 minutes")]
    message: String,
    /// The name the player voted with, for askers with the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    playername: Option<String>,
}

/// No vote, or no answer.
#[derive(Serialize, ToSchema)]
pub(super) struct TopRefusal {
    #[schema(example = 404)]
    code: u16,
    /// Always false.
    success: bool,
    #[schema(example = "No vote found")]
    message: String,
}

/// What became of a claim.
#[derive(Serialize, ToSchema)]
pub(super) struct TopClaim {
    #[schema(example = 200)]
    code: u16,
    success: bool,
    /// 0: no vote. 1: claimed with this answer, and with no other. 2: claimed before.
    #[schema(example = 1)]
    claimed: u8,
}

/// The latest votes, the newest last.
#[derive(Serialize, ToSchema)]
pub(super) struct TopVotes {
    code: u16,
    success: bool,
    votes: Vec<TopRecentVote>,
}

#[derive(Serialize, ToSchema)]
struct TopRecentVote {
    /// On the site's clock.
    #[schema(example = "2026-05-14 13:00:00")]
    datetime: String,
    #[schema(example = "Steve")]
    playername: String,
    /// Always null: the site keeps no addresses.
    ip: Option<String>,
    /// Whether the reward was claimed: 1, or 0.
    claimed: u8,
}

/// Who voted most.
#[derive(Serialize, ToSchema)]
pub(super) struct TopPlayers {
    code: u16,
    success: bool,
    players: Vec<TopPlayer>,
}

#[derive(Serialize, ToSchema)]
struct TopPlayer {
    #[schema(example = "Steve")]
    playername: String,
    votes: i64,
}

/// A server.
#[derive(Serialize, ToSchema)]
pub(super) struct TopServer {
    code: u16,
    success: bool,
    server: TopServerFigures,
}

#[derive(Serialize, ToSchema)]
struct TopServerFigures {
    /// Its public id.
    id: String,
    name: String,
    slug: String,
    game: String,
    version: Option<String>,
    website: Option<String>,
    /// Votes of the running month.
    votes: i32,
    /// Place among the servers of its game.
    rank: Option<i32>,
    clicks: i32,
    rating: Option<f64>,
    online: bool,
    players: i32,
    maxplayers: i32,
}

/// Reviews, the newest first.
#[derive(Serialize, ToSchema)]
pub(super) struct TopAdvices {
    code: u16,
    success: bool,
    advices: Vec<TopAdvice>,
}

#[derive(Serialize, ToSchema)]
struct TopAdvice {
    id: String,
    /// Null for those who do not say who they are.
    username: Option<String>,
    /// 1 to 5.
    rating: i32,
    content: String,
    datetime: String,
    /// What the owner answered.
    answer: Option<String>,
}

/// A vote by address
#[utoipa::path(
    get,
    path = "/v1/votes/check-ip",
    tag = "top-serveurs.net",
    params(
        ("server_token" = String, Query, description = "Token or public id; or the token as Authorization: Bearer"),
        ("ip" = String, Query, description = "Address of the player"),
    ),
    responses(
        (status = 200, description = "There is a vote", body = TopVote),
        (status = "4XX", description = "404 when there is none", body = TopRefusal),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn check_ip(mut call: ApiCall) -> Response {
    let response = async {
        let server = call.server_in("server_token")?;
        let voter = address(call.text("ip").ok_or(ApiRefusal::Missing("ip"))?)?;
        check(&call.state, &server, &voter).await
    }
    .await;
    call.respond(response, render_refusal)
}

/// A vote by the player's name
#[utoipa::path(
    get,
    path = "/v1/votes/check",
    tag = "top-serveurs.net",
    params(
        ("server_token" = String, Query, description = "Token; or as Authorization: Bearer"),
        ("playername" = String, Query, description = "The name the player votes with; capitals do not matter"),
    ),
    responses(
        (status = 200, description = "There is a vote", body = TopVote),
        (status = "4XX", description = "404 when there is none", body = TopRefusal),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn check_player(mut call: ApiCall) -> Response {
    let response = async {
        let server = call.server_in("server_token")?;
        let voter = Voter::Player(call.player(&["playername", "steam_id"])?);
        check(&call.state, &server, &voter).await
    }
    .await;
    call.respond(response, render_refusal)
}

/// Claims a reward by the player's name, once
#[utoipa::path(
    get,
    path = "/v1/votes/claim-username",
    tag = "top-serveurs.net",
    params(
        ("server_token" = String, Query, description = "Token; or as Authorization: Bearer"),
        ("playername" = String, Query, description = "The name the player votes with"),
    ),
    responses(
        (status = 200, description = "What became of it", body = TopClaim),
        (status = "4XX", description = "Not a claim", body = TopRefusal),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn claim_username(mut call: ApiCall) -> Response {
    let response = claimed(&mut call, "playername").await;
    call.respond(response, render_refusal)
}

/// Claims a reward by SteamID, once
#[utoipa::path(
    get,
    path = "/v1/votes/claim-steam",
    tag = "top-serveurs.net",
    params(
        ("server_token" = String, Query, description = "Token; or as Authorization: Bearer"),
        ("steam_id" = String, Query, description = "SteamID64, which the player typed as their name"),
    ),
    responses(
        (status = 200, description = "What became of it", body = TopClaim),
        (status = "4XX", description = "Not a claim", body = TopRefusal),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn claim_steam(mut call: ApiCall) -> Response {
    let response = claimed(&mut call, "steam_id").await;
    call.respond(response, render_refusal)
}

/// The latest votes, a hundred of the last day at most
#[utoipa::path(
    get,
    path = "/v1/votes/last",
    tag = "top-serveurs.net",
    params(("server_token" = String, Query, description = "Token; or as Authorization: Bearer")),
    responses(
        (status = 200, description = "The votes, the newest last", body = TopVotes),
        (status = "4XX", description = "Not a server", body = TopRefusal),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn last(mut call: ApiCall) -> Response {
    let response = async {
        let server = call.server_in("server_token")?;
        let votes = last_votes(&call.state, &server, 100).await?.into_iter().rev();
        let votes = votes.map(|vote| TopRecentVote {
            datetime: vote.local_time,
            playername: vote.nickname,
            ip: None,
            claimed: u8::from(vote.is_claimed),
        });
        Ok(DialectResponse::ok(&TopVotes { code: 200, success: true, votes: votes.collect() })
            .max_age(5))
    }
    .await;
    call.respond(response, render_refusal)
}

/// A server in figures
#[utoipa::path(
    get,
    path = "/v1/servers/{server}",
    tag = "top-serveurs.net",
    params(("server" = String, Path, description = "Token or public id")),
    responses(
        (status = 200, description = "The server", body = TopServer),
        (status = "4XX", description = "Not a server", body = TopRefusal),
    ),
)]
pub(super) async fn server(
    mut call: ApiCall,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    let response = async {
        let Path(server) = path.map_err(|_| ApiRefusal::Text)?;
        let server = call.server(Some(&server))?;
        let figures = server_figures(&call.state, &server).await?;
        let server = TopServerFigures {
            id: figures.id.to_string(),
            name: figures.name,
            slug: figures.slug,
            game: figures.game,
            version: figures.version,
            website: figures.website_url,
            votes: figures.monthly_votes,
            rank: figures.game_rank,
            clicks: figures.clicks,
            rating: figures.rating,
            online: figures.is_online,
            players: figures.online_players,
            maxplayers: figures.max_players,
        };
        Ok(DialectResponse::ok(&TopServer { code: 200, success: true, server }).max_age(10))
    }
    .await;
    call.respond(response, render_refusal)
}

/// Who voted most in a month
#[utoipa::path(
    get,
    path = "/v1/servers/{server}/players-ranking",
    tag = "top-serveurs.net",
    params(
        ("server" = String, Path, description = "Token"),
        ("type" = Option<String>, Query, description = "`current` (the running month) or `lastMonth`"),
    ),
    responses(
        (status = 200, description = "Five hundred players at most, counted once a minute", body = TopPlayers),
        (status = "4XX", description = "Not a server", body = TopRefusal),
    ),
)]
pub(super) async fn players_ranking(
    mut call: ApiCall,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    let response = async {
        let Path(server) = path.map_err(|_| ApiRefusal::Text)?;
        let server = call.server(Some(&server))?;
        let month = match call.text("type") {
            None | Some("current") => Month::Current,
            Some("lastMonth") => Month::Last,
            Some(_) => return Err(ApiRefusal::Unknown("type")),
        };
        let voters = voters_of(&call.state, &server, month).await?;
        let players = voters
            .iter()
            .map(|voter| TopPlayer { playername: voter.nickname.clone(), votes: voter.votes });
        let players = players.collect();
        Ok(DialectResponse::ok(&TopPlayers { code: 200, success: true, players })
            .max_age(KEPT_SECONDS))
    }
    .await;
    call.respond(response, render_refusal)
}

/// What people wrote about a server, a hundred reviews at most
#[utoipa::path(
    get,
    path = "/v1/servers/{server}/advices",
    tag = "top-serveurs.net",
    params(("server" = String, Path, description = "Token or public id")),
    responses(
        (status = 200, description = "The reviews, the newest first", body = TopAdvices),
        (status = "4XX", description = "Not a server", body = TopRefusal),
    ),
)]
pub(super) async fn advices(
    mut call: ApiCall,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    let response = async {
        let Path(server) = path.map_err(|_| ApiRefusal::Text)?;
        let server = call.server(Some(&server))?;
        let advices = reviews_of(&call.state, &server).await?.into_iter().map(|review| TopAdvice {
            id: review.id.to_string(),
            username: review.author_name,
            rating: review.rating,
            content: review.comment,
            datetime: review.created_at.to_rfc3339(),
            answer: review.answer,
        });
        Ok(DialectResponse::ok(&TopAdvices {
            code: 200,
            success: true,
            advices: advices.collect(),
        })
        .max_age(60))
    }
    .await;
    call.respond(response, render_refusal)
}

/// Accepts claims by GET, which plugins send, and by POST, which is correct.
pub(super) fn claims<H, T>(handler: H) -> MethodRouter<State>
where
    H: Handler<T, State>,
    T: 'static,
{
    get(handler.clone()).post(handler)
}

async fn check(
    state: &State,
    server: &ServerKey,
    voter: &Voter,
) -> Result<DialectResponse, ApiRefusal> {
    let Some(known) = check_vote(state, server, voter).await? else {
        return Ok(error_response(StatusCode::NOT_FOUND, "No vote found"));
    };
    let duration = known.next_vote_seconds.max(0).unsigned_abs().div_ceil(60).cast_signed();
    Ok(DialectResponse::ok(&TopVote {
        code: 200,
        success: true,
        duration,
        message: format!("Next vote possible in {duration} minutes"),
        playername: known.vote.username,
    }))
}

async fn claimed(call: &mut ApiCall, name: &'static str) -> Result<DialectResponse, ApiRefusal> {
    let server = call.server_in("server_token")?;
    let player = call.player(&[name])?;
    // HEAD must have no effect, so it does not claim.
    let takes = call.method != Method::HEAD;
    let claimed = match claim_vote(&call.state, &server, &player, takes).await? {
        RewardClaim::NoVote => 0,
        RewardClaim::Taken | RewardClaim::Open => 1,
        RewardClaim::Claimed => 2,
    };
    Ok(DialectResponse::ok(&TopClaim { code: 200, success: true, claimed }))
}

fn render_refusal(refusal: &ApiRefusal) -> DialectResponse {
    error_response(refusal.status(), refusal.message())
}

fn error_response(status: StatusCode, message: impl Into<String>) -> DialectResponse {
    let body = TopRefusal { code: status.as_u16(), success: false, message: message.into() };
    DialectResponse::json(status, &body)
}
