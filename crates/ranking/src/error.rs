//! The refusals of the ranking, with their statuses, codes and texts.
//!
//! The named functions answer `{"success":false,"code","message"}`. Pages translate the code; the
//! message is for people who read a response by hand. The public API has its own format, in
//! `wire/vote_api.rs`, because plugins written for older sites read it.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use compat_functions::JsonBodyError;
use compat_pg::PgError;
use compat_proof_of_work::ProofRefusal as CaptchaRefusal;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use crate::model::ban::Ban;
use crate::model::picture_copy::CopyError;
use crate::model::reason::Reason;
use crate::model::ticket::TicketRefusal;
use crate::model::vote::VoteLimit;

/// Seconds for `Retry-After` while the database is unavailable.
pub(crate) const RETRY_AFTER: u64 = 5;

/// Why a request to the vote API fails. Each dialect chooses its own wording.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// No server has this token, and no public server has this id.
    #[error("Server not found")]
    UnknownServer,
    /// The token is valid, but belongs to a server other than the one in the URL.
    #[error("The token belongs to another server")]
    WrongServerToken,
    /// The names of voters are given only to a caller with the server's token.
    #[error("This needs the token of the server")]
    TokenRequired,
    /// The database failed.
    #[error("Something went wrong on our side")]
    Database(Arc<PgError>),
}

impl From<PgError> for ApiError {
    fn from(error: PgError) -> Self {
        Self::Database(Arc::new(error))
    }
}

/// Why a call of a named function fails.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The request is malformed; the text says how.
    #[error("{0}")]
    BadRequest(&'static str),
    /// The function accepts only this HTTP method.
    #[error("Only {0} is answered here")]
    MethodNotAllowed(&'static str),
    /// The nickname is too short or too long.
    #[error("Username must contain between 2 and 50 characters")]
    NicknameLength,
    /// The nickname contains a character that is not allowed in any nickname.
    #[error("Unauthorized characters detected in the username")]
    NicknameCharacters,
    /// The nickname violates the stricter rule of the server's game.
    #[error("This username cannot exist in this game")]
    NicknamePattern,
    /// The site rejects votes under this nickname.
    #[error("Votes are not taken under this username")]
    NicknameRefused,
    /// The answer to the challenge is wrong or was used before.
    #[error("The captcha was not passed; please try again")]
    Captcha(#[source] CaptchaRefusal),
    /// The captcha provider rejected the answer; the text is for the log.
    #[error("The captcha was not passed; please try again")]
    CaptchaRejected(String),
    /// The captcha provider cannot be reached or gives no verdict.
    #[error("The captcha cannot be checked at the moment; please try again")]
    CaptchaUnavailable(#[source] compat_http::OutgoingError),
    /// The ballot's ticket is not valid, or a required ticket is missing.
    #[error(transparent)]
    Ticket(#[from] TicketRefusal),
    /// No public server has this id.
    #[error("Server not found")]
    ServerNotFound,
    /// The cooldown since the voter's last vote has not ended.
    #[error("Already voted; the next vote is possible in {next_vote_seconds} seconds")]
    AlreadyVoted {
        /// Whole seconds until the next vote is possible, at least 1.
        next_vote_seconds: i64,
    },
    /// The caller asked for a reminder, but has no vote whose cooldown is running.
    #[error("There is no vote to wait for")]
    NoVoteToWaitFor,
    /// The account, the address or the network is banned from voting.
    #[error("Voting is not possible from this {}", match .0 {
        Ban::Network => "network",
        Ban::Account | Ban::Address => "connection or account",
    })]
    Banned(Ban),
    /// The caller does not own the server, or it does not exist.
    #[error("Only the owner of the server may do this")]
    NotOwner,
    /// The account is not allowed to add content.
    #[error("This account may not do this")]
    NotAllowed,
    /// The picture could not be copied.
    #[error(transparent)]
    PictureRejected(CopyError),
    /// The server has no receiver that could be tested.
    #[error("Nothing is set up yet")]
    NoReceiver,
    /// The call requires a signed-in account.
    #[error("Authentication required")]
    Unauthenticated,
    /// The caller's token is not valid.
    #[error("The token is not valid or has expired")]
    InvalidToken,
    /// One address made too many calls to this process.
    #[error("Too many requests; please wait {retry_after} seconds")]
    TooManyRequests {
        /// Whole seconds until the next call is accepted.
        retry_after: u64,
    },
    /// A vote limit that holds across all processes is exceeded.
    #[error("{}; please wait {retry_after} seconds", match .by {
        VoteLimit::Address => "Too many votes from this connection",
        VoteLimit::Network => "Too many votes for this server from this network",
        VoteLimit::Server => "Too many votes for this server at once",
    })]
    VoteLimit {
        /// The limit that is exceeded.
        by: VoteLimit,
        /// Whole seconds until the limit allows another vote, at least 1.
        retry_after: u64,
    },
    /// The status of a game server cannot be read.
    #[error("Failed to fetch Steam server status")]
    Status(#[source] PgError),
    /// The queue of the vote batcher is full.
    #[error("Too many votes at once; please try again")]
    Overloaded,
    /// The database failed; a batch shares one error among its callers.
    #[error("Something went wrong on our side")]
    Database(#[source] Arc<PgError>),
    /// The captcha settings do not permit a challenge.
    #[error("Something went wrong on our side")]
    Challenge(#[from] compat_proof_of_work::IssueError),
}

impl Refusal {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_)
            | Self::NicknameLength
            | Self::NicknameCharacters
            | Self::NicknamePattern
            | Self::NicknameRefused
            | Self::Captcha(_)
            | Self::Ticket(_)
            | Self::PictureRejected(_)
            | Self::CaptchaRejected(_) => StatusCode::BAD_REQUEST,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::ServerNotFound => StatusCode::NOT_FOUND,
            Self::NoVoteToWaitFor | Self::NoReceiver => StatusCode::CONFLICT,
            Self::AlreadyVoted { .. } | Self::TooManyRequests { .. } | Self::VoteLimit { .. } => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Banned(_) | Self::NotOwner | Self::NotAllowed => StatusCode::FORBIDDEN,
            Self::Unauthenticated | Self::InvalidToken => StatusCode::UNAUTHORIZED,
            Self::Overloaded | Self::CaptchaUnavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Status(error) if is_transient(error) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Database(error) if is_transient(error) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Database(_) | Self::Status(_) | Self::Challenge(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    /// The code that pages translate.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadRequest(_) => "bad_request",
            Self::MethodNotAllowed(_) => "method_not_allowed",
            Self::NicknameLength => "nickname_length",
            Self::NicknameCharacters => "nickname_characters",
            Self::NicknamePattern => "nickname_pattern",
            Self::NicknameRefused => "nickname_refused",
            Self::Captcha(_) | Self::CaptchaRejected(_) => "captcha_failed",
            Self::CaptchaUnavailable(_) => "captcha_unavailable",
            Self::Ticket(TicketRefusal::Unknown) => "ticket_unknown",
            Self::Ticket(TicketRefusal::Expired) => "ticket_expired",
            Self::Ticket(TicketRefusal::Spent) => "ticket_spent",
            Self::Ticket(TicketRefusal::Required) => "ticket_required",
            Self::ServerNotFound => "server_not_found",
            Self::AlreadyVoted { .. } => "already_voted",
            Self::NoVoteToWaitFor => "no_vote",
            Self::Banned(Ban::Network) => "banned_network",
            Self::Banned(Ban::Account | Ban::Address) => "banned",
            Self::NotOwner => "not_owner",
            Self::NotAllowed => "not_allowed",
            Self::PictureRejected(fault) => fault.code(),
            Self::NoReceiver => "no_receiver",
            Self::Unauthenticated => "authentication_required",
            Self::InvalidToken => "invalid_token",
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::VoteLimit { by: VoteLimit::Address, .. } => "limit_address",
            Self::VoteLimit { by: VoteLimit::Network, .. } => "limit_network",
            Self::VoteLimit { by: VoteLimit::Server, .. } => "limit_server",
            Self::Status(_) => "status_unavailable",
            Self::Overloaded => "overloaded",
            Self::Database(error) if is_transient(error) => "overloaded",
            Self::Database(_) | Self::Challenge(_) => "internal_error",
        }
    }

    /// The reason under which a rejected vote is counted; `None` for our own faults and for
    /// malformed requests.
    pub(crate) fn reason(&self) -> Option<Reason> {
        match self {
            Self::NicknameLength | Self::NicknameCharacters | Self::NicknamePattern => {
                Some(Reason::Nickname)
            }
            Self::NicknameRefused => Some(Reason::NicknameRefused),
            Self::Captcha(CaptchaRefusal::Spent) => Some(Reason::CaptchaSpent),
            Self::Captcha(_) | Self::CaptchaRejected(_) => Some(Reason::Captcha),
            Self::Ticket(_) => Some(Reason::Ticket),
            Self::ServerNotFound => Some(Reason::NotListed),
            Self::AlreadyVoted { .. } => Some(Reason::Cooldown),
            Self::Banned(Ban::Account) => Some(Reason::BannedAccount),
            Self::Banned(Ban::Address) => Some(Reason::BannedAddress),
            Self::Banned(Ban::Network) => Some(Reason::BannedNetwork),
            Self::TooManyRequests { .. } => Some(Reason::TooFast),
            Self::VoteLimit { by: VoteLimit::Address, .. } => Some(Reason::LimitAddress),
            Self::VoteLimit { by: VoteLimit::Network, .. } => Some(Reason::LimitNetwork),
            Self::VoteLimit { by: VoteLimit::Server, .. } => Some(Reason::LimitServer),
            _ => None,
        }
    }

    fn log(&self) {
        match self {
            Self::Overloaded => tracing::warn!("vote rejected: queue full"),
            Self::Database(error) => tracing::error!(%error, "request failed: database error"),
            Self::Status(error) => tracing::error!(%error, "server status failed: database error"),
            Self::Challenge(error) => tracing::error!(%error, "captcha challenge not issued"),
            Self::Captcha(why) => tracing::info!(%why, "captcha rejected"),
            Self::CaptchaRejected(why) => tracing::info!(%why, "captcha rejected"),
            Self::CaptchaUnavailable(error) => {
                tracing::warn!(%error, "captcha not checked: provider error")
            }
            _ => {}
        }
    }
}

/// Whether a retry in a moment may succeed.
fn is_transient(error: &PgError) -> bool {
    error.is_unavailable() || error.is_lock_timeout()
}

impl From<PgError> for Refusal {
    fn from(error: PgError) -> Self {
        Self::Database(Arc::new(error))
    }
}

impl From<JsonBodyError> for Refusal {
    fn from(refusal: JsonBodyError) -> Self {
        match refusal {
            JsonBodyError::Method => Self::MethodNotAllowed("POST"),
            JsonBodyError::Shape(shape) => Self::BadRequest(shape),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        self.log();
        let mut body =
            json!({ "success": false, "code": self.code(), "message": self.to_string() });
        if let Self::AlreadyVoted { next_vote_seconds } = self {
            body["nextVoteSeconds"] = next_vote_seconds.into();
        }
        if let Self::VoteLimit { retry_after, .. } = self {
            body["retryAfter"] = retry_after.into();
        }
        let mut response = compat_http::json(self.status(), &body);
        let headers = response.headers_mut();
        match self {
            Self::TooManyRequests { retry_after } | Self::VoteLimit { retry_after, .. } => {
                headers.insert(header::RETRY_AFTER, retry_after.into());
            }
            Self::Overloaded | Self::CaptchaUnavailable(_) => {
                headers.insert(header::RETRY_AFTER, RETRY_AFTER.into());
            }
            Self::Status(error) if is_transient(&error) => {
                headers.insert(header::RETRY_AFTER, RETRY_AFTER.into());
            }
            Self::Database(error) if is_transient(&error) => {
                headers.insert(header::RETRY_AFTER, RETRY_AFTER.into());
            }
            Self::MethodNotAllowed(method) => {
                headers.insert(header::ALLOW, HeaderValue::from_static(method));
            }
            _ => {}
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unavailable_database_returns_503_with_retry_after() {
        let away = Refusal::from(PgError::PoolTimeout).into_response();
        assert_eq!((away.status().as_u16(), &away.headers()["retry-after"]), (503, &5.into()));
        let fault = Refusal::from(PgError::Address("x".into())).into_response();
        assert_eq!((fault.status().as_u16(), fault.headers().get("retry-after")), (500, None));
    }

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let ours = || compat_proof_of_work::IssueError::InvalidHmacKey;
        let table = [
            (Refusal::BadRequest("Say what"), 400, "bad_request", "Say what"),
            (
                Refusal::MethodNotAllowed("POST"),
                405,
                "method_not_allowed",
                "Only POST is answered here",
            ),
            (
                Refusal::NicknameLength,
                400,
                "nickname_length",
                "Username must contain between 2 and 50 characters",
            ),
            (
                Refusal::NicknameCharacters,
                400,
                "nickname_characters",
                "Unauthorized characters detected in the username",
            ),
            (
                Refusal::NicknamePattern,
                400,
                "nickname_pattern",
                "This username cannot exist in this game",
            ),
            (
                Refusal::Captcha(CaptchaRefusal::Spent),
                400,
                "captcha_failed",
                "The captcha was not passed; please try again",
            ),
            (
                Refusal::CaptchaRejected("timeout-or-duplicate".into()),
                400,
                "captcha_failed",
                "The captcha was not passed; please try again",
            ),
            (
                Refusal::CaptchaUnavailable(compat_http::OutgoingError::TimedOut),
                503,
                "captcha_unavailable",
                "The captcha cannot be checked at the moment; please try again",
            ),
            (
                TicketRefusal::Unknown.into(),
                400,
                "ticket_unknown",
                "This voting link is not valid for this server",
            ),
            (TicketRefusal::Expired.into(), 400, "ticket_expired", "This voting link has expired"),
            (
                TicketRefusal::Spent.into(),
                400,
                "ticket_spent",
                "This voting link has been used already",
            ),
            (
                TicketRefusal::Required.into(),
                400,
                "ticket_required",
                "This server takes votes that come from its own site only",
            ),
            (Refusal::ServerNotFound, 404, "server_not_found", "Server not found"),
            (
                Refusal::AlreadyVoted { next_vote_seconds: 60 },
                429,
                "already_voted",
                "Already voted; the next vote is possible in 60 seconds",
            ),
            (Refusal::NoVoteToWaitFor, 409, "no_vote", "There is no vote to wait for"),
            (
                Refusal::Banned(Ban::Address),
                403,
                "banned",
                "Voting is not possible from this connection or account",
            ),
            (
                Refusal::Banned(Ban::Network),
                403,
                "banned_network",
                "Voting is not possible from this network",
            ),
            (
                Refusal::VoteLimit { by: VoteLimit::Address, retry_after: 60 },
                429,
                "limit_address",
                "Too many votes from this connection; please wait 60 seconds",
            ),
            (
                Refusal::VoteLimit { by: VoteLimit::Network, retry_after: 60 },
                429,
                "limit_network",
                "Too many votes for this server from this network; please wait 60 seconds",
            ),
            (
                Refusal::VoteLimit { by: VoteLimit::Server, retry_after: 60 },
                429,
                "limit_server",
                "Too many votes for this server at once; please wait 60 seconds",
            ),
            (
                Refusal::NicknameRefused,
                400,
                "nickname_refused",
                "Votes are not taken under this username",
            ),
            (Refusal::NotOwner, 403, "not_owner", "Only the owner of the server may do this"),
            (Refusal::NotAllowed, 403, "not_allowed", "This account may not do this"),
            (
                Refusal::PictureRejected(CopyError::TooLarge),
                400,
                "picture_too_large",
                "The picture is larger than 5 MB",
            ),
            (Refusal::NoReceiver, 409, "no_receiver", "Nothing is set up yet"),
            (Refusal::Overloaded, 503, "overloaded", "Too many votes at once; please try again"),
            (Refusal::Unauthenticated, 401, "authentication_required", "Authentication required"),
            (Refusal::InvalidToken, 401, "invalid_token", "The token is not valid or has expired"),
            (
                Refusal::TooManyRequests { retry_after: 6 },
                429,
                "too_many_requests",
                "Too many requests; please wait 6 seconds",
            ),
            (
                Refusal::from(PgError::PoolTimeout),
                503,
                "overloaded",
                "Something went wrong on our side",
            ),
            (
                Refusal::from(PgError::Address("x".into())),
                500,
                "internal_error",
                "Something went wrong on our side",
            ),
            (
                Refusal::Status(PgError::PoolTimeout),
                503,
                "status_unavailable",
                "Failed to fetch Steam server status",
            ),
            (
                Refusal::Status(PgError::Address("x".into())),
                500,
                "status_unavailable",
                "Failed to fetch Steam server status",
            ),
            (ours().into(), 500, "internal_error", "Something went wrong on our side"),
        ];
        for (refusal, status, code, text) in table {
            assert_eq!(
                (refusal.status().as_u16(), refusal.code(), refusal.to_string().as_str()),
                (status, code, text)
            );
        }
    }
}
