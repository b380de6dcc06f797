//! Why a question has no answer, before a dialect says so in its own shape.

use http::StatusCode;

use crate::error::{ApiError, RETRY_AFTER};

/// A question that is refused.
#[derive(Debug)]
pub(super) enum ApiRefusal {
    /// The address is not text.
    Text,
    /// What should be a token or a public id is neither.
    Server,
    /// What should be an IP address is none.
    Address,
    /// The name of this part, which is missing.
    Missing(&'static str),
    /// A name that no player can have.
    Player,
    /// This part of the question has no such value.
    Unknown(&'static str),
    /// Too many questions from one address.
    TooMany {
        /// Whole seconds until the next one is answered.
        retry_after: u64,
    },
    /// There is an answer, but not for this asker, or not now.
    Api(ApiError),
}

impl From<ApiError> for ApiRefusal {
    fn from(cause: ApiError) -> Self {
        Self::Api(cause)
    }
}

impl ApiRefusal {
    /// The HTTP status, for dialects that have one.
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

    /// What is wrong, for whoever reads the answer.
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

    /// When it is worth asking again, in whole seconds, if that is known.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany { retry_after } => Some(*retry_after),
            _ if self.status() == StatusCode::SERVICE_UNAVAILABLE => Some(RETRY_AFTER),
            _ => None,
        }
    }

    /// Notes what is our fault.
    pub fn logged(self) -> Self {
        if let Self::Api(ApiError::Database(error)) = &self {
            tracing::error!(%error, "vote API request failed: database error");
        }
        self
    }
}
