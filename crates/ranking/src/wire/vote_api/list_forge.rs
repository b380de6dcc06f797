//! The single path of minecraft-mp.com and its sister sites, which EasyVote and most claim plugins
//! know; parameters select the operation. A claim is answered with one digit. An error is text that
//! begins with `Error:`, with status 200 as on those sites.
//!
//! A SteamID is compared with the nickname of votes, where players typed it.

use axum::Form;
use axum::extract::DefaultBodyLimit;
use axum::extract::rejection::FormRejection;
use axum::response::Response;
use axum::routing::MethodRouter;
use chrono::{DateTime, Datelike as _, Utc};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_call::{ApiCall, DialectResponse};
use super::refusal::ApiRefusal;
use crate::State;
use crate::error::ApiError;
use crate::flow::claim_vote::claim_vote;
use crate::flow::list_votes::{last_votes, server_figures, voters_of};
use crate::leaderboard_cache::KEPT_SECONDS;
use crate::model::server_figures::{Month, ServerFigures};
use crate::model::server_key::ServerKey;
use crate::model::vote::RewardClaim;

/// `object=servers&element=detail`
#[derive(Serialize, ToSchema)]
pub(super) struct ForgeDetail {
    /// Its public id.
    id: String,
    name: String,
    /// Host, without the port.
    address: String,
    port: Option<u16>,
    hostname: String,
    /// 1, or 0.
    is_online: u8,
    players: i32,
    maxplayers: i32,
    version: Option<String>,
    /// Place among the servers of its game; null while it is not shown.
    rank: Option<i32>,
    /// Votes of the running month.
    votes: i32,
    /// Reviews.
    comments: i32,
    /// When its status was asked for, in seconds since 1970.
    last_check: Option<i64>,
    /// Its page.
    url: String,
}

/// `object=servers&element=votes`
#[derive(Serialize, ToSchema)]
pub(super) struct ForgeVotes {
    name: String,
    address: String,
    port: Option<u16>,
    votes: Vec<ForgeVote>,
}

#[derive(Serialize, ToSchema)]
struct ForgeVote {
    #[schema(example = "May 14th, 2026 11:00 AM UTC")]
    date: String,
    /// Seconds since 1970.
    timestamp: i64,
    nickname: String,
    /// The name when it is a SteamID64, else empty.
    steamid: String,
    /// Whether the reward was claimed: `1`, or `0`.
    claimed: &'static str,
}

/// `object=servers&element=voters`
#[derive(Serialize, ToSchema)]
pub(super) struct ForgeVoters {
    name: String,
    address: String,
    port: Option<u16>,
    /// `current` or `previous`.
    month: &'static str,
    voters: Vec<ForgeVoter>,
}

#[derive(Serialize, ToSchema)]
struct ForgeVoter {
    nickname: String,
    /// How many, as a text.
    #[schema(example = "10")]
    votes: String,
}

/// Any of the JSON answers.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ForgeAnswer {
    Detail(ForgeDetail),
    Votes(ForgeVotes),
    Voters(ForgeVoters),
}

/// Whether a vote waits for its reward, and lists of a server
///
/// `object=votes&element=claim` with `username` or `steamid`: `0` no vote, `1` a vote that is not
/// claimed, `2` claimed. `object=servers` with `element` `detail`, `votes` or `voters`
/// (`month=current` or `previous`, `limit` up to 500): JSON.
#[utoipa::path(
    get,
    path = "/api/",
    tag = "ListForge",
    params(
        ("object" = String, Query, description = "`votes` or `servers`"),
        ("element" = String, Query, description = "`claim`; `detail`, `votes` or `voters`"),
        ("key" = String, Query, description = "Token; or as Authorization: Bearer"),
        ("username" = Option<String>, Query, description = "The name the player votes with"),
        ("steamid" = Option<String>, Query, description = "SteamID64, which the player typed as their name"),
        ("month" = Option<String>, Query, description = "`current` or `previous`"),
        ("limit" = Option<u32>, Query, description = "How many, 500 at most"),
    ),
    responses(
        (status = 200, description = "A digit, JSON, or a text that begins with `Error:`", content(
            (String = "text/plain"),
            (ForgeAnswer = "application/json"),
        )),
        (status = 429, description = "Too many questions", body = String, content_type = "text/plain"),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn ask(mut call: ApiCall) -> Response {
    let response = async {
        // EasyVote and similar plugins can only send GET.
        let takes = call.text("action") == Some("claim");
        match (call.text("object"), call.text("element")) {
            (Some("votes"), Some("claim")) => digit(&mut call, takes).await,
            (Some("servers"), Some("detail")) => detail(&mut call).await,
            (Some("servers"), Some("votes")) => votes(&mut call).await,
            (Some("servers"), Some("voters")) => voters(&mut call).await,
            _ => {
                call.server_in("key")?;
                Err(ApiRefusal::Unknown("object or element"))
            }
        }
    }
    .await;
    call.respond(response, render_refusal)
}

/// Claims a reward, once
///
/// With `action=post&object=votes&element=claim`, in the address or as a form: `1` when it was
/// claimed with this answer, and with no other, else `0`.
#[utoipa::path(
    post,
    path = "/api/",
    tag = "ListForge",
    params(
        ("action" = String, Query, description = "`post`"),
        ("object" = String, Query, description = "`votes`"),
        ("element" = String, Query, description = "`claim`"),
        ("key" = String, Query, description = "Token; or as Authorization: Bearer"),
        ("username" = Option<String>, Query, description = "The name the player votes with"),
        ("steamid" = Option<String>, Query, description = "SteamID64, which the player typed as their name"),
    ),
    responses(
        (status = 200, description = "`1`, `0`, or a text that begins with `Error:`", body = String, content_type = "text/plain"),
        (status = 429, description = "Too many questions", body = String, content_type = "text/plain"),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn claim(
    mut call: ApiCall,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Response {
    let response = async {
        if let Ok(Form(form)) = form {
            call.add(form);
        }
        match (call.text("object"), call.text("element")) {
            (Some("votes"), Some("claim")) => digit(&mut call, true).await,
            _ => {
                call.server_in("key")?;
                Err(ApiRefusal::Unknown("object or element"))
            }
        }
    }
    .await;
    call.respond(response, render_refusal)
}

/// The path with its two methods and a small body limit; forms contain only a few words.
pub(super) fn methods() -> MethodRouter<State> {
    axum::routing::get(ask).post(claim).layer(DefaultBodyLimit::max(8 * 1024))
}

async fn digit(call: &mut ApiCall, takes: bool) -> Result<DialectResponse, ApiRefusal> {
    let server = call.server_in("key")?;
    let player = call.player(&["username", "steamid"])?;
    let takes = takes && call.method != http::Method::HEAD;
    let digit = match (claim_vote(&call.state, &server, &player, takes).await?, takes) {
        (RewardClaim::NoVote, _) | (RewardClaim::Claimed, true) => "0",
        (RewardClaim::Open | RewardClaim::Taken, _) => "1",
        (RewardClaim::Claimed, false) => "2",
    };
    Ok(DialectResponse::text(StatusCode::OK, digit))
}

async fn of_token(call: &mut ApiCall) -> Result<(ServerKey, ServerFigures), ApiRefusal> {
    let server = call.server_in("key")?;
    let figures = server_figures(&call.state, &server).await?;
    Ok((server, figures))
}

async fn detail(call: &mut ApiCall) -> Result<DialectResponse, ApiRefusal> {
    let (_, figures) = of_token(call).await?;
    let (address, port) = figures.place();
    let site = &call.state.environment().public_url;
    Ok(DialectResponse::ok(&ForgeAnswer::Detail(ForgeDetail {
        id: figures.id.to_string(),
        address: address.to_owned(),
        hostname: address.to_owned(),
        port,
        is_online: u8::from(figures.is_online),
        players: figures.online_players,
        maxplayers: figures.max_players,
        rank: figures.game_rank,
        votes: figures.monthly_votes,
        comments: figures.review_count,
        last_check: figures.status_checked_at.map(|at| at.timestamp()),
        url: format!("{}/server/{}", site.trim_end_matches('/'), figures.id),
        name: figures.name.clone(),
        version: figures.version.clone(),
    }))
    .max_age(KEPT_SECONDS))
}

async fn votes(call: &mut ApiCall) -> Result<DialectResponse, ApiRefusal> {
    let (server, figures) = of_token(call).await?;
    let most = call.limit(100, 500);
    let votes = last_votes(&call.state, &server, most).await?.into_iter().map(|vote| ForgeVote {
        date: spelt(vote.voted_at),
        timestamp: vote.voted_at.timestamp(),
        steamid: if is_steam_id(&vote.nickname) { vote.nickname.clone() } else { String::new() },
        nickname: vote.nickname,
        claimed: if vote.is_claimed { "1" } else { "0" },
    });
    let (address, port) = figures.place();
    let votes = votes.collect();
    Ok(DialectResponse::ok(&ForgeAnswer::Votes(ForgeVotes {
        name: figures.name.clone(),
        address: address.to_owned(),
        port,
        votes,
    }))
    .max_age(5))
}

async fn voters(call: &mut ApiCall) -> Result<DialectResponse, ApiRefusal> {
    let (server, figures) = of_token(call).await?;
    let (month, name) = match call.text("month") {
        None | Some("current") => (Month::Current, "current"),
        Some("previous") => (Month::Last, "previous"),
        Some(_) => return Err(ApiRefusal::Unknown("month")),
    };
    let most = call.limit(100, 500) as usize;
    let counted = voters_of(&call.state, &server, month).await?;
    let voters = counted.iter().take(most).map(|voter| ForgeVoter {
        nickname: voter.nickname.clone(),
        votes: voter.votes.to_string(),
    });
    let (address, port) = figures.place();
    Ok(DialectResponse::ok(&ForgeAnswer::Voters(ForgeVoters {
        name: figures.name.clone(),
        address: address.to_owned(),
        port,
        month: name,
        voters: voters.collect(),
    }))
    .max_age(KEPT_SECONDS))
}

/// Whether a name is a SteamID64: seventeen digits with Valve's prefix.
fn is_steam_id(name: &str) -> bool {
    name.len() == 17 && name.starts_with("7656119") && name.bytes().all(|b| b.is_ascii_digit())
}

/// Formats a time as `May 14th, 2026 11:00 AM UTC`.
fn spelt(at: DateTime<Utc>) -> String {
    let day = at.day();
    let ending = match (day % 10, day / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{} {day}{ending}, {} UTC", at.format("%B"), at.format("%Y %I:%M %p"))
}

fn render_refusal(refusal: &ApiRefusal) -> DialectResponse {
    let status = match refusal.status() {
        status if status.is_server_error() => status,
        StatusCode::TOO_MANY_REQUESTS => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::OK,
    };
    let text = match refusal {
        ApiRefusal::Server | ApiRefusal::Api(ApiError::UnknownServer) => {
            "Error: server key not found".to_owned()
        }
        refusal => format!("Error: {}", refusal.message().to_lowercase()),
    };
    DialectResponse::text(status, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_spelt_as_plugins_read_them() {
        let spelt_at = |text: &str| spelt(text.parse().expect("a time"));
        assert_eq!(spelt_at("2026-05-14T11:00:00Z"), "May 14th, 2026 11:00 AM UTC");
        assert_eq!(spelt_at("2026-07-01T00:05:00Z"), "July 1st, 2026 12:05 AM UTC");
        assert_eq!(spelt_at("2026-01-22T13:59:00Z"), "January 22nd, 2026 01:59 PM UTC");
        assert_eq!(spelt_at("2026-01-03T13:59:00Z"), "January 3rd, 2026 01:59 PM UTC");
        assert_eq!(spelt_at("2026-01-11T13:59:00Z"), "January 11th, 2026 01:59 PM UTC");
    }

    #[test]
    fn steam_ids_are_known() {
        assert!(is_steam_id("76561197960287930"));
        assert!(!is_steam_id("7656119796028793") && !is_steam_id("Steve"));
    }
}
