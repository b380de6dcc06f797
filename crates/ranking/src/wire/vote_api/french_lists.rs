//! The dialects of French lists that Azuriom and other owners' sites use, with one field each:
//! liste-serveurs.fr, liste-serveur.fr, serveurs-mc.net and serveur-minecraft-vote.fr.
//!
//! A refusal has the same format: "no vote" with an error status and a message.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_call::{ApiCall, DialectResponse, address};
use super::refusal::ApiRefusal;
use crate::flow::check_vote::check_vote;

/// liste-serveurs.fr
#[derive(Serialize, ToSchema)]
pub(super) struct CheckVote {
    /// Whether there is a vote.
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// liste-serveur.fr
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HasVoted {
    /// Whether there is a vote.
    has_voted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// serveurs-mc.net
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HasVote {
    /// Whether there is a vote no older than asked.
    has_vote: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// serveur-minecraft-vote.fr
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CanVote {
    /// Whether the address may vote now: false after a vote.
    can_vote: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A vote by address, as `success`
#[utoipa::path(
    get,
    path = "/api/checkVote/{server}/{ip}",
    tag = "other lists",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("ip" = String, Path, description = "Address of the player"),
    ),
    responses(
        (status = 200, description = "Whether there is a vote", body = CheckVote),
        (status = "4XX", description = "Told as no vote", body = CheckVote),
    ),
)]
pub(super) async fn check_vote_word(
    mut call: ApiCall,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let lookup = has(&mut call, path).await;
    let response = lookup.map(|success| DialectResponse::ok(&CheckVote { success, message: None }));
    call.respond(response, |refusal| {
        let message = Some(refusal.message());
        DialectResponse::json(refusal.status(), &CheckVote { success: false, message })
    })
}

/// A vote by address, as `hasVoted`
#[utoipa::path(
    get,
    path = "/api/hasVoted/{server}/{ip}",
    tag = "other lists",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("ip" = String, Path, description = "Address of the player"),
    ),
    responses(
        (status = 200, description = "Whether there is a vote", body = HasVoted),
        (status = "4XX", description = "Told as no vote", body = HasVoted),
    ),
)]
pub(super) async fn has_voted(
    mut call: ApiCall,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let lookup = has(&mut call, path).await;
    let response =
        lookup.map(|has_voted| DialectResponse::ok(&HasVoted { has_voted, message: None }));
    call.respond(response, |refusal| {
        let message = Some(refusal.message());
        DialectResponse::json(refusal.status(), &HasVoted { has_voted: false, message })
    })
}

/// A vote by address within so many minutes, as `hasVote`
#[utoipa::path(
    get,
    path = "/api/hasVote/{server}/{ip}/{minutes}",
    tag = "other lists",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("ip" = String, Path, description = "Address of the player"),
        ("minutes" = u32, Path, description = "How old the vote may be; no older than the cooldown"),
    ),
    responses(
        (status = 200, description = "Whether there is a vote", body = HasVote),
        (status = "4XX", description = "Told as no vote", body = HasVote),
    ),
)]
pub(super) async fn has_vote(
    mut call: ApiCall,
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Response {
    let response = async {
        let Path((server, ip, minutes)) = path.map_err(|_| ApiRefusal::Text)?;
        let server = call.server(Some(&server))?;
        let minutes: u32 = minutes.parse().map_err(|_| ApiRefusal::Unknown("duration"))?;
        let lookup = check_vote(&call.state, &server, &address(&ip)?).await?;
        let now = call.state.environment().clock.now();
        let has_vote = lookup
            .is_some_and(|known| (now - known.vote.voted_at).num_minutes() < i64::from(minutes));
        Ok(DialectResponse::ok(&HasVote { has_vote, message: None }))
    }
    .await;
    call.respond(response, |refusal| {
        let message = Some(refusal.message());
        DialectResponse::json(refusal.status(), &HasVote { has_vote: false, message })
    })
}

/// A vote by address, as `canVote`
#[utoipa::path(
    get,
    path = "/api/v1/servers/{server}/vote/{ip}",
    tag = "other lists",
    params(
        ("server" = String, Path, description = "Token or public id"),
        ("ip" = String, Path, description = "Address of the player"),
    ),
    responses(
        (status = 200, description = "Whether the address may vote", body = CanVote),
        (status = "4XX", description = "Told as no vote", body = CanVote),
    ),
)]
pub(super) async fn can_vote(
    mut call: ApiCall,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let lookup = has(&mut call, path).await;
    let response =
        lookup.map(|has| DialectResponse::ok(&CanVote { can_vote: !has, message: None }));
    call.respond(response, |refusal| {
        let message = Some(refusal.message());
        DialectResponse::json(refusal.status(), &CanVote { can_vote: true, message })
    })
}

async fn has(
    call: &mut ApiCall,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<bool, ApiRefusal> {
    let Path((server, ip)) = path.map_err(|_| ApiRefusal::Text)?;
    let server = call.server(Some(&server))?;
    Ok(check_vote(&call.state, &server, &address(&ip)?).await?.is_some())
}
