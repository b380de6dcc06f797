//! `GET /api/v1/servers/{server}/votes/{ip}` and `…/statistics`, which serveur-prive.net has too;
//! the first also without `/api/v1`.
//!
//! "No vote" is 200 with `success: false`, because plugins read the body and many clients throw on
//! any other status. Only a malformed request is 400, an unknown server 404, and too many requests
//! from one address 429.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;
use http::{HeaderValue, StatusCode, Uri, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::api_call::{ApiCall, DialectResponse, address};
use super::refusal::ApiRefusal;
use crate::flow::check_vote::{CurrentVote, check_vote};
use crate::flow::list_votes::server_figures;

/// A vote that was found.
#[derive(Serialize, ToSchema)]
pub(super) struct VoteFound {
    /// Always true.
    success: bool,
    data: VoteFoundData,
}

/// What is known of it.
#[derive(Serialize, ToSchema)]
struct VoteFoundData {
    /// The name the player voted with; null for askers by the public id, unless the owner opened it.
    #[schema(example = "Steve")]
    username: Option<String>,
    /// When, in seconds since 1970.
    #[schema(example = 1_795_395_600)]
    voted_at: i64,
    /// Seconds until the player may vote again.
    #[schema(example = 5400)]
    next_vote_seconds: i64,
    /// Whether the voter was signed in.
    is_connected: bool,
    /// Whether the server has an active Prestige.
    is_subscriber: bool,
    #[schema(example = "Les Royaumes d'Ada")]
    server_name: String,
}

/// Why there is no answer, or that there is no vote.
#[derive(Serialize, ToSchema)]
pub(super) struct Failure {
    /// Always false.
    success: bool,
    #[schema(example = "No vote found for this IP")]
    message: String,
}

/// A server in figures.
#[derive(Serialize, ToSchema)]
pub(super) struct Statistics {
    /// Always true.
    success: bool,
    data: StatisticsData,
}

#[derive(Serialize, ToSchema)]
struct StatisticsData {
    /// Its place among the servers of its game this month; null while it is not shown.
    #[schema(example = 3)]
    position: Option<i32>,
    /// Its place among all servers.
    #[schema(example = 12)]
    position_overall: Option<i32>,
    /// Votes of the running month.
    #[schema(example = 1280)]
    votes_count: i32,
    /// Votes ever.
    #[schema(example = 20_140)]
    total_votes_count: i32,
    /// Visits of its page ever, one a day and visitor.
    #[schema(example = 4022)]
    clicks_count: i32,
    /// Reviews.
    #[schema(example = 17)]
    comments_count: i32,
    /// Their average from 1 to 5; null without reviews.
    #[schema(example = 4.6)]
    rating: Option<f64>,
    /// What became of the votes of the last thirty days.
    last_30_days: Lately,
}

#[derive(Serialize, ToSchema)]
struct Lately {
    /// Votes that count.
    #[schema(example = 1310)]
    accepted: i64,
    /// Votes that were refused, most often because the voter came back too early.
    #[schema(example = 92)]
    refused: i64,
    /// Votes that counted and were taken back as fake.
    #[schema(example = 0)]
    voided: i64,
}

/// Whether somebody voted from an address
///
/// Looks for a vote within the cooldown. IPv6 addresses are compared by their network (/64).
#[utoipa::path(
    get,
    path = "/api/v1/servers/{server}/votes/{ip}",
    tag = "votes",
    params(
        ("server" = String, Path, description = "Token of the server, or its public id (UUID)"),
        ("ip" = String, Path, description = "Address of the player, IPv4 or IPv6"),
    ),
    responses(
        (status = 200, description = "The vote, or that there is none", body = inline(VoteCheckAnswer)),
        (status = 400, description = "Not a token, an id or an address", body = Failure),
        (status = 401, description = "The bearer token is of another server", body = Failure),
        (status = 404, description = "No such server", body = Failure),
        (status = 429, description = "Too many questions; see Retry-After", body = Failure),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn check(
    mut call: ApiCall,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let response = async {
        let Path((server, ip)) = path.map_err(|_| ApiRefusal::Text)?;
        let server = call.server(Some(&server))?;
        let voter = address(&ip)?;
        Ok(match check_vote(&call.state, &server, &voter).await? {
            Some(vote) => DialectResponse::ok(&VoteCheckAnswer::Found(vote.into())),
            None => {
                let none = Failure::new("No vote found for this IP");
                DialectResponse::ok(&VoteCheckAnswer::NotFound(none))
            }
        })
    }
    .await;
    call.respond(response, render_refusal)
}

/// Either of the two bodies a check is answered with.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum VoteCheckAnswer {
    /// There is a vote.
    Found(VoteFound),
    /// There is none.
    NotFound(Failure),
}

/// A server in figures
#[utoipa::path(
    get,
    path = "/api/v1/servers/{server}/statistics",
    tag = "servers",
    params(("server" = String, Path, description = "Token of the server, or its public id (UUID)")),
    responses(
        (status = 200, description = "The figures", body = Statistics),
        (status = 304, description = "They are as the asker knows them (If-None-Match)"),
        (status = 400, description = "Neither a token nor an id", body = Failure),
        (status = 401, description = "The bearer token is of another server", body = Failure),
        (status = 404, description = "No such server", body = Failure),
        (status = 429, description = "Too many questions; see Retry-After", body = Failure),
    ),
    security((), ("token" = [])),
)]
pub(super) async fn statistics(
    mut call: ApiCall,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    let response = async {
        let Path(server) = path.map_err(|_| ApiRefusal::Text)?;
        let server = call.server(Some(&server))?;
        let figures = server_figures(&call.state, &server).await?;
        let data = StatisticsData {
            position: figures.game_rank,
            position_overall: figures.rank,
            votes_count: figures.monthly_votes,
            total_votes_count: figures.total_votes,
            clicks_count: figures.clicks,
            comments_count: figures.review_count,
            rating: figures.rating,
            last_30_days: Lately {
                accepted: figures.accepted_lately,
                refused: figures.refused_lately,
                voided: figures.voided_lately,
            },
        };
        Ok(DialectResponse::ok(&Statistics { success: true, data }).max_age(10))
    }
    .await;
    call.respond(response, render_refusal)
}

/// Answers any other method on a path of the vote API.
pub(super) async fn refuse_method(call: ApiCall, address: Uri) -> Response {
    let path = address.path();
    let (message, allowed) = match path == "/api/" || path.starts_with("/v1/votes/claim-") {
        true => ("Only GET and POST are answered here", "GET, HEAD, POST"),
        false => ("Only GET is answered here", "GET, HEAD"),
    };
    let response = DialectResponse::json(StatusCode::METHOD_NOT_ALLOWED, &Failure::new(message));
    let mut response = call.respond(Ok(response), render_refusal);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self { success: false, message: message.into() }
    }
}

impl From<CurrentVote> for VoteFound {
    fn from(CurrentVote { vote, next_vote_seconds }: CurrentVote) -> Self {
        let data = VoteFoundData {
            username: vote.username,
            voted_at: vote.voted_at.timestamp(),
            next_vote_seconds,
            is_connected: vote.is_connected,
            is_subscriber: vote.is_subscriber,
            server_name: vote.server_name,
        };
        Self { success: true, data }
    }
}

/// Renders a refusal in this dialect.
pub(super) fn render_refusal(refusal: &ApiRefusal) -> DialectResponse {
    DialectResponse::json(refusal.status(), &Failure::new(refusal.message()))
}
