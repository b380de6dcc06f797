//! What code written for serveur-prive.net's first API asks: bare figures, or JSON in which numbers
//! are texts. A refusal is its status with an empty body, or `status: "0"`.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::refused::Refused;
use super::visit::{Said, Visit, address};
use crate::flow::check_vote::{KnownVote, check_vote};
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
pub(super) async fn vote(mut visit: Visit, path: Asked) -> Response {
    let said = async {
        let found = find(&mut visit, path).await?;
        Ok(Said::text(StatusCode::OK, if found.is_some() { "1" } else { "" }))
    }
    .await;
    visit.end(said, |refused| Said::text(refused.status(), ""))
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
pub(super) async fn vote_json(mut visit: Visit, path: Asked) -> Response {
    let said = async {
        Ok(Said::ok(&match find(&mut visit, path).await? {
            Some(KnownVote { vote, next_vote_seconds }) => LegacyVote {
                status: "1",
                vote: Some(vote.voted_at.timestamp()),
                nextvote: Some(next_vote_seconds),
                pseudo: vote.username,
            },
            None => NO,
        }))
    }
    .await;
    visit.end(said, |refused| Said::json(refused.status(), &NO))
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
pub(super) async fn figure(mut visit: Visit, path: Asked) -> Response {
    let said =
        async { Ok(Said::text(StatusCode::OK, figure_of(&mut visit, path).await?).kept(10)) }.await;
    visit.end(said, |refused| Said::text(refused.status(), ""))
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
pub(super) async fn figure_json(mut visit: Visit, path: Asked) -> Response {
    let said = async {
        let data = Some(figure_of(&mut visit, path).await?);
        Ok(Said::ok(&LegacyFigure { status: "1", data }).kept(10))
    }
    .await;
    visit.end(said, |refused| {
        Said::json(refused.status(), &LegacyFigure { status: "0", data: None })
    })
}

type Asked = Result<Path<(String, String)>, PathRejection>;

async fn find(visit: &mut Visit, path: Asked) -> Result<Option<KnownVote>, Refused> {
    let Path((server, ip)) = path.map_err(|_| Refused::Text)?;
    let server = visit.server(Some(&server))?;
    Ok(check_vote(&visit.state, &server, &address(&ip)?).await?)
}

async fn figure_of(visit: &mut Visit, path: Asked) -> Result<String, Refused> {
    let Path((server, name)) = path.map_err(|_| Refused::Text)?;
    let server = visit.server(Some(&server))?;
    let figure: fn(&ServerFigures) -> String = match &*name {
        "position" => |figures| figures.game_rank.unwrap_or_default().to_string(),
        "vote" => |figures| figures.monthly_votes.to_string(),
        "clic" => |figures| figures.clicks.to_string(),
        "commentaire" => |figures| figures.review_count.to_string(),
        "note" => |figures| format!("{:.1}", figures.rating.unwrap_or_default()),
        _ => return Err(Refused::Unknown("figure")),
    };
    Ok(figure(&server_figures(&visit.state, &server).await?))
}
