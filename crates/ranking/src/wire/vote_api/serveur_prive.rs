//! The dialect of serveur-prive.net's first API: bare figures, or JSON with numbers as strings. A
//! refusal is its status with an empty body, or `status: "0"`.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_call::{ApiCall, DialectResponse, address};
use super::refusal::ApiRefusal;
use crate::flow::check_vote::{CurrentVote, check_vote};
use crate::flow::list_votes::server_figures;
use crate::model::server_figures::ServerFigures;

/// Whether there is a vote.
#[derive(Serialize, ToSchema)]
pub(super) struct LegacyVote {
    /// `1` when there is one, else `0`.
    #[schema(example = "1")]
    status: &'static str,
    /// When, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    vote: Option<i64>,
    /// Seconds until the next vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    nextvote: Option<i64>,
    /// The name the player voted with, for askers with the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pseudo: Option<String>,
}

/// A figure.
#[derive(Serialize, ToSchema)]
pub(super) struct LegacyFigure {
    /// `1`, or `0` when there is no such server or figure.
    #[schema(example = "1")]
    status: &'static str,
    /// The figure as a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
}

const NO: LegacyVote = LegacyVote { status: "0", vote: None, nextvote: None, pseudo: None };

/// A vote by address, as a figure
#[utoipa::path(
    get,
    path = "/api/vote/{server}/{ip}",
    tag = "serveur-prive.net",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("ip" = String, Path, description = "Address of the player"),
    ),
    responses(
        (status = 200, description = "`1`, or nothing when there is no vote", body = String, content_type = "text/plain"),
        (status = "4XX", description = "Nothing"),
    ),
)]
pub(super) async fn vote(mut call: ApiCall, path: VotePath) -> Response {
    let response = async {
        let lookup = find(&mut call, path).await?;
        Ok(DialectResponse::text(StatusCode::OK, if lookup.is_some() { "1" } else { "" }))
    }
    .await;
    call.respond(response, |refusal| DialectResponse::text(refusal.status(), ""))
}

/// A vote by address, as JSON
#[utoipa::path(
    get,
    path = "/api/vote/json/{server}/{ip}",
    tag = "serveur-prive.net",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("ip" = String, Path, description = "Address of the player"),
    ),
    responses(
        (status = 200, description = "Whether there is a vote", body = LegacyVote),
        (status = "4XX", description = "`status` is `0`", body = LegacyVote),
    ),
)]
pub(super) async fn vote_json(mut call: ApiCall, path: VotePath) -> Response {
    let response = async {
        Ok(DialectResponse::ok(&match find(&mut call, path).await? {
            Some(CurrentVote { vote, next_vote_seconds }) => LegacyVote {
                status: "1",
                vote: Some(vote.voted_at.timestamp()),
                nextvote: Some(next_vote_seconds),
                pseudo: vote.username,
            },
            None => NO,
        }))
    }
    .await;
    call.respond(response, |refusal| DialectResponse::json(refusal.status(), &NO))
}

/// A figure of a server: `position`, `vote`, `clic`, `commentaire` or `note`
#[utoipa::path(
    get,
    path = "/api/stats/{server}/{figure}",
    tag = "serveur-prive.net",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("figure" = String, Path, description = "Which figure"),
    ),
    responses(
        (status = 200, description = "The figure alone", body = String, content_type = "text/plain"),
        (status = "4XX", description = "Nothing"),
    ),
)]
pub(super) async fn figure(mut call: ApiCall, path: VotePath) -> Response {
    let response = async {
        Ok(DialectResponse::text(StatusCode::OK, figure_of(&mut call, path).await?).max_age(10))
    }
    .await;
    call.respond(response, |refusal| DialectResponse::text(refusal.status(), ""))
}

/// The same as JSON
#[utoipa::path(
    get,
    path = "/api/stats/json/{server}/{figure}",
    tag = "serveur-prive.net",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("figure" = String, Path, description = "Which figure"),
    ),
    responses(
        (status = 200, description = "The figure", body = LegacyFigure),
        (status = "4XX", description = "`status` is `0`", body = LegacyFigure),
    ),
)]
pub(super) async fn figure_json(mut call: ApiCall, path: VotePath) -> Response {
    let response = async {
        let data = Some(figure_of(&mut call, path).await?);
        Ok(DialectResponse::ok(&LegacyFigure { status: "1", data }).max_age(10))
    }
    .await;
    call.respond(response, |refusal| {
        DialectResponse::json(refusal.status(), &LegacyFigure { status: "0", data: None })
    })
}

type VotePath = Result<Path<(String, String)>, PathRejection>;

async fn find(call: &mut ApiCall, path: VotePath) -> Result<Option<CurrentVote>, ApiRefusal> {
    let Path((server, ip)) = path.map_err(|_| ApiRefusal::Text)?;
    let server = call.server(Some(&server))?;
    Ok(check_vote(&call.state, &server, &address(&ip)?).await?)
}

async fn figure_of(call: &mut ApiCall, path: VotePath) -> Result<String, ApiRefusal> {
    let Path((server, name)) = path.map_err(|_| ApiRefusal::Text)?;
    let server = call.server(Some(&server))?;
    let figure: fn(&ServerFigures) -> String = match &*name {
        "position" => |figures| figures.game_rank.unwrap_or_default().to_string(),
        "vote" => |figures| figures.monthly_votes.to_string(),
        "clic" => |figures| figures.clicks.to_string(),
        "commentaire" => |figures| figures.review_count.to_string(),
        "note" => |figures| format!("{:.1}", figures.rating.unwrap_or_default()),
        _ => return Err(ApiRefusal::Unknown("figure")),
    };
    Ok(figure(&server_figures(&call.state, &server).await?))
}
