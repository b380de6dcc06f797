//! Why a request to the vote API fails; each dialect renders it in its own format.

use http::StatusCode;

use crate::error::{ApiError, RETRY_AFTER};

/// A refused request.
#[derive(Debug)]
pub(super) enum ApiRefusal {
    /// The URL is not valid text.
    Text,
    /// The server is named by neither a token nor a public id.
    Server,
    /// The IP address is malformed.
    Address,
    /// The parameter with this name is missing.
    Missing(&'static str),
    /// The player's name is not a valid nickname.
    Player,
    /// The parameter with this name has an unknown value.
    Unknown(&'static str),
    /// The address exceeded its rate limit.
    TooMany {
        /// Whole seconds until the next request is accepted.
        retry_after: u64,
    },
    /// The request is well formed, but its answer is refused or not available now.
    Api(ApiError),
}

impl From<ApiError> for ApiRefusal {
    fn from(cause: ApiError) -> Self {
        Self::Api(cause)
    }
}

impl ApiRefusal {
    /// The HTTP status, for dialects that use one.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Text
            | Self::Server
            | Self::Address
            | Self::Missing(_)
            | Self::Player
            | Self::Unknown(_) => StatusCode::BAD_REQUEST,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Api(ApiError::UnknownServer) => StatusCode::NOT_FOUND,
            Self::Api(ApiError::WrongServerToken) => StatusCode::UNAUTHORIZED,
            Self::Api(ApiError::TokenRequired) => StatusCode::FORBIDDEN,
            Self::Api(ApiError::Database(error)) if error.is_unavailable() => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Api(ApiError::Database(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The message for people who read the response.
    pub fn message(&self) -> String {
        match self {
            Self::Text => "The address is not valid text".to_owned(),
            Self::Server => "Invalid server token".to_owned(),
            Self::Address => "Invalid IP address".to_owned(),
            Self::Missing(name) => format!("Missing {name}"),
            Self::Player => "Invalid player name".to_owned(),
            Self::Unknown(name) => format!("Unknown {name}"),
            Self::TooMany { .. } => "Too many requests".to_owned(),
            Self::Api(cause) => cause.to_string(),
        }
    }

    /// After how many seconds a retry makes sense, if that is known.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany { retry_after } => Some(*retry_after),
            _ if self.status() == StatusCode::SERVICE_UNAVAILABLE => Some(RETRY_AFTER),
            _ => None,
        }
    }

    /// Logs a failure of our own.
    pub fn logged(self) -> Self {
        if let Self::Api(ApiError::Database(error)) = &self {
            tracing::error!(%error, "vote API request failed: database error");
        }
        self
    }
}
