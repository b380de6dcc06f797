//! Every way the ranking refuses, and how it says so.
//!
//! The named functions answer `{"success":false,"code","message"}`; pages translate the code, the
//! message is for whoever reads an answer by hand. The public API has its own shape, in
//! `wire/vote_api.rs`, because plugins written against older sites read it.

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

/// Seconds after which it is worth asking again while the database is away.
pub(crate) const RETRY_AFTER: u64 = 5;

/// Why a question to the vote API has no answer. How it is said is each dialect's matter.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// Nobody has this token, and no public server this id.
    #[error("Server not found")]
    UnknownServer,
    /// The token is good, and of another server than the address names.
    #[error("The token belongs to another server")]
    WrongServerToken,
    /// Who voted is told to the server itself.
    #[error("This needs the token of the server")]
    TokenRequired,
    /// The database failed us.
    #[error("Something went wrong on our side")]
    Database(#[from] PgError),
}

/// Why a call of a named function is not answered with what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The request cannot be understood; says what is wrong with it.
    #[error("{0}")]
    BadRequest(&'static str),
    /// The function answers one method only.
    #[error("Only {0} is answered here")]
    MethodNotAllowed(&'static str),
    /// The nickname is too short or too long.
    #[error("Username must contain between 2 and 50 characters")]
    NicknameLength,
    /// The nickname holds a character that no nickname may.
    #[error("Unauthorized characters detected in the username")]
    NicknameCharacters,
    /// The nickname breaks the narrower rule of the server's game.
    #[error("This username cannot exist in this game")]
    NicknamePattern,
    /// The site takes no votes with such a nickname.
    #[error("Votes are not taken under this username")]
    NicknameRefused,
    /// The answer to the challenge does not hold, or was used before.
    #[error("The captcha was not passed; please try again")]
    Captcha(#[source] CaptchaRefusal),
    /// The provider of the captcha does not take the answer; says why, for the log.
    #[error("The captcha was not passed; please try again")]
    CaptchaRejected(String),
    /// The provider of the captcha gives no verdict.
    #[error("The captcha cannot be checked at the moment; please try again")]
    CaptchaUnavailable(#[source] compat_http::OutgoingError),
    /// The ticket the ballot came with, or that it came without one.
    #[error(transparent)]
    Ticket(#[from] TicketRefusal),
    /// There is no such server among the public ones.
    #[error("Server not found")]
    ServerNotFound,
    /// The voter has to wait.
    #[error("Already voted; the next vote is possible in {next_vote_seconds} seconds")]
    AlreadyVoted {
        /// Whole seconds until the next vote is taken, at least 1.
        next_vote_seconds: i64,
    },
    /// A reminder is asked for, and there is no vote of this caller whose time has not passed.
    #[error("There is no vote to wait for")]
    NoVoteToWaitFor,
    /// The account, the address or the network may not vote.
    #[error("Voting is not possible from this {}", match .0 {
        Ban::Network => "network",
        Ban::Account | Ban::Address => "connection or account",
    })]
    Banned(Ban),
    /// The server is somebody else's, or there is none.
    #[error("Only the owner of the server may do this")]
    NotOwner,
    /// The account may not add anything.
    #[error("This account may not do this")]
    NotAllowed,
    /// There is no copy of a picture.
    #[error(transparent)]
    PictureRejected(CopyError),
    /// There is nothing to try out.
    #[error("Nothing is set up yet")]
    NoReceiver,
    /// Only somebody with an account may do this.
    #[error("Authentication required")]
    Unauthenticated,
    /// The caller says who they are, with a token that is not valid.
    #[error("The token is not valid or has expired")]
    InvalidToken,
    /// Too many calls from one address.
    #[error("Too many requests; please wait {retry_after} seconds")]
    TooManyRequests {
        /// Whole seconds until the next call is taken.
        retry_after: u64,
    },
    /// More votes than there may be, whichever process they come to.
    #[error("{}; please wait {retry_after} seconds", match .by {
        VoteLimit::Address => "Too many votes from this connection",
        VoteLimit::Network => "Too many votes for this server from this network",
        VoteLimit::Server => "Too many votes for this server at once",
    })]
    VoteLimit {
        /// Whose there are too many of.
        by: VoteLimit,
        /// Whole seconds until there may be more, at least 1.
        retry_after: u64,
    },
    /// How a game server is cannot be told.
    #[error("Failed to fetch Steam server status")]
    Status(#[source] PgError),
    /// More votes wait than are waited for.
    #[error("Too many votes at once; please try again")]
    Overloaded,
    /// The database failed us, perhaps for several callers at once.
    #[error("Something went wrong on our side")]
    Database(#[source] Arc<PgError>),
    /// The captcha's settings make no challenge.
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

    /// What a vote that is refused by this is counted under; `None` where that is our fault, or the
    /// request is none.
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

/// Whether asking again in a moment may do.
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
    fn a_database_that_is_away_is_worth_asking_again() {
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
